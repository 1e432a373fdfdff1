import { expect } from 'chai';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { signingContract } from '../contract/signing.contract.ts';
import { outcomeOf } from '../support/kms/aws-trial.ts';
import { useLargeKeys } from '../support/kms/large-keys.ts';
import { useFakeVault } from '../support/kms/vault.ts';
import { until } from '../support/runs/waiting.ts';

const keyTypes = KEY_TYPE_NAMES.filter((name) => KEY_TYPES[name].backends.includes('tse'));
const keyType = 'secp256r1' as const;
const DATA = Buffer.from('data');

describe('HashiCorp Vault', () => {
  useLargeKeys();
  const under = useFakeVault({ namespace: 'registry/eu', tokenSeconds: 1000 });

  signingContract('tse (HashiCorp Vault, Transit)', async () => ({
    ...under.open(),
    spelling: 'tse',
    keyTypes,
    config: under.fake.config,
  }));

  const paths = () => under.fake.server.calls.map(({ method, path }) => `${method} ${path.replace('/v1/', '')}`);
  const create = (config = under.fake.config, options = {}): Promise<KeyReference> =>
    under.open(options).backends.create('vault', { keyType, config });

  describe('keys', () => {
    it('are created so that no private key leaves, with the id of the request in their names', async () => {
      const turn = { source: '192.0.2.1', requestId: 'request-1' };
      const { backends } = under.open();
      const reference = await backends.create('tse', { keyType, config: under.fake.config, turn });
      expect(reference.id).to.match(/^credenza-request-1-[0-9a-f-]{36}\/1$/);
      const { body } = under.fake.server.calls[1] ?? {};
      expect(JSON.parse(String(body))).to.deep.equal({
        type: 'ecdsa-p256',
        exportable: false,
        allow_plaintext_backup: false,
      });
      expect(paths()).to.deep.equal(['POST auth/approle/login', `POST transit/keys/${reference.id.slice(0, -2)}`]);
    });

    it('a signature is one call, over a digest, as JWS has it', async () => {
      const { backends } = under.open();
      const reference = await backends.create('tse', { keyType, config: under.fake.config });
      under.fake.server.reset();
      await backends.signer(reference).sign(DATA);
      expect(paths()).to.deep.equal([`POST transit/sign/${reference.id.slice(0, -2)}`]);
      const { input, ...options } = JSON.parse(String(under.fake.server.calls[0]?.body));
      expect(Buffer.from(input, 'base64')).to.have.length(32);
      expect(options).to.deep.equal({
        key_version: 1,
        prehashed: true,
        hash_algorithm: 'sha2-256',
        marshaling_algorithm: 'jws',
      });
    });

    it('that are rotated go on to sign by references that name a version; one without signs with the latest', async () => {
      const { backends } = under.open();
      const reference = await backends.create('tse', { keyType, config: under.fake.config });
      const [name = ''] = reference.id.split('/');
      const unversioned = { ...under.fake.config, type: 'tse', id: name };
      const before = await backends.read(unversioned);
      await under.fake.rotate(name);
      await backends.signer(reference).sign(DATA);
      const stale = await outcomeOf(backends.signer(before).sign(DATA));
      expect(stale).to.include({ code: 'BadRequest', field: '_publicKey' });
      const next = await backends.read(unversioned);
      await backends.signer(next).sign(DATA);
      expect(next.publicJwk).to.not.deep.equal(reference.publicJwk);
    });

    it('a version that may sign no more: 400 naming id', async () => {
      const { backends } = under.open();
      const reference = await backends.create('tse', { keyType, config: under.fake.config });
      const [name = ''] = reference.id.split('/');
      await under.fake.rotate(name);
      Object.assign(under.fake.transit.keys.get(name) ?? {}, { minEncryptionVersion: 2 });
      const outcome = await outcomeOf(backends.signer(reference).sign(DATA));
      expect(outcome).to.include({ code: 'BadRequest', field: 'id' });
      expect(outcome.message).to.include('less than the minimum encryption key version');
    });

    it('are deleted, also twice; what is not there is refused naming id', async () => {
      const { backends } = under.open();
      const reference = await backends.create('tse', { keyType, config: under.fake.config });
      await backends.remove(reference);
      expect(under.fake.transit.keys.has(reference.id.slice(0, -2))).to.equal(false);
      await backends.remove(reference);
      const outcome = await outcomeOf(backends.signer(reference).sign(DATA));
      expect(outcome).to.include({ code: 'BadRequest', field: 'id' });
      const read = await outcomeOf(backends.read({ ...under.fake.config, type: 'tse', id: 'absent' }));
      expect(read).to.include({ code: 'BadRequest', field: 'id' });
    });

    it('a name that exists: 400 naming config.name, and the key stays as it is', async () => {
      const config = { ...under.fake.config, name: 'issuer-1' };
      expect((await create(config)).id).to.equal('issuer-1/1');
      expect(await outcomeOf(create(config))).to.include({ code: 'BadRequest', field: 'config.name' });
      // Of two at once the second is refused by Vault itself.
      const twice = { ...config, name: 'issuer-2' };
      const codes = await Promise.all([create(twice), create(twice)].map(async (one) => (await outcomeOf(one)).code));
      expect(codes.sort()).to.deep.equal(['BadRequest', 'done']);
      expect(under.fake.transit.keys.has('issuer-2')).to.equal(true);
    });

    it('whose creation ended without an answer are removed', async () => {
      const before = under.fake.transit.keys.size;
      under.fake.server.fault(2, { kind: 'cut', after: true });
      expect((await outcomeOf(create())).code).to.equal('UpstreamFailed');
      expect(under.fake.transit.keys.size).to.equal(before);
    });
  });

  describe('credentials', () => {
    it('a wrong secret of the role: 400 naming auth, and no secret in any text', async () => {
      const { auth, ...config } = under.fake.config as { auth: object };
      const secretId = 'not-the-secret-of-the-role';
      const outcome = await outcomeOf(create({ ...config, auth: { ...auth, secretId } }));
      expect(outcome).to.include({ code: 'BadRequest', field: 'config.auth' });
      expect(outcome.message).to.include('invalid role or secret ID');
      expect(JSON.stringify(outcome)).to.not.include(secretId);
    });

    it('a missing permission: 400 naming auth, after one more login', async () => {
      under.fake.transit.denied.add('POST /v1/transit/keys');
      expect(await outcomeOf(create())).to.include({ code: 'BadRequest', field: 'config.auth' });
      const login = 'POST auth/approle/login';
      expect(paths().filter((path) => path === login)).to.have.length(2);
    });

    it('a login is used for all that follows, and replaced when Vault refuses it', async () => {
      const { backends } = under.open();
      const reference = await backends.create('tse', { keyType, config: under.fake.config });
      const sign = async (): Promise<string[]> => {
        under.fake.server.reset();
        await backends.signer(reference).sign(DATA);
        return paths().map((path) => path.replace(/[^/]*$/, ''));
      };
      const [signed, loggedIn] = ['POST transit/sign/', 'POST auth/approle/'];
      expect(await sign()).to.deep.equal([signed]);
      under.fake.tokens.revoke();
      expect(await sign()).to.deep.equal([signed, loggedIn, signed]);
    });

    it('a token of the caller is used and renewed; one that Vault refuses is 400 naming auth', async () => {
      const token = under.fake.tokens.issue();
      const { backends } = under.open();
      const reference = await backends.create('tse', { keyType, config: under.fake.withToken(token) });
      await until(() => paths().includes('POST auth/token/renew-self'));
      under.fake.tokens.revoke();
      const outcome = await outcomeOf(backends.signer(reference).sign(DATA));
      expect(outcome).to.include({ code: 'BadRequest', field: 'config.auth' });
      expect(JSON.stringify(outcome)).to.not.include(token);
    });
  });

  describe('a Vault that does not answer as it should', () => {
    const answers: [string, () => void, object][] = [
      ['is sealed', () => Object.assign(under.fake.transit, { isSealed: true }), { code: 'UpstreamFailed' }],
      ['fails', () => under.fake.server.always({ kind: 'fail' }), { code: 'UpstreamFailed' }],
      ['is throttled', () => under.fake.server.always({ kind: 'throttle' }), { code: 'UpstreamFailed' }],
      ['speaks nonsense', () => under.fake.server.always({ kind: 'nonsense' }), { code: 'UpstreamFailed' }],
      [
        'is a standby',
        () => under.fake.server.always({ kind: 'refuse', status: 307, body: '' }),
        { code: 'UpstreamFailed' },
      ],
      ['hangs', () => under.fake.server.always({ kind: 'hang' }), { code: 'UpstreamTimeout' }],
    ];
    for (const [what, arrange, expected] of answers)
      it(`${what}: ${JSON.stringify(expected)}`, async () => {
        const reference = await create();
        const { backends } = under.open({ timeoutSeconds: 0.3 });
        arrange();
        const outcome = await outcomeOf(backends.signer(reference).sign(DATA));
        expect(outcome).to.include(expected);
        if (what === 'is sealed') expect(outcome.detail).to.include('Vault is sealed');
        if (what === 'is a standby') expect(outcome.detail).to.include('name the active node');
        under.fake.server.cutOff();
      });

    it('has no secrets engine at the place: 400 naming the configuration', async () => {
      const server = `${under.fake.server.url}/v1/elsewhere`;
      const outcome = await outcomeOf(create({ ...under.fake.config, server }));
      expect(outcome).to.include({ code: 'BadRequest', field: 'config' });
      expect(outcome.message).to.include('no handler for route');
    });
  });

  describe('the address', () => {
    it('by plain http: 400 before any call unless kms.conf allows it', async () => {
      const outcome = await outcomeOf(create(under.fake.config, { tse: { ...under.fake.settings, allowHttp: false } }));
      expect(outcome).to.include({ code: 'BadRequest', field: 'config.server' });
      expect(paths()).to.deep.equal([]);
    });

    it('that is not public: 400 before any call unless kms.conf names it', async () => {
      const outcome = await outcomeOf(create(under.fake.config, { tse: { allowHttp: true, servers: [] } }));
      expect(outcome).to.include({ code: 'AddressRefused', field: 'config.server' });
      expect(paths()).to.deep.equal([]);
    });
  });
});
