import { expect } from 'chai';
import { type HolderKey, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { AttestedWallet, IDENTITY, SIGNER } from '../../actors/attested-wallet.ts';
import { ATTESTER, attest, CLIENT, createAttester } from '../../actors/client-attester.ts';
import { type EnterpriseFixture, fieldsOf, KMS, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import type { Answer } from '../../support/servers/server.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

const ISSUER = 'acme.t1.haip';
const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

describe('an issuer of a tenant and a client attester', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await createAttester(world);
    await ok(world.post('importTenantKey', `${KMS}.leaf`, SIGNER.issuerKey.jwk), 201);
    await ok(create(ISSUER, { securityProfile: 'HAIP' }), 201);
  });
  after(() => world.close());

  const identity = {
    name: 'Identity',
    credentialConfigurationId: IDENTITY,
    credentialData: { given_name: 'Ada' },
    issuerKey: `${KMS}.leaf`,
    x5Chain: SIGNER.x5Chain,
    walletInitiated: true,
  };
  const config = (changes: object) => ({
    type: 'issuer2',
    dependencies: [KMS, ATTESTER],
    supportedCredentialTypes: { [IDENTITY]: { format: 'dc+sd-jwt' } },
    profiles: { identity },
    ...changes,
  });
  const create = (target: string, changes: object) => world.post('createService', target, config(changes));

  /** A wallet, and the id of its attestation by the service. */
  async function attestedWallet({ issuer = ISSUER, attester = ATTESTER } = {}) {
    const wallet = new AttestedWallet({ server: world.server, attester: makeHolderKey() }, CLIENT);
    const made = await ok(attest(world, { instance: wallet.instance, target: attester }));
    wallet.tenant = { target: issuer, attestation: made.clientAttestationJwt };
    return { wallet, id: made.attestationId as string };
  }
  const revoke = (attestationId: string, target = ATTESTER) =>
    ok(world.server.call('revokeClientAttestation', { path: { target, attestationId }, token: world.root }));
  const said = ({ status, body }: Answer) => [status, body.error ?? 'good'];
  const REFUSED = [401, 'invalid_client'];

  it('a wallet with an attestation of the service gets a credential of HAIP', async () => {
    const { wallet } = await attestedWallet();
    const { access_token: token } = await wallet.tokens();
    const { credentials } = await ok(wallet.claim(token));
    expect(credentials).to.have.length(1);
  });

  it('a revoked attestation is refused at once: when it is pushed, where it was used, and with a refresh token', async () => {
    const { wallet, id } = await attestedWallet();
    const { refresh_token: refresh } = await wallet.tokens();
    await ok(wallet.refresh(refresh));
    const code = await wallet.code();
    await revoke(id);
    expect(said(await wallet.push())).to.deep.equal(REFUSED);
    expect(said(await wallet.redeem(code))).to.deep.equal(REFUSED);
    expect(said(await wallet.refresh(refresh))).to.deep.equal(REFUSED);
    expect(said(await wallet.redeem(code, {}, { attestation: false, pop: false }))).to.deep.equal(REFUSED);
    const again = await ok(attest(world, { instance: wallet.instance }));
    wallet.tenant = { target: ISSUER, attestation: again.clientAttestationJwt };
    await ok(wallet.redeem(code));
  });

  it('what an earlier key signed stays good until its end, also where the key was removed', async () => {
    const attester = 'acme.t1.rotating';
    const issuer = 'acme.t1.ofrotating';
    await ok(world.post('generateKey', `${KMS}.old`, { keyType: 'secp256r1' }), 201);
    await ok(world.post('generateKey', `${KMS}.new`, { keyType: 'Ed25519' }), 201);
    const own = { dependencies: [KMS], clientIds: [CLIENT], attestationValiditySeconds: 600 };
    await createAttester(world, { ...own, signingKeyId: `${KMS}.old` }, attester);
    await ok(create(issuer, { securityProfile: 'HAIP', dependencies: [KMS, attester] }), 201);
    const { wallet } = await attestedWallet({ issuer, attester });
    const json = { type: 'client-attester', ...own, signingKeyId: `${KMS}.new` };
    await ok(world.server.call('updateService', { path: { target: attester }, json, token: world.root }));
    await ok(world.server.call('deleteResource', { path: { target: `${KMS}.old` }, token: world.root }), 204);
    await ok(wallet.push(), 201);
    await ok((await attestedWallet({ issuer, attester })).wallet.push(), 201);
    world.server.clock.advance(661_000);
    expect(said(await wallet.push())).to.deep.equal(REFUSED);
  });

  it('the issuer of another service does not believe it; nor what the key of the service signed elsewhere', async () => {
    await createAttester(world, {}, 'acme.t1.other');
    await ok(create('acme.t1.stranger', { securityProfile: 'HAIP', dependencies: [KMS, 'acme.t1.other'] }), 201);
    const { wallet } = await attestedWallet({ issuer: 'acme.t1.stranger' });
    expect(said(await wallet.push())).to.deep.equal(REFUSED);
    const claims = {
      sub: CLIENT,
      exp: Math.floor(world.server.clock.now() / 1000) + 600,
      cnf: { jwk: wallet.instance.jwk },
    };
    const protectedHeader = { typ: 'oauth-client-attestation+jwt' };
    const json = { protected: protectedHeader, payload: claims };
    const jws = await ok(world.post('signWithTenantKey', `${KMS}.attests`, json));
    wallet.tenant = { target: ISSUER, attestation: jws };
    expect(said(await wallet.push())).to.deep.equal(REFUSED);
  });

  it('the dependency of an issuer that demands attestations stays', async () => {
    const json = { dependency: ATTESTER };
    expect((await world.post('removeDependency', ISSUER, json)).status).to.equal(409);
  });

  describe('clientAuthenticationConfig and clientAttestationConfig', () => {
    const attester = makeHolderKey();
    const staticJwk = { type: 'static-jwk', jwk: { ...attester.jwk } };
    const ca = makeCertificate({ subject: 'CN=Attester CA', ca: true, keys: testKeys('P-256', 81) });
    const methods = (...supportedMethods: object[]) => ({ clientAuthenticationConfig: { supportedMethods } });
    const attestation = (verificationMethod: object | undefined, more: object = {}) => ({
      type: 'client-attestation',
      config: { ...(verificationMethod && { verificationMethod }), ...more },
    });
    const anonymous = { type: 'preauth-anonymous' };
    let issuers = 0;
    const issuer = async (changes: object) => {
      issuers += 1;
      const target = `acme.t1.translated${issuers}`;
      await ok(create(target, { dependencies: [KMS], ...changes }), 201);
      return target;
    };
    /** A wallet at an issuer, whose attestations another key signs. */
    function walletOf(target: string, key: HolderKey = attester): AttestedWallet {
      const wallet = new AttestedWallet({ server: world.server, attester: key }, CLIENT);
      wallet.tenant = { target };
      return wallet;
    }
    /** Redeems a new pre-authorized code. */
    async function redeemed(wallet: AttestedWallet, sent: Parameters<AttestedWallet['send']>[2]): Promise<Answer> {
      const offer = { profileId: 'identity', authMethod: 'PRE_AUTHORIZED', valueMode: 'BY_VALUE' };
      const { credentialOffer } = await ok(
        world.post('tenantCreateCredentialOffer', wallet.tenant?.target ?? '', offer),
        201,
      );
      const { grants } = JSON.parse(new URL(credentialOffer).searchParams.get('credential_offer') ?? '');
      const form = {
        grant_type: GRANT,
        'pre-authorized_code': grants[GRANT]['pre-authorized_code'],
        client_id: CLIENT,
      };
      return wallet.send('token', { form }, sent);
    }
    const NONE = { attestation: false, pop: false } as const;

    it('client-attestation: every wallet needs one, for pre-authorized codes too; metadata say so', async () => {
      const target = await issuer(methods(attestation(staticJwk)));
      const wallet = walletOf(target);
      await ok(wallet.push(), 201);
      expect(said(await wallet.push({}, NONE))).to.deep.equal(REFUSED);
      expect(said(await redeemed(wallet, NONE))).to.deep.equal(REFUSED);
      await ok(redeemed(wallet, {}));
      const metadata = await ok(world.server.call('tenantGetOpenid4vciServerMetadata', { path: { target } }));
      expect(metadata['pre-authorized_grant_anonymous_access_supported']).to.equal(false);
      expect(metadata.token_endpoint_auth_methods_supported).not.to.include('none');
    });

    it('with preauth-anonymous: pre-authorized codes and their refresh tokens need none', async () => {
      const target = await issuer(methods(anonymous, attestation(staticJwk)));
      const wallet = walletOf(target);
      expect(said(await wallet.push({}, NONE))).to.deep.equal(REFUSED);
      await ok(wallet.push(), 201);
      const { refresh_token: refresh } = await ok(redeemed(wallet, NONE));
      await ok(wallet.refresh(refresh, {}, NONE));
      const metadata = await ok(world.server.call('tenantGetOpenid4vciServerMetadata', { path: { target } }));
      expect(metadata['pre-authorized_grant_anonymous_access_supported']).to.equal(true);
    });

    it('preauth-anonymous alone demands nothing', async () => {
      const wallet = walletOf(await issuer(methods(anonymous)));
      await ok(wallet.push({}, NONE), 201);
      await ok(redeemed(wallet, NONE));
    });

    it('x509-chain: what a certified key signed is believed, and nothing else', async () => {
      const leafKeys = testKeys('P-256', 82);
      const leaf = makeCertificate({ subject: 'CN=Attester', issuer: ca, keys: leafKeys });
      const method = { type: 'x509-chain', trustedRootCertificatesPem: [ca.pem] };
      const wallet = walletOf(await issuer(methods(attestation(method))));
      expect(said(await wallet.push())).to.deep.equal(REFUSED);
      const header = { x5c: [Buffer.from(leaf.der).toString('base64')] };
      const key = { ...attester, privateKey: leafKeys.privateKey };
      await ok(wallet.push({}, { attestation: { header, key } }), 201);
    });

    it('key-reference: the key of a kms is read when it is used', async () => {
      const reference = `${KMS}.referenced`;
      await ok(world.post('importTenantKey', reference, attester.privateKey.export({ format: 'jwk' })), 201);
      const wallet = walletOf(await issuer(methods(attestation({ type: 'key-reference', reference }))));
      await ok(wallet.push(), 201);
      await ok(world.server.call('deleteResource', { path: { target: reference }, token: world.root }), 204);
      expect(said(await wallet.push())).to.deep.equal(REFUSED);
    });

    it('without a verification method the client attester among the dependencies is believed', async () => {
      const target = await issuer({ ...methods({ type: 'client-attestation' }), dependencies: [KMS, ATTESTER] });
      const { wallet } = await attestedWallet({ issuer: target });
      await ok(wallet.push(), 201);
      expect(said(await wallet.push({}, NONE))).to.deep.equal(REFUSED);
    });

    it('clientAttestationConfig: demanded unless it is not required', async () => {
      const demanding = walletOf(await issuer({ clientAttestationConfig: { verificationMethod: staticJwk } }));
      await ok(demanding.push(), 201);
      expect(said(await demanding.push({}, NONE))).to.deep.equal(REFUSED);
      const optional = { clientAttestationConfig: { required: false, verificationMethod: staticJwk } };
      const wallet = walletOf(await issuer(optional));
      await ok(wallet.push({}, NONE), 201);
      expect(said(await wallet.push({}, { attestation: { key: makeHolderKey() } }))).to.deep.equal(REFUSED);
    });

    it('clockSkewSeconds and replayWindowSeconds are the bounds of attestation and proof', async () => {
      const times = { clockSkewSeconds: 10, replayWindowSeconds: 30 };
      const wallet = walletOf(await issuer(methods(attestation(staticJwk, times))));
      const now = Math.floor(world.server.clock.now() / 1000);
      const pushed = async (sent: Parameters<AttestedWallet['push']>[1]) => (await wallet.push({}, sent)).status;
      expect(await pushed({ attestation: { claims: { exp: now - 9 } } })).to.equal(201);
      expect(await pushed({ attestation: { claims: { exp: now - 11 } } })).to.equal(401);
      expect(await pushed({ pop: { claims: { iat: now - 29 } } })).to.equal(201);
      expect(await pushed({ pop: { claims: { iat: now - 32 } } })).to.equal(401);
      expect(await pushed({ pop: { claims: { iat: now + 12 } } })).to.equal(401);
    });

    const place = 'clientAuthenticationConfig/supportedMethods';
    const CASES: Record<string, [changes: object, field: string]> = {
      'with clientAttesters': [
        { ...methods(attestation(staticJwk)), clientAttesters: [{ jwks: { keys: [{ ...attester.jwk }] } }] },
        'clientAuthenticationConfig',
      ],
      'with both': [
        { ...methods(anonymous), clientAttestationConfig: { verificationMethod: staticJwk } },
        'clientAttestationConfig',
      ],
      'with no method': [methods(), place],
      'with a method twice': [methods(anonymous, anonymous), `${place}/1/type`],
      'with a method that is not known': [methods({ type: 'client-secret' }), `${place}/0/type`],
      'with a configuration of preauth-anonymous': [methods({ ...anonymous, config: {} }), `${place}/0/config`],
      'without a verification method': [
        methods({ type: 'client-attestation' }),
        `${place}/0/config/verificationMethod`,
      ],
      'with a private key': [
        methods(attestation({ type: 'static-jwk', jwk: attester.privateKey.export({ format: 'jwk' }) })),
        `${place}/0/config/verificationMethod/jwk`,
      ],
      'with a certificate that is none': [
        methods(attestation({ type: 'x509-chain', trustedRootCertificatesPem: ['x'] })),
        `${place}/0/config/verificationMethod/trustedRootCertificatesPem/0`,
      ],
      'with a key that does not exist': [
        methods(attestation({ type: 'key-reference', reference: `${KMS}.absent` })),
        `${place}/0/config/verificationMethod/reference`,
      ],
      'with anonymous wallets and HAIP': [
        { securityProfile: 'HAIP', ...methods(attestation(staticJwk), anonymous) },
        `${place}/1/type`,
      ],
      'that demands nothing, and HAIP': [
        { securityProfile: 'HAIP', clientAttestationConfig: { required: false, verificationMethod: staticJwk } },
        'clientAttestationConfig/required',
      ],
    };
    for (const [name, [changes, field]] of Object.entries(CASES))
      it(`400: ${name}`, async () => {
        const answer = await create('acme.t1.refused', { dependencies: [KMS], ...changes });
        expect([answer.status, ...fieldsOf(answer)], JSON.stringify(answer.body)).to.deep.equal([
          400,
          `/body/${field}`,
        ]);
      });
  });
});
