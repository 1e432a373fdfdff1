import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { identity, licence } from '../actors/issuance-formats.ts';
import { testFormats } from '../support/credentials/formats.ts';
import { offline } from '../support/credentials/sd-jwts.ts';
import { useServer } from '../support/servers/server.ts';
import { type Claims, keyOfDid, keyOfJwk, verified, verifiedByJwks } from './judge.ts';
import { type Accepted, HOLDERS, OutsideWallet } from './outside-wallet.ts';

const KEY_TYPES = ['Ed25519', 'secp256k1', 'secp256r1', 'secp384r1', 'secp521r1', 'RSA', 'RSA3072', 'RSA4096'];
const CONTEXTS = { 1: 'https://www.w3.org/2018/credentials/v1', 2: 'https://www.w3.org/ns/credentials/v2' } as const;
const MODELS = [1, 2] as const;

describe('an independent wallet, with protocol and cryptography of other libraries', () => {
  const server = useServer();
  /** The library knows `dc+sd-jwt` from draft 15 on, and then takes the issuer for one of that draft. */
  const later = useServer({
    settings: { issuerMetadata: { supportedCredentialTypes: { Card: { format: 'dc+sd-jwt', vct: 'urn:card:1' } } } },
  });

  interface Wish {
    model?: 1 | 2;
    type?: string;
    /** Whether the credential names its subject. */
    named?: boolean;
  }

  const wishOf = (issuer: Issuer, { model = 1, type = 'UniversityDegree', named = true }: Wish) => ({
    ...issuer,
    credentialConfigurationId: `${type}_jwt_vc_json`,
    credentialData: {
      '@context': [CONTEXTS[model]],
      type: ['VerifiableCredential', type],
      credentialSubject: { degree: { name: 'BSc' } },
    },
    mapping: {
      id: '<uuid>',
      issuer: { id: '<issuerDid>' },
      ...(named && { credentialSubject: { id: '<subjectDid>' } }),
      issuanceDate: '<timestamp>',
      expirationDate: '<timestamp-in:365d>',
    },
  });

  async function offer(issuer: Issuer, wish: Wish = {}): Promise<string> {
    const { status, body } = await server.call('issueJwtCredential', { json: wishOf(issuer, wish) });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }

  /** The claims of a credential, verified with the issuer's DID and with its key set. */
  async function judged(credential: string, { issuerDid }: Issuer): Promise<Claims> {
    const { kid = '' } = decodeProtectedHeader(credential);
    expect(kid.split('#')[0]).to.equal(issuerDid);
    const key = keyOfDid(kid);
    const { body: jwks } = await server.call('getIssuerKeys');
    const claims = await verified(credential, key);
    expect(await verifiedByJwks(credential, jwks, key)).to.deep.equal(claims);
    return claims;
  }

  function checkDegree({ vc, ...claims }: Claims, model: 1 | 2): void {
    const document = model === 1 ? vc : claims;
    expect(document['@context']).to.deep.equal([CONTEXTS[model]]);
    expect(document.credentialSubject.degree.name).to.equal('BSc');
    const [from, until] = model === 1 ? ['issuanceDate', 'expirationDate'] : ['validFrom', 'validUntil'];
    const seconds = (name = '') => Math.floor(Date.parse(document[name]) / 1000);
    expect([claims.nbf, claims.exp]).to.deep.equal([seconds(from), seconds(until)]);
    expect(claims.jti).to.equal(document.id);
  }

  for (const method of ['jwk', 'key'])
    for (const keyType of KEY_TYPES)
      it(`receives a degree signed with ${keyType} of a did:${method}, in both data models`, async () => {
        const issuer = await onboard(server, { key: { keyType }, did: { method } });
        const wallet = new OutsideWallet({ alg: 'ES256', binding: 'did:jwk' });
        for (const model of MODELS) {
          const { credentials } = await wallet.accept(await offer(issuer, { model }));
          const claims = await judged(credentials[0] ?? '', issuer);
          expect(claims).to.include({ iss: issuer.issuerDid, sub: wallet.did });
          checkDegree(claims, model);
        }
      });

  it('receives a degree of a did:web, whose key is in the key set under the kid of the credential', async () => {
    const did = { method: 'web', config: { domain: 'issuer.example', path: '/tenants/[random-uuid]' } };
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' }, did });
    const wallet = new OutsideWallet({ alg: 'EdDSA', binding: 'did:key' });
    const [credential = ''] = (await wallet.accept(await offer(issuer))).credentials;
    const [iss, kid] = (decodeProtectedHeader(credential).kid ?? '').split('#');
    const { keys } = (await server.call('getIssuerKeys')).body;
    const claims = await verified(credential, keyOfJwk(keys.find((jwk: { kid: string }) => jwk.kid === kid)));
    expect([claims.iss, iss]).to.deep.equal([issuer.issuerDid, issuer.issuerDid]);
  });

  for (const { alg, binding } of HOLDERS)
    it(`redeems an offer as ${alg} holder with a proof by ${binding}, then presents the credential to our verifier`, async () => {
      const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
      const wallet = new OutsideWallet({ alg, binding });
      for (const model of MODELS) {
        const accepted = await wallet.accept(await offer(issuer, { model, named: binding !== 'jwk' }));
        checkExchange(accepted);
        const [credential = ''] = accepted.credentials;
        const { sub } = await judged(credential, issuer);
        expect(sub || undefined).to.equal(binding === 'jwk' ? undefined : wallet.did);
        await show(wallet, { credential, model, issuer });
      }
    });

  function checkExchange({ offer: read, metadata, token }: Accepted): void {
    expect(read.credential_issuer).to.equal(`${server.url}/draft13`);
    expect(metadata.credentialIssuer.credential_issuer).to.equal(read.credential_issuer);
    expect(metadata.authorizationServers[0]?.token_endpoint).to.equal(`${server.url}/draft13/token`);
    expect(metadata.knownCredentialConfigurations).to.have.property('UniversityDegree_jwt_vc_json');
    expect(token.token_type.toLowerCase()).to.equal('bearer');
  }

  async function show(
    wallet: OutsideWallet,
    { credential, model, issuer }: { credential: string; model: 1 | 2; issuer: Issuer },
  ): Promise<void> {
    const url = await ask({
      request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }],
      vp_policies: ['signature', 'presentation-definition', ...(wallet.binding === 'jwk' ? [] : ['holder-binding'])],
      vc_policies: ['signature', 'expired', 'not-before', { policy: 'allowed-issuer', args: issuer.issuerDid }],
    });
    const read = await wallet.read(url);
    expect(read.client.prefix).to.equal('redirect_uri');
    expect(read.pex?.presentation_definition).to.have.property('input_descriptors');
    for (const form of MODELS) await submit(form === 1 ? url : await again(url), wallet, { credential, model, form });
  }

  async function submit(url: string, wallet: OutsideWallet, shown: { credential: string; model: number; form: 1 | 2 }) {
    const response = await wallet.present(url, [shown.credential], shown.form);
    const answer = await response.text();
    expect(response.status, answer).to.equal(200);
    const { body } = await server.call('getVerificationResult', { path: { state: stateOf(url) } });
    expect(body.verificationResult, JSON.stringify({ ...shown, ...body.policyResults })).to.equal(true);
  }

  const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? '';

  async function ask(json: object, headers: Record<string, string> = {}): Promise<string> {
    return (await server.call('startVerification', { json, headers })).body;
  }

  /** Another session with the same request. */
  async function again(url: string): Promise<string> {
    const path = { state: stateOf(url) };
    const { presentationDefinition } = (await server.call('getVerificationResult', { path })).body;
    return ask({ request_credentials: [], presentation_definition: presentationDefinition });
  }

  const card = (issuer: Issuer) => identity(issuer, { credentialConfigurationId: 'Card' });

  it('receives an SD-JWT VC and an mdoc, each bound to the key of its proof', async () => {
    for (const [at, operationId, request, format] of [
      [server, 'issueSdJwtCredential', identity, 'vc+sd-jwt'],
      [server, 'issueMdoc', licence, 'mso_mdoc'],
      [later, 'issueSdJwtCredential', card, 'dc+sd-jwt'],
      [later, 'issueMdoc', licence, 'mso_mdoc'],
    ] as const) {
      const issuer = await onboard(at, { key: { keyType: 'secp256r1' } });
      const wallet = new OutsideWallet({ alg: 'ES256', binding: 'jwk' });
      const { body: offer } = await at.call(operationId, { json: request(issuer) });
      const [credential = ''] = (await wallet.accept(offer)).credentials;
      const parsed = await testFormats.get(format).codec.parse(credential);
      expect(parsed.holder?.jwk, format).to.deep.include(wallet.publicJwk);
      expect(await parsed.verifyIssuer(offline), format).to.deep.include({ valid: true });
      if (format === 'mso_mdoc') continue;
      const claims = await verified(credential.split('~')[0] ?? '', keyOfDid(issuer.issuerDid));
      expect(claims).to.include({ iss: issuer.issuerDid, country: 'GB' }).and.to.not.have.property('given_name');
    }
  });

  it('receives all credentials of a batch with one token, each with the nonce of the previous answer', async () => {
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' }, did: { method: 'key' } });
    const types = ['UniversityDegree', 'OpenBadgeCredential', 'VerifiableId'];
    const json = types.map((type) => wishOf(issuer, { type }));
    const { body } = await server.call('issueJwtCredentialBatch', { json });
    const { credentials } = await new OutsideWallet({ alg: 'EdDSA', binding: 'did:key' }).accept(body);
    const claims = await Promise.all(credentials.map((credential) => judged(credential, issuer)));
    expect(claims.map(({ vc }) => vc.type.at(-1))).to.deep.equal(types);
  });

  it('presents two credentials for two descriptors and is redirected as the verifier requested', async () => {
    const issuer = await onboard(server);
    const wallet = new OutsideWallet({ alg: 'EdDSA', binding: 'did:key' });
    const types = ['UniversityDegree', 'VerifiableId'];
    const credentials: string[] = [];
    for (const type of types) credentials.push(...(await wallet.accept(await offer(issuer, { type }))).credentials);
    const successRedirectUri = 'https://shop.example/done/$id';
    const url = await ask({ request_credentials: types }, { successRedirectUri });
    const response = await wallet.present(url, credentials);
    expect(await response.json()).to.deep.equal({ redirect_uri: `https://shop.example/done/${stateOf(url)}` });
  });

  it('is refused with a presentation for another session, of another holder, or a second time', async () => {
    const issuer = await onboard(server);
    const wallet = new OutsideWallet({ alg: 'ES256', binding: 'did:key' });
    const thief = new OutsideWallet({ alg: 'ES256', binding: 'did:key' });
    const { credentials } = await wallet.accept(await offer(issuer));
    const asked = { request_credentials: ['UniversityDegree'], vp_policies: ['signature', 'holder-binding'] };
    const stolen = await ask(asked);
    expect((await thief.present(stolen, credentials)).status).to.equal(400);
    const path = { state: stateOf(stolen) };
    expect((await server.call('getVerificationResult', { path })).body.verificationResult).to.equal(false);
    const url = await ask(asked);
    expect((await wallet.present(url, credentials)).status).to.equal(200);
    expect((await wallet.present(url, credentials)).status).to.equal(409);
    const spent = await offer(issuer);
    await wallet.accept(spent);
    const second = await wallet.accept(spent).catch((error: unknown) => error);
    expect(second).to.be.instanceOf(Error);
  });
});
