import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { KEY_TYPE_NAMES } from '../../../domain/jose/key-types.ts';
import type { KeyType } from '../../../ports/key-service.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

/** RFC 8037 appendix A.1. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const { d: _, ...PUBLIC_JWK } = JWK;
const KEY_ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const VAULT_KEY = 'https://vault.example.org/keys/one/0123456789abcdef0123456789abcdef';
const PRIVATE = /"(d|p|q|dp|dq|qi)":|PRIVATE KEY/;

const privatePem = (type: 'pkcs1' | 'pkcs8' | 'sec1') =>
  type === 'pkcs1'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type, format: 'pem' })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type, format: 'pem' });

describe('keys that come and go', () => {
  const server = useServer();
  let holder: WalletUser;
  let other: WalletUser;
  /** Has a key of every type, with these ids: large RSA keys take long to generate. */
  let keyring: WalletUser;
  const keyIds: string[] = [];
  before(async () => {
    [holder, other, keyring] = [await newWalletUser(server), await newWalletUser(server), await newWalletUser(server)];
    for (const keyType of KEY_TYPE_NAMES)
      keyIds.push((await keyring.call('generateWalletKey', { json: { keyType } })).body);
  });
  beforeEach(() => resetWallet(holder));
  const generate = async (keyType: KeyType): Promise<string> =>
    (await holder.call('generateWalletKey', { json: { keyType } })).body;
  const exported = async (keyId: string, query: Record<string, string> = {}, by = holder): Promise<string> =>
    (await by.call('exportWalletKey', { path: { keyId }, query })).body;
  const whole = async (keyId: string, by = holder) => JSON.parse(await exported(keyId, { loadPrivateKey: 'true' }, by));
  const count = async (): Promise<number> => (await holder.call('listWalletKeys')).body.length;

  describe('importWalletKey', () => {
    for (const contentType of ['text/plain', 'application/json', 'application/x-pem-file'])
      it(`201: imports a JWK labelled as ${contentType}`, async () => {
        const call = { text: JSON.stringify(JWK), contentType, query: { alias: 'from elsewhere' } };
        const { status, body } = await holder.call('importWalletKey', call);
        expect([status, body]).to.deep.equal([201, KEY_ID]);
        const listed = (await holder.call('listWalletKeys')).body.find(
          (key: { keyId: { id: string } }) => key.keyId.id === KEY_ID,
        );
        expect(listed).to.include({ algorithm: 'Ed25519', cryptoProvider: 'jwk', name: 'from elsewhere' });
      });

    for (const type of ['pkcs8', 'sec1', 'pkcs1'] as const)
      it(`201: imports a PEM in the form ${type}`, async () => {
        const pem = privatePem(type).toString();
        const contentType = type === 'sec1' ? 'application/json' : 'text/plain';
        const { status, body: keyId } = await holder.call('importWalletKey', { text: pem, contentType });
        expect(status).to.equal(201);
        const { d, x, n } = createPrivateKey(pem).export({ format: 'jwk' });
        expect(await whole(keyId)).to.include(type === 'pkcs1' ? { d, n } : { d, x });
      });

    it('201: imports what openssl writes, with the parameters of the curve before the key', async () => {
      const pem = execFileSync('openssl', ['ecparam', '-name', 'prime256v1', '-genkey'], { encoding: 'utf8' });
      expect(pem).to.contain('EC PARAMETERS');
      expect((await holder.call('importWalletKey', { text: pem })).status).to.equal(201);
    });

    it('201: imports what it exported as the same key, for every key type and both forms', () =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...KEY_TYPE_NAMES.filter((name) => !/^RSA\d/.test(name))),
          fc.constantFrom('JWK', 'PEM'),
          async (keyType, format) => {
            const keyId = await generate(keyType);
            const before = await whole(keyId);
            const text = await exported(keyId, { format, loadPrivateKey: 'true' });
            await holder.call('deleteWalletKey', { path: { keyId } });
            const { status, body } = await holder.call('importWalletKey', { text });
            expect([status, body]).to.deep.equal([201, keyId]);
            expect(await whole(keyId)).to.deep.equal(before);
          },
        ),
        { numRuns: 16 },
      ));

    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    const privateJwk = privateKey.export({ format: 'jwk' });
    const encrypted = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' });
    const legacy = privateKey.export({ type: 'sec1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const x25519 = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    const shortRsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' });
    const cases: [string, string, string][] = [
      ['a public JWK', JSON.stringify(PUBLIC_JWK), 'd is missing'],
      ['a public PEM', publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'one private key'],
      ['an encrypted PEM', encrypted.toString(), 'encrypted'],
      ['an encrypted PEM of the old form', legacy.toString(), 'encrypted'],
      ['two keys in one PEM', `${pem}${pem}`, 'one private key'],
      ['a PEM that is cut off', pem.slice(0, 80), 'supported type'],
      ['a PEM of a key that cannot sign', x25519.toString(), 'not supported'],
      ['a short RSA key', JSON.stringify(shortRsa), 'not supported'],
      ['a symmetric key', JSON.stringify({ kty: 'oct', k: 'AAAA' }), 'kty'],
      ['a JWK with a foreign public part', JSON.stringify({ ...foreign, d: privateJwk.d }), 'do not belong together'],
      ['a JWK that is cut off', '{"kty":"OKP"', 'JSON'],
      ['a JWK with a repeated member', `{"kty":"OKP",${JSON.stringify(JWK).slice(1)}`, 'member'],
    ];
    for (const [name, text, reason] of cases)
      it(`400: refuses ${name} and stores nothing`, async () => {
        const { status, body } = await holder.call('importWalletKey', { text });
        expect(status).to.equal(400);
        expect(body.message).to.contain(reason);
        expect(JSON.stringify(body)).not.to.contain(String(privateJwk.d)).and.not.to.contain('MIG');
        expect(await count()).to.equal(1);
      });

    it('400: an imported pair belongs together: a key whose public part is another one is refused', () =>
      fc.assert(
        fc.asyncProperty(fc.constantFrom('P-256', 'P-384', 'P-521', 'secp256k1'), async (namedCurve) => {
          const [one, two] = [1, 2].map(() =>
            generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'jwk' }),
          );
          const text = JSON.stringify({ ...one, d: (two as JsonWebKey).d });
          expect((await holder.call('importWalletKey', { text })).status).to.equal(400);
          expect(await count()).to.equal(1);
        }),
        { numRuns: 12 },
      ));

    it('409: refuses a key that the wallet has; of many concurrent calls exactly one succeeds', async () => {
      const { privateKey: fresh } = generateKeyPairSync('ed25519');
      const text = JSON.stringify(fresh.export({ format: 'jwk' }));
      const call = () => holder.call('importWalletKey', { text });
      const statuses = (await Promise.all(Array.from({ length: 10 }, call))).map(({ status }) => status);
      expect(statuses.toSorted()).to.deep.equal([201, ...Array(9).fill(409)]);
    });

    for (const text of ['-- not a key --', '"text"', 'ssh-ed25519 AAAA'])
      it(`415: refuses a text that is neither JWK nor PEM: ${text}`, async () => {
        expect((await holder.call('importWalletKey', { text })).status).to.equal(415);
      });
  });

  describe('loadWalletKey', () => {
    it('200: gives the public JWK of every key type', async () => {
      for (const keyId of keyIds) {
        const { status, body } = await keyring.call('loadWalletKey', { path: { keyId } });
        expect([status, body]).to.deep.equal([200, JSON.parse(await exported(keyId, {}, keyring))]);
        expect(JSON.stringify(body)).not.to.match(PRIVATE);
      }
    });

    it('200: shows nothing of an imported key that is private', async () => {
      await holder.call('importWalletKey', { text: JSON.stringify(JWK) });
      const { status, body } = await holder.call('loadWalletKey', { path: { keyId: KEY_ID } });
      expect([status, body]).to.deep.equal([200, { ...PUBLIC_JWK, kid: KEY_ID }]);
    });

    it('404: for the key of another wallet, and for a key that is named by a URL', async () => {
      const foreign = (await other.call('listWalletKeys')).body[0].keyId.id;
      for (const keyId of [foreign, VAULT_KEY])
        for (const operation of [
          'loadWalletKey',
          'describeWalletKey',
          'exportWalletKey',
          'removeWalletKey',
          'deleteWalletKey',
        ])
          expect((await holder.call(operation, { path: { keyId } })).status, operation).to.equal(404);
    });
  });

  describe('describeWalletKey', () => {
    it('200: says where a key is and what it signs with, without key material', async () => {
      const keyId = (await holder.call('generateWalletKey', { json: { keyType: 'secp384r1', name: 'work' } })).body;
      const { status, body } = await holder.call('describeWalletKey', { path: { keyId } });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ type: 'jwk', keyId, keyType: 'secp384r1', algorithm: 'ES384', name: 'work' });
      expect(Object.keys(body)).to.have.members(['type', 'keyId', 'keyType', 'algorithm', 'name', 'createdOn']);
      const [first] = (await holder.call('listWalletKeys')).body;
      const unnamed = await holder.call('describeWalletKey', { path: { keyId: first.keyId.id } });
      expect(unnamed.body).not.to.have.property('name');
    });
  });

  describe('exportWalletKey', () => {
    it('200: exports the whole key when that is asked for', async () => {
      await holder.call('importWalletKey', { text: JSON.stringify(JWK) });
      expect(await whole(KEY_ID)).to.deep.equal({ ...JWK, kid: KEY_ID });
    });

    it('200: exports the public part as JWK unless more is asked for', async () => {
      await holder.call('importWalletKey', { text: JSON.stringify(JWK) });
      const { body, headers } = await holder.call('exportWalletKey', { path: { keyId: KEY_ID } });
      expect(JSON.parse(body)).to.deep.equal({ ...PUBLIC_JWK, kid: KEY_ID });
      expect(headers.get('cache-control')).to.equal('no-store');
    });

    it('200: a public export has no private member, for every key type and both forms', async () => {
      for (const keyId of keyIds)
        for (const format of ['JWK', 'PEM']) {
          const text = await exported(keyId, { format, loadPrivateKey: 'false' }, keyring);
          expect(text).not.to.match(PRIVATE);
          const key =
            format === 'PEM' ? createPublicKey(text) : createPublicKey({ key: JSON.parse(text), format: 'jwk' });
          const { x, n } = key.export({ format: 'jwk' });
          expect(await whole(keyId, keyring)).to.include(n ? { n } : { x });
        }
    });

    it('400: refuses another format', async () => {
      const { status, body } = await holder.call('exportWalletKey', {
        path: { keyId: 'any' },
        query: { format: 'DER' },
      });
      expect([status, body.details[0].path]).to.deep.equal([400, '/query/format']);
    });
  });

  describe('removeWalletKey', () => {
    it('202: removes a key from the wallet', async () => {
      const keyId = await generate('Ed25519');
      expect((await holder.call('removeWalletKey', { path: { keyId } })).status).to.equal(202);
      expect(await count()).to.equal(1);
    });

    it('400: refuses to remove a key that a DID uses and names the DID', async () => {
      const [{ keyId }] = (await holder.call('listWalletKeys')).body;
      const { status, body } = await holder.call('removeWalletKey', { path: { keyId: keyId.id } });
      expect(status).to.equal(400);
      expect(body.message).to.include(holder.did);
    });
  });
});
