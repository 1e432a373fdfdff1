import { expect } from 'chai';
import { exportJWK, generateKeyPair } from 'jose';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { EncryptingWallet, type Encryption } from '../../actors/encrypting-wallet.ts';
import { DEGREE, FinalIssuance } from '../../actors/openid4vci.ts';
import { decodeJwt } from '../../actors/wallet.ts';

const CREDENTIAL = 'requestOpenid4vciCredential';
const DEFERRED = 'requestOpenid4vciDeferredCredential';

describe('OpenID4VCI 1.0, encrypted requests and responses', () => {
  let issuance: FinalIssuance;
  let wallet: EncryptingWallet;
  const holder = makeHolderKey();
  before(async () => {
    issuance = await FinalIssuance.start();
    wallet = await EncryptingWallet.create(issuance.server);
  });
  after(() => issuance.close());

  const request = async (nonce?: string) => ({
    credential_configuration_id: DEGREE,
    proofs: { jwt: [issuance.proof(holder, { nonce: nonce ?? (await issuance.nonce()) })] },
  });
  const claim = async (token: string, encryption?: Encryption) =>
    wallet.send(CREDENTIAL, token, await wallet.seal(await request(), encryption));

  it('the metadata has one key with an id, the algorithms, and requires nothing', async () => {
    const { body } = await issuance.server.call('getOpenid4vciIssuerMetadata');
    const { jwks, ...values } = body.credential_request_encryption;
    const supported = { enc_values_supported: ['A128GCM', 'A256GCM'], zip_values_supported: ['DEF'] };
    expect(values).to.deep.equal({ ...supported, encryption_required: false });
    expect(jwks.keys).to.have.length(1);
    expect(jwks.keys[0]).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'use', 'alg');
    expect(body.credential_response_encryption).to.deep.equal({
      alg_values_supported: ['ECDH-ES'],
      ...supported,
      encryption_required: false,
    });
    const { keys } = (await issuance.server.call('listOpenid4vciKeys')).body;
    expect(keys.map(({ kid }: { kid: string }) => kid)).to.not.include(jwks.keys[0].kid);
  });

  const ways: [string, Encryption][] = [
    ['A128GCM', { header: { enc: 'A128GCM' }, response: { enc: 'A128GCM' } }],
    ['A256GCM', { header: { enc: 'A256GCM' }, response: { enc: 'A256GCM' } }],
    ['compression in both directions', { header: { zip: 'DEF' }, response: { zip: 'DEF' } }],
  ];
  for (const [title, encryption] of ways)
    it(`200: the credential in an encrypted response, with ${title}`, async () => {
      const answer = await claim(await issuance.access(), encryption);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      const { header, members } = await wallet.open(answer);
      const { enc = 'A256GCM', zip } = { ...encryption.response } as Record<string, unknown>;
      expect(header).to.include({ alg: 'ECDH-ES', enc, kid: 'wallet-1' });
      expect(header.zip).to.equal(zip);
      expect(decodeJwt(members.credentials[0].credential).claims.sub).to.equal(holder.did);
      expect(members.notification_id).to.be.a('string');
    });

  it('200: keys of P-384 and P-521; and a plain response to an encrypted request that asks for none', async () => {
    for (const crv of ['P-384', 'P-521']) {
      const other = await EncryptingWallet.create(issuance.server, crv);
      const jwe = await other.seal(await request());
      const { members } = await other.open(await other.send(CREDENTIAL, await issuance.access(), jwe));
      expect(members.credentials).to.have.length(1);
    }
    const plain = await claim(await issuance.access(), { response: null });
    expect(plain.headers.get('content-type')).to.match(/^application\/json/);
    expect(plain.body.credentials).to.have.length(1);
  });

  it('200: a wallet that lost the answer gets the same credential under another key', async () => {
    const token = await issuance.access();
    const first = await wallet.open(await claim(token));
    const other = await EncryptingWallet.create(issuance.server);
    const again = await other.open(await other.send(CREDENTIAL, token, await other.seal(await request())));
    expect(again.members).to.deep.equal(first.members);
  });

  it('202 and 200: a deferred credential, each answer under the key of its own request', async () => {
    const token = await issuance.access({ isDeferred: true });
    const promised = await claim(token);
    expect(promised.status).to.equal(202);
    const { transaction_id } = (await wallet.open(promised)).members;
    const other = await EncryptingWallet.create(issuance.server);
    const collected = await other.send(DEFERRED, token, await other.seal({ transaction_id }));
    expect(collected.status).to.equal(200);
    expect((await other.open(collected)).members.credentials).to.have.length(1);
    const plain = await issuance.server.call(DEFERRED, { token, json: { transaction_id } });
    expect(plain.body.credentials).to.have.length(1);
  });

  it('400: errors are never encrypted', async () => {
    const token = await issuance.access();
    const jwe = await wallet.seal({ credential_configuration_id: 'Other', proofs: { jwt: ['a'] } });
    const { status, body } = await wallet.send(CREDENTIAL, token, jwe);
    expect([status, body.error]).to.deep.equal([400, 'unknown_credential_configuration']);
  });

  const refused: [string, () => Encryption | Promise<Encryption>][] = [
    ['an unknown kid', () => ({ header: { kid: 'unknown' } })],
    ['no kid', () => ({ header: { kid: undefined } })],
    ['another alg', () => ({ header: { alg: 'ECDH-ES+A128KW' } })],
    ['another enc', () => ({ header: { enc: 'A128CBC-HS256' } })],
    ['another key under our kid', async () => ({ key: { ...(await freshKey()), kid: await ourKid() } })],
    ['no jwk', () => ({ response: { jwk: undefined } })],
    ['no enc', () => ({ response: { enc: undefined } })],
    ['an unsupported enc of the response', () => ({ response: { enc: 'UNSUPPORTED_ENC' } })],
    ['an unsupported zip of the response', () => ({ response: { zip: 'GZ' } })],
    ['a jwk without alg', () => ({ response: { jwk: { ...wallet.jwk, alg: undefined } } })],
    ['a jwk of another alg', () => ({ response: { jwk: { ...wallet.jwk, alg: 'RSA-OAEP' } } })],
    ['a jwk for signatures', () => ({ response: { jwk: { ...wallet.jwk, use: 'sig' } } })],
    ['a private jwk', () => ({ response: { jwk: { ...wallet.jwk, d: wallet.jwk.x } } })],
    ['a jwk that is no point', () => ({ response: { jwk: { ...wallet.jwk, y: wallet.jwk.x } } })],
    ['a jwk of another kind', () => ({ response: { jwk: { kty: 'oct', k: 'AAAA', alg: 'ECDH-ES' } } })],
  ];
  const freshKey = async () => exportJWK((await generateKeyPair('ECDH-ES')).publicKey);
  const ourKid = async () => (await wallet.issuerKey()).kid;

  for (const [title, encryption] of refused)
    it(`400: invalid_encryption_parameters for ${title}; nothing is issued and the nonce stays good`, async () => {
      const token = await issuance.access();
      const nonce = await issuance.nonce();
      const jwe = await wallet.seal(await request(nonce), await encryption());
      const { status, body } = await wallet.send(CREDENTIAL, token, jwe);
      expect([status, body.error], JSON.stringify(body)).to.deep.equal([400, 'invalid_encryption_parameters']);
      expect((await issuance.claimFor(token, [holder], nonce)).status).to.equal(200);
    });

  it('400: for what is no JWE, a response asked for in a plain request, and no object', async () => {
    const token = await issuance.access();
    for (const text of ['a', 'a.b.c', 'a.b.c.d.e', 'a.b.c.d.e.f', `${await wallet.seal('{}')}A`])
      expect((await wallet.send(CREDENTIAL, token, text)).body.error, text).to.equal('invalid_encryption_parameters');
    const wanted = { credential_response_encryption: { jwk: wallet.jwk, enc: 'A128GCM' } };
    for (const [operationId, json] of [
      [CREDENTIAL, { ...(await request()), ...wanted }],
      [DEFERRED, { transaction_id: 'x', ...wanted }],
    ] as const)
      expect((await issuance.server.call(operationId, { token, json })).body.error).to.equal(
        'invalid_encryption_parameters',
      );
    for (const text of ['[]', '"a"', 'no JSON', '{"a":1,"a":2}'])
      expect((await wallet.send(CREDENTIAL, token, await wallet.seal(text))).body.error, text).to.equal(
        'invalid_credential_request',
      );
  });

  it('400: a small request that inflates beyond 2 MiB', async () => {
    const token = await issuance.access();
    const jwe = await wallet.seal(JSON.stringify({ a: 'x'.repeat(8_000_000) }), { header: { zip: 'DEF' } });
    expect(jwe.length).to.be.lessThan(20_000);
    const { status, body } = await wallet.send(CREDENTIAL, token, jwe);
    expect([status, body.error]).to.deep.equal([400, 'invalid_encryption_parameters']);
  });

  it('200: an instance that starts later on the store decrypts with the same key', async () => {
    const { kid } = await wallet.issuerKey();
    const other = await FinalIssuance.startBeside(issuance);
    const elsewhere = await EncryptingWallet.create(other);
    expect((await elsewhere.issuerKey()).kid).to.equal(kid);
    const jwe = await wallet.seal({ transaction_id: 'unknown' });
    const { body } = await elsewhere.send(DEFERRED, await issuance.access(), jwe);
    expect(body.error).to.equal('invalid_transaction_id');
    await other.close();
  });
});
