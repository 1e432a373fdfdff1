import type { LookupFunction } from 'node:net';
import { expect } from 'chai';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import type { DomainError } from '../../domain/foundation/errors.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import type { Outbound, OutboundRequest } from '../../ports/outbound.ts';
import { useFakeAzure } from '../support/kms/azure.ts';

const SECP256R1 = 'secp256r1' as const;

/** The error of a promise: code, the path of the first field, message. */
const failure = (work: Promise<unknown>): Promise<{ code: string; path?: string; message: string }> =>
  work.then(
    () => ({ code: 'fulfilled', message: '' }),
    ({ code, details, message }: DomainError) => ({ code, path: details?.[0]?.path.join('.'), message }),
  );

describe('Azure Key Vault refuses', () => {
  const under = useFakeAzure();
  const { clock } = under;
  const auth = (more: object = {}) => ({ auth: { ...under.fake.config.auth, ...more } });
  const create = (config: Record<string, unknown>, options = {}) =>
    under.open(options).backends.create('kmsb', { keyType: SECP256R1, config });
  const calls = () => ({ vault: under.fake.vault.calls.length, authority: under.fake.authority.calls.length });
  const existing = (more: Record<string, unknown> = {}): Promise<KeyReference> =>
    create({ ...under.fake.config, ...more });
  const sign = (reference: KeyReference, options = {}) =>
    under.open(options).backends.signer(reference).sign(Buffer.from('data'));

  afterEach(() => {
    under.fake.content.keys.length = 0;
    for (const permission of ['get', 'create', 'delete', 'sign'] as const)
      under.fake.content.permissions.add(permission);
    under.fake.origin = under.fake.vault.url;
    under.fake.resource = under.fake.origin;
  });

  describe('credentials', () => {
    const wrong: [string, object, RegExp][] = [
      ['a wrong secret', { clientSecret: 'wrong-secret-of-the-test' }, /AADSTS7000215: Invalid client secret/],
      ['an unknown client', { clientId: '00000000-0000-4000-8000-000000000000' }, /AADSTS700016/],
      ['an unknown tenant', { tenantId: 'example.org' }, /AADSTS90002/],
    ];
    for (const [name, change, reason] of wrong)
      it(`${name}: 400 with the reason of the authority, redacted, after one call to it`, async () => {
        const error = await failure(create(auth(change)));
        expect(error).to.include({ code: 'BadRequest', path: 'config.auth' });
        expect(error.message)
          .to.match(reason)
          .and.not.match(/Trace ID/);
        for (const value of Object.values(change)) expect(error.message).to.not.include(value);
        expect(calls()).to.deep.equal({ vault: 1, authority: 1 });
        expect(under.fake.content.keys).to.deep.equal([]);
      });

    it('without the permission to create: 400, nothing is created', async () => {
      under.fake.content.permissions.delete('create');
      const error = await failure(create(under.fake.config));
      expect(error).to.include({ code: 'BadRequest', path: 'config.auth' });
      expect(error.message).to.include('does not have keys create permission');
      expect(calls()).to.deep.equal({ vault: 2, authority: 1 });
    });

    it('without the permission to sign: 400', async () => {
      const reference = await existing();
      under.fake.content.permissions.delete('sign');
      expect(await failure(sign(reference))).to.include({ code: 'BadRequest', path: 'config.auth' });
    });

    it('a challenge for another resource: 400, and the authority is not asked', async () => {
      for (const resource of ['https://graph.microsoft.com', 'https://vault.azure.net', 'no URL', '']) {
        under.fake.reset();
        under.fake.resource = resource;
        const error = await failure(create(under.fake.config));
        expect(error.code, resource).to.equal(resource === '' ? 'UpstreamFailed' : 'BadRequest');
        expect(calls(), resource).to.deep.equal({ vault: 1, authority: 0 });
      }
    });
  });

  describe('the URL of the vault', () => {
    it('on an address that is not public: 400 before any call', async () => {
      const urls = [
        'https://10.0.0.1',
        'https://169.254.169.254',
        'https://[::1]',
        'https://localhost',
        'https://127.1',
      ];
      for (const keyVaultUrl of urls) {
        const error = await failure(create(auth({ keyVaultUrl }), { allow: [] }));
        expect(error, keyVaultUrl).to.include({ code: 'AddressRefused', path: 'config.auth.keyVaultUrl' });
      }
      expect(calls()).to.deep.equal({ vault: 0, authority: 0 });
    });

    it('whose name resolves to such an address: 400, and no credentials are sent', async () => {
      const resolve: LookupFunction = (_name, _options, answer) => answer(null, [{ address: '10.0.0.1', family: 4 }]);
      const outbound = new GuardedOutbound({
        allow: [],
        publicUrl: 'http://own',
        metrics: new PrometheusMetrics(),
        resolve,
      });
      const error = await failure(create(auth({ keyVaultUrl: 'https://a.vault.azure.net' }), { outbound }));
      expect(error).to.include({ code: 'AddressRefused', path: 'config.auth.keyVaultUrl' });
      expect(calls()).to.deep.equal({ vault: 0, authority: 0 });
    });

    it('by plain http: 400 before any call unless kms.conf allows it', async () => {
      const error = await failure(create(under.fake.config, { kmsb: { allowHttp: false } }));
      expect(error).to.include({ code: 'BadRequest', path: 'config.auth.keyVaultUrl' });
      expect(calls()).to.deep.equal({ vault: 0, authority: 0 });
    });
  });

  describe('names', () => {
    it('a name that exists: 400, and the key gets no version', async () => {
      const config = { ...under.fake.config, name: 'issuer-1' };
      const reference = await create(config);
      expect(reference.id).to.match(new RegExp(`^${under.fake.origin}/keys/issuer-1/[0-9a-f]{32}$`));
      const error = await failure(create(config));
      expect(error).to.include({ code: 'BadRequest', path: 'config.name' });
      expect(error.message).to.include('issuer-1');
      expect(under.fake.content.keys).to.have.length(1);
    });

    it('the name of a deleted key that can be recovered: 400 with the reason of the vault', async () => {
      const config = { ...under.fake.config, name: 'issuer-2' };
      const { backends } = under.open();
      await backends.remove(await create(config));
      const error = await failure(create(config));
      expect(error).to.include({ code: 'BadRequest', path: 'config' });
      expect(error.message).to.include('deleted but recoverable state');
    });

    it('a name that the credentials may not read: 400, since an existing key must not get a version', async () => {
      under.fake.content.permissions.delete('get');
      const error = await failure(create({ ...under.fake.config, name: 'issuer-3' }));
      expect(error).to.include({ code: 'BadRequest', path: 'config.auth' });
      expect(under.fake.content.keys).to.deep.equal([]);
    });
  });

  describe('keys', () => {
    it('unknown, disabled, expired, and not for signing: 400 naming the id', async () => {
      const reference = await existing();
      const [stored] = under.fake.content.keys;
      if (!stored) throw new Error('no key');
      const states: [string, () => void, RegExp][] = [
        ['disabled', () => Object.assign(stored, { enabled: false }), /disabled key/],
        ['expired', () => Object.assign(stored, { enabled: true, expires: clock.time / 1000 - 1 }), /expired key/],
        ['verify only', () => Object.assign(stored, { expires: undefined, keyOps: ['verify'] }), /not permitted/],
        ['unknown', () => under.fake.content.keys.splice(0), /was not found in this key vault/],
      ];
      for (const [name, change, reason] of states) {
        change();
        const error = await failure(sign(reference));
        expect(error, name).to.include({ code: 'BadRequest', path: 'id' });
        expect(error.message, name).to.match(reason);
      }
    });

    it('whose stated public key is another: 400 naming it', async () => {
      const [one, two] = [await existing(), await existing()];
      const error = await failure(sign({ ...one, publicJwk: two.publicJwk }));
      expect(error).to.include({ code: 'BadRequest', path: '_publicKey' });
    });

    it('outside the vault, when the vault itself returns such a URL: 502, and nothing is called there', async () => {
      const { config } = under.fake;
      under.fake.origin = 'https://elsewhere.vault.azure.net';
      const called: string[] = [];
      const outbound = recording(under.open().outbound, called);
      expect(await failure(create(config, { outbound }))).to.include({ code: 'UpstreamFailed' });
      expect(called.every((url) => url.startsWith('http://127.0.0.1:'))).to.equal(true);
      expect(under.fake.content.keys).to.deep.equal([]);
    });

    it('outside the vault, in a reference that is stored: nothing is called', async () => {
      const reference = await existing();
      under.fake.reset();
      const id = 'https://elsewhere.vault.azure.net/keys/a/0123456789abcdef0123456789abcdef';
      expect(await failure(sign({ ...reference, id }))).to.include({ code: 'UpstreamFailed' });
      expect(calls()).to.deep.equal({ vault: 0, authority: 0 });
    });
  });
});

/** Notes the URL of each call. */
const recording = (outbound: Outbound, called: string[]): Outbound => ({
  check: (request) => outbound.check(request),
  send: (request: OutboundRequest) => {
    called.push(request.url);
    return outbound.send(request);
  },
});
