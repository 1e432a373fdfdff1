import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { keyPair } from '../../../demo/actors/key-pairs.ts';
import { DEGREE, FinalIssuance } from '../../actors/openid4vci.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { accessCertificate } from '../../support/trust/signed-metadata.ts';

/** A new key as a key reference. */
const localKey = () => ({ type: 'jwk', jwk: keyPair({ namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) });

describe('OpenID4VCI 1.0, metadata and keys', () => {
  let issuance: FinalIssuance;
  const holder = makeHolderKey();
  before(async () => {
    issuance = await FinalIssuance.start();
  });
  after(() => issuance.close());

  describe('getOpenid4vciIssuerMetadata', () => {
    it('200: every endpoint that it names is served, and configurations have the form of 1.0', async () => {
      const { body } = await issuance.server.call('getOpenid4vciIssuerMetadata', { query: { anything: '1' } });
      expect(body.credential_issuer).to.equal(`${issuance.server.url}/openid4vci`);
      const endpoints = ['credential', 'nonce', 'deferred_credential', 'notification'].map(
        (name) => `${name}_endpoint`,
      );
      for (const name of endpoints)
        expect((await fetch(body[name], { method: 'POST' })).status, name).to.not.equal(404);
      expect(body.batch_credential_issuance).to.deep.equal({ batch_size: 20 });
      const formats = Object.values<{ format: string }>(body.credential_configurations_supported).map(
        ({ format }) => format,
      );
      expect(formats).to.include('jwt_vc_json').and.not.include('vc+sd-jwt');
      expect(body).to.not.have.property('token_endpoint');
    });

    it('200: signed with a key of the key set for clients that prefer a JWT, JSON for all others', async () => {
      const get = (accept: string) => issuance.server.call('getOpenid4vciIssuerMetadata', { headers: { accept } });
      const plain = await get('application/json');
      for (const accept of ['application/jwt', 'Application/JWT, application/json;q=0.9', '*/*, application/jwt']) {
        const { status, body, headers } = await get(accept);
        expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/jwt']);
        const { header, claims, verifies } = decodeJwt(body);
        const { iss, sub, iat, ...members } = claims;
        expect(members).to.deep.equal(plain.body);
        expect([iss, sub]).to.deep.equal([plain.body.credential_issuer, plain.body.credential_issuer]);
        expect(iat).to.equal(Math.floor(issuance.server.clock.now() / 1000));
        const { keys } = (await issuance.server.call('listOpenid4vciKeys')).body;
        expect(header).to.include({ typ: 'openidvci-issuer-metadata+jwt', alg: 'ES256' });
        expect(verifies(keys.find(({ kid }: { kid: string }) => kid === header.kid))).to.equal(true);
      }
      for (const accept of ['', '*/*', 'text/html', 'application/jwt;q=0', 'application/jwt;q=0.5, application/json']) {
        const { status, body, headers } = await get(accept);
        expect([status, headers.get('vary')], accept).to.deep.equal([200, 'Accept']);
        expect(body).to.deep.equal(plain.body);
      }
    });

    it('200: what others state about the issuer, when it is configured', async () => {
      expect((await issuance.server.call('getOpenid4vciIssuerMetadata')).body).to.not.have.property('issuer_info');
      const issuerInfo = [{ format: 'registration_cert', data: 'eyJ0eXAiOiJyYy1ycCtqd3QifQ.e30.c2lnbmF0dXJl' }];
      const server = await startServer({ settings: { issuerMetadata: { issuerInfo } } });
      expect((await server.call('getOpenid4vciIssuerMetadata')).body.issuer_info).to.deep.equal(issuerInfo);
      await server.close();
    });

    it('200: to whom its credentials may be shown, when it is configured', async () => {
      const disclosure_policy = {
        policy_type: 'authorized_relying_parties',
        authorized_relying_parties: ['NTRZZ-Q1'],
        policy_url: 'https://issuer.example/policy',
      };
      const configured = (policy: object) => ({
        issuerMetadata: { supportedCredentialTypes: { Card: { format: 'dc+sd-jwt', disclosure_policy: policy } } },
      });
      const server = await startServer({ settings: configured(disclosure_policy) });
      const { body } = await server.call('getOpenid4vciIssuerMetadata');
      const { Card, ...others } = body.credential_configurations_supported;
      expect(Card.disclosure_policy).to.deep.equal(disclosure_policy);
      for (const other of Object.values(others)) expect(other).to.not.have.property('disclosure_policy');
      await server.close();
    });

    it('200: with its access certificate, when it is configured, of which wallets have the trust anchor', async () => {
      const authority = iaca();
      const leaf = accessCertificate(authority);
      const metadataKey = { type: 'jwk', jwk: leaf.keys.privateKey.export({ format: 'jwk' }) };
      const metadataX5chain = [leaf.pem, authority.pem];
      const server = await startServer({ settings: { issuerMetadata: { metadataKey, metadataX5chain } } });
      const headers = { accept: 'application/jwt' };
      const { header, verifies } = decodeJwt((await server.call('getOpenid4vciIssuerMetadata', { headers })).body);
      const x5c = [Buffer.from(leaf.der).toString('base64')];
      expect(header).to.deep.equal({ alg: 'ES256', typ: 'openidvci-issuer-metadata+jwt', x5c });
      expect(verifies(leaf.keys.publicKey.export({ format: 'jwk' }))).to.equal(true);
      await server.close();
      const alone = startServer({ settings: { issuerMetadata: { metadataKey, metadataX5chain: [authority.pem] } } });
      const refusal = await alone.then(({ close }) => close(), String);
      expect(refusal).to.include('credential-issuer-metadata.conf: metadataX5chain[0] is self-signed');
    });

    it('400: an Accept that is too long', async () => {
      const headers = { accept: `application/jwt${','.repeat(1024)}` };
      expect((await issuance.server.call('getOpenid4vciIssuerMetadata', { headers })).status).to.equal(400);
    });
  });

  describe('getOpenid4vciServerMetadata', () => {
    it('200: names only what is served', async () => {
      const { body } = await issuance.server.call('getOpenid4vciServerMetadata');
      expect(body.issuer).to.equal(`${issuance.server.url}/openid4vci`);
      expect(body.token_endpoint).to.equal(`${body.issuer}/token`);
      expect(body.grant_types_supported).to.deep.equal(['authorization_code', GRANT, 'refresh_token']);
      expect(body.dpop_signing_alg_values_supported).to.deep.equal(['EdDSA', 'ES256']);
      for (const name of ['authorization_endpoint', 'pushed_authorization_request_endpoint'])
        expect((await fetch(body[name])).status, name).to.not.equal(404);
      expect(body).to.not.have.any.keys('challenge_endpoint', 'registration_endpoint');
    });
  });

  describe('getOpenid4vciJwtVcIssuer', () => {
    it('200: leads to the keys of the issuer', async () => {
      const { body } = await issuance.server.call('getOpenid4vciJwtVcIssuer');
      expect(body).to.deep.equal({
        issuer: `${issuance.server.url}/openid4vci`,
        jwks_uri: `${issuance.server.url}/openid4vci/jwks`,
      });
    });
  });

  describe('listOpenid4vciKeys', () => {
    it('200: has the keys of onboarded issuers', async () => {
      const { keys } = (await issuance.server.call('listOpenid4vciKeys')).body;
      expect(keys.map(({ x }: { x: string }) => x)).to.include(issuance.issuer.issuerKey.jwk.x);
    });

    it('200: has the key of a profile before it signs, and still when the profile has another one', async () => {
      const degree = {
        name: 'Degree',
        credentialConfigurationId: DEGREE,
        credentialData: { type: ['VerifiableCredential', 'UniversityDegree'], credentialSubject: {} },
      };
      const instance = (issuerKey?: object) => {
        const profiles = { degree: { ...degree, issuerKey } };
        return FinalIssuance.startBeside(issuance, { settings: { issuer2Profiles: { profiles } } });
      };
      const credentialOf = async (server: TestServer, runtimeOverrides?: object) => {
        const json = { profileId: 'degree', authMethod: 'PRE_AUTHORIZED', valueMode: 'BY_VALUE', runtimeOverrides };
        const { credentialOffer } = (await server.call('createCredentialOffer', { json })).body;
        const { grants } = JSON.parse(new URL(credentialOffer).searchParams.get('credential_offer') ?? '');
        const { body } = await issuance.redeem(grants[GRANT]['pre-authorized_code']);
        const claimed = await issuance.claimFor(body.access_token, [holder]);
        return decodeJwt(claimed.body.credentials[0].credential);
      };
      const published = async () => (await issuance.server.call('listOpenid4vciKeys')).body.keys as object[];
      const [made, own] = [await instance(), await instance(localKey())];
      const credentials = [await credentialOf(made), await credentialOf(own)];
      const keys = await published();
      for (const { verifies } of credentials)
        expect(keys.filter((key) => verifies(key as Record<string, unknown>))).to.have.length(1);
      const brought = await credentialOf(made, { issuerKey: localKey() });
      expect(keys.some((key) => brought.verifies(key as Record<string, unknown>))).to.equal(false);
      expect(await published()).to.deep.equal(keys);
      await made.close();
      await own.close();
    });
  });
});
