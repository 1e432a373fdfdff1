import { expect } from 'chai';
import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { PeerRequest } from '../../actors/http-peer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const ENC = 'A256GCM';
const METADATA = '/issuer/.well-known/openid-credential-issuer';
const CREDENTIAL = '/issuer/credential';

describe('an issuer that requires encryption', () => {
  const server = useServer();
  let holder: WalletUser;
  let issuer: TestIssuer;
  /** What the issuer saw of each request: its media type and, decrypted, its content. */
  let seen: { type: string | undefined; request: Record<string, unknown> }[];
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
    seen = [];
  });
  afterEach(() => issuer.close());

  const accept = () => holder.call('acceptCredentialOffer', { text: issuer.link() });

  /** Publishes `metadata`, takes encrypted requests, and encrypts where a request asks for that unless `isPlain`. */
  async function demand(metadata: object, { isPlain = false } = {}): Promise<void> {
    const { routes } = issuer.peer;
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
    const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ECDH-ES', use: 'enc' };
    const [published, deliver] = [routes[METADATA], routes[CREDENTIAL]];
    const text = JSON.stringify(metadata).replace('"KEY"', JSON.stringify(key));
    routes[METADATA] = async (request) => ({
      body: { ...Object((await published?.(request))?.body), ...JSON.parse(text) },
    });
    const opened = async ({ headers, body }: PeerRequest): Promise<string> => {
      if (headers['content-type'] !== 'application/jwt') return body;
      const { plaintext, protectedHeader } = await compactDecrypt(body, privateKey);
      expect(protectedHeader).to.include({ alg: 'ECDH-ES', enc: ENC, kid: 'one' });
      return new TextDecoder().decode(plaintext);
    };
    routes[CREDENTIAL] = async (request) => {
      const body = await opened(request);
      const content = JSON.parse(body);
      seen.push({ type: request.headers['content-type'], request: content });
      const reply = (await deliver?.({ ...request, body })) ?? {};
      const { jwk, enc } = content.credential_response_encryption ?? {};
      if (!jwk || isPlain || (reply.status ?? 200) >= 400) return reply;
      const message = new CompactEncrypt(new TextEncoder().encode(JSON.stringify(reply.body)));
      const header = { alg: jwk.alg, enc, kid: jwk.kid };
      const jwe = await message.setProtectedHeader(header).encrypt(await importJWK(jwk));
      return { headers: { 'content-type': 'application/jwt' }, body: jwe };
    };
  }

  const response = { alg_values_supported: ['ECDH-ES'], enc_values_supported: [ENC], encryption_required: true };
  const request = { jwks: { keys: ['KEY'] }, enc_values_supported: [ENC] };

  it('acceptCredentialOffer 200: in 1.0 the response is encrypted, and so is the request that has the key for it', async () => {
    Object.assign(issuer.behaviour, { nonces: 'endpoint', staleProofs: 1 });
    const metadata = { ...request, encryption_required: false };
    await demand({ credential_response_encryption: response, credential_request_encryption: metadata });
    const { status, body } = await accept();
    expect(status, JSON.stringify(body)).to.equal(200);
    const keys = seen.map(({ request }) => Object(request.credential_response_encryption).jwk);
    expect(seen.map(({ type }) => type)).to.deep.equal(['application/jwt', 'application/jwt']);
    expect(keys[0]).to.have.keys('kty', 'crv', 'x', 'y', 'kid', 'use', 'alg');
    expect(keys[0].kid).not.to.equal(keys[1].kid);
  });

  it('acceptCredentialOffer 200: in 1.0 only the request is encrypted where only that is required', async () => {
    issuer.behaviour.nonces = 'endpoint';
    const metadata = { ...request, encryption_required: true };
    await demand({ credential_request_encryption: metadata });
    expect((await accept()).status).to.equal(200);
    expect(seen.map(({ type, request: sent }) => [type, sent.credential_response_encryption])).to.deep.equal([
      ['application/jwt', undefined],
    ]);
  });

  it('acceptCredentialOffer 200: in draft 13 the response is encrypted, and the request names alg beside the key', async () => {
    await demand({ credential_response_encryption: response });
    expect((await accept()).status).to.equal(200);
    const [{ type, request: sent } = { type: '', request: {} }] = seen;
    expect(type).to.equal('application/json');
    expect(sent.credential_response_encryption).to.include({ alg: 'ECDH-ES', enc: ENC });
  });

  it('acceptCredentialOffer 200: nothing is encrypted where it is not required', async () => {
    const optional = { ...response, encryption_required: false };
    await demand({ credential_response_encryption: optional });
    expect((await accept()).status).to.equal(200);
    expect(seen[0]?.request).not.to.have.property('credential_response_encryption');
  });

  it('acceptCredentialOffer 400: an encryption that the wallet does not have is refused before anything is sent', async () => {
    await demand({ credential_response_encryption: { ...response, alg_values_supported: ['RSA-OAEP-256'] } });
    const { status, body } = await accept();
    expect([status, seen]).to.deep.equal([400, []]);
    expect(body.message).to.include('requires an encryption that this wallet does not have');
  });

  it('acceptCredentialOffer 502: a plain answer in place of an encrypted one is not taken', async () => {
    await demand({ credential_response_encryption: response }, { isPlain: true });
    expect((await accept()).status).to.equal(502);
    expect((await holder.call('listWalletCredentials')).body).to.deep.equal([]);
  });
});
