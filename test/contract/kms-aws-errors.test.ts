import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import type { Fault } from '../../demo/kms/fake-server.ts';
import type { KeyBackends } from '../../domain/keys/key-backends.ts';
import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import { useFakeAws } from '../support/kms/aws.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';
import { until } from '../support/waiting.ts';

const DATA = Buffer.from('data');

/** What a call is answered with: code, field and message. */
interface Outcome {
  code: string;
  field?: string;
  message: string;
  detail: string;
}

const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => ({ code: 'done', message: '', detail: '' }),
    ({ code, details, message, detail, cause }) => ({
      code,
      field: details?.map(({ path }: { path: string[] }) => path.join('.')).join(' '),
      message,
      detail: [detail, cause?.message, cause?.cause?.message].join(' '),
    }),
  );

describe('AWS KMS: what goes wrong', () => {
  const fake = useFakeAws();
  let backends: KeyBackends;
  /** The operations that were called, oldest first. */
  const called = () => fake.server.calls.map(({ headers }) => String(headers['x-amz-target']).split('.')[1]);
  const create = (config: object = fake.config(), keyType: KeyType = 'secp256r1') =>
    backends.create('kmsa', { keyType, config: config as never });
  const sign = (reference: KeyReference) => backends.signer(reference).sign(DATA);
  const stateOf = ({ id }: { id: string }) => fake.service.keys.get(id)?.state;
  /** A new key, and calls counted from here. */
  const fresh = async (keyType?: KeyType): Promise<KeyReference> => {
    const reference = await create(fake.config(), keyType);
    fake.server.reset();
    return reference;
  };

  beforeEach(() => {
    backends = remoteBackends({ kmsa: fake.settings, timeoutSeconds: 1 }).backends;
    fake.service.keys.clear();
  });
  afterEach(async () => {
    fake.service.denied.clear();
    await backends.close();
  });

  describe('a request that is refused before any call', () => {
    const tags = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, '']));
    const rows: [string, () => Promise<unknown>, string][] = [
      ['a key type that the backend lacks', () => create(fake.config(), 'Ed25519'), 'keyType'],
      ['too many tags', () => create({ ...fake.config(), tags }), 'config.tags'],
      [
        'a text that is no region',
        () => create({ auth: { ...fake.config().auth, region: 'x.example' } }),
        'config.auth.region',
      ],
      ['credentials that are missing', () => create({}), 'config.auth'],
    ];
    for (const [title, act, field] of rows)
      it(`${title}: names ${field}`, async () => {
        expect(await outcomeOf(act())).to.include({ code: 'BadRequest', field });
        expect(called()).to.deep.equal([]);
      });
  });

  describe('a creation that is refused', () => {
    const auth = (more: object) => ({ auth: { ...fake.config().auth, ...more } });
    const rows: [string, () => object, RegExp][] = [
      ['an unknown access key', () => auth({ accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }), /security token .* is invalid/],
      ['another secret', () => auth({ secretAccessKey: 'not the secret of this access key' }), /signature/],
      [
        'a region that the endpoint does not serve',
        () => auth({ region: 'ap-south-1' }),
        /valid region, not 'ap-south-1'/,
      ],
    ];
    for (const [title, config, message] of rows)
      it(`for ${title}: names config.auth, after one call`, async () => {
        const outcome = await outcomeOf(create(config()));
        expect(outcome).to.include({ code: 'BadRequest', field: 'config.auth' });
        expect(outcome.message).to.match(message);
        expect(called()).to.deep.equal(['CreateKey']);
        expect(fake.service.keys.size).to.equal(0);
      });

    it('for a missing permission: names config.auth and the permission', async () => {
      fake.service.denied.add('kms:CreateKey');
      const outcome = await outcomeOf(create());
      expect(outcome).to.include({ code: 'BadRequest', field: 'config.auth' });
      expect(outcome.message).to.include('not authorized to perform: kms:CreateKey');
      expect(called()).to.deep.equal(['CreateKey']);
    });

    it('for a region whose host has no address: names config.auth.region', async () => {
      const resolve = (_: string, __: object, callback: (error: Error) => void) =>
        callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
      const parts = { allow: [], publicUrl: 'http://127.0.0.1:1', metrics: new PrometheusMetrics() };
      const outbound = new GuardedOutbound({ ...parts, resolve: resolve as never });
      const nowhere = remoteBackends({ outbound, timeoutSeconds: 2 }).backends;
      const config = auth({ region: 'xx-nowhere-9' }) as never;
      const outcome = await outcomeOf(nowhere.create('kmsa', { keyType: 'RSA', config }));
      expect(outcome).to.include({ code: 'BadRequest', field: 'config.auth.region' });
      expect(outcome.message).to.include('xx-nowhere-9');
    });
  });

  it('at a public name that leads to a private address: names config.auth.region', async () => {
    const resolve = (_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address: '10.0.0.7', family: 4 }]);
    const parts = { allow: [], publicUrl: 'http://127.0.0.1:1', metrics: new PrometheusMetrics() };
    const outbound = new GuardedOutbound({ ...parts, resolve: resolve as never });
    const config = fake.config() as never;
    const outcome = await outcomeOf(remoteBackends({ outbound }).backends.create('kmsa', { keyType: 'RSA', config }));
    expect(outcome).to.include({ code: 'AddressRefused', field: 'config.auth.region' });
    expect(outcome.message).to.include('kms.eu-central-1.amazonaws.com is not a public address');
  });

  describe('a creation that fails', () => {
    const faults: [Fault, string][] = [
      [{ kind: 'throttle' }, 'UpstreamFailed'],
      [{ kind: 'fail' }, 'UpstreamFailed'],
      [{ kind: 'cut' }, 'UpstreamFailed'],
      [{ kind: 'cut', after: true }, 'UpstreamFailed'],
      [{ kind: 'nonsense' }, 'UpstreamFailed'],
      [{ kind: 'nonsense', body: '{}' }, 'UpstreamFailed'],
      [{ kind: 'nonsense', body: '<html>' }, 'UpstreamFailed'],
      [{ kind: 'hang' }, 'UpstreamTimeout'],
    ];
    for (const [fault, code] of faults)
      it(`${JSON.stringify(fault)}: is not repeated, and answered in time`, async () => {
        fake.server.fault(1, fault);
        const startedAt = performance.now();
        expect((await outcomeOf(create())).code).to.equal(code);
        expect(performance.now() - startedAt).to.be.below(1400);
        expect(called()).to.deep.equal(['CreateKey']);
        // The hanging call ends with its connection.
        if (fault.kind === 'hang') fake.server.cutOff();
      });

    it('removes a key that is created too late', async () => {
      fake.server.fault(1, { kind: 'delay', ms: 1300 });
      expect((await outcomeOf(create())).code).to.equal('UpstreamTimeout');
      await until(() => [...fake.service.keys.values()].some(({ state }) => state === 'PendingDeletion'), 4000);
      expect(called().filter((name) => name === 'CreateKey')).to.have.length(1);
    });

    const late: [Fault, string][] = [
      [{ kind: 'throttle' }, 'UpstreamFailed'],
      [{ kind: 'fail' }, 'UpstreamFailed'],
      [{ kind: 'nonsense' }, 'UpstreamFailed'],
      [{ kind: 'cut' }, 'UpstreamFailed'],
      [{ kind: 'hang' }, 'UpstreamTimeout'],
    ];
    for (const [fault, code] of late)
      it(`schedules the deletion of the key when its public key cannot be read: ${JSON.stringify(fault)}`, async () => {
        // A call that hangs is not repeated: the next one removes the key.
        for (const at of fault.kind === 'hang' ? [2] : [2, 3, 4]) fake.server.fault(at, fault);
        const startedAt = performance.now();
        expect((await outcomeOf(create())).code).to.equal(code);
        expect(performance.now() - startedAt).to.be.below(1400);
        await backends.close();
        expect([...fake.service.keys.values()].map(({ state }) => state)).to.deep.equal(['PendingDeletion']);
      });

    it('schedules the deletion of a key whose public key may not be read', async () => {
      fake.service.denied.add('kms:GetPublicKey');
      expect(await outcomeOf(create())).to.include({ code: 'BadRequest', field: 'config.auth' });
      await backends.close();
      expect([...fake.service.keys.values()].map(({ state }) => state)).to.deep.equal(['PendingDeletion']);
    });
  });

  describe('a signature', () => {
    it('is one call', async () => {
      const reference = await fresh();
      for (const _ of [1, 2, 3]) await sign(reference);
      expect(called()).to.deep.equal(['Sign', 'Sign', 'Sign']);
    });

    it('is refused for a key that is unknown, disabled or being deleted: names the id, after one call', async () => {
      const reference = await fresh();
      const unknown = await outcomeOf(sign({ ...reference, id: randomUUID() }));
      expect(unknown).to.include({ code: 'BadRequest', field: 'id' });
      expect(unknown.message).to.match(/:eu-central-1:.* does not exist/);
      for (const state of ['Disabled', 'PendingDeletion'] as const) {
        Object.assign(fake.service.keys.get(reference.id) ?? {}, { state });
        expect(await outcomeOf(sign(reference)), state).to.include({ code: 'BadRequest', field: 'id' });
      }
      expect(called()).to.deep.equal(['Sign', 'Sign', 'Sign']);
    });

    it('is refused where the key is in another region, naming the region', async () => {
      const reference = await fresh();
      const { auth } = reference.config as { auth: object };
      const elsewhere = { ...reference, config: { auth: { ...auth, region: 'us-east-1' } } };
      const outcome = await outcomeOf(sign(elsewhere));
      expect(outcome).to.include({ code: 'BadRequest', field: 'id' });
      expect(outcome.message).to.include('us-east-1');
    });

    for (const kind of ['throttle', 'fail', 'cut', 'nonsense'] as const)
      it(`is tried up to three times when the service fails: ${kind}`, async () => {
        const reference = await fresh();
        for (const failures of [1, 2, 3]) {
          fake.server.reset();
          for (let at = 1; at <= failures; at += 1) fake.server.fault(at, { kind });
          expect((await outcomeOf(sign(reference))).code).to.equal(failures < 3 ? 'done' : 'UpstreamFailed');
          expect(called()).to.have.length(Math.min(failures + 1, 3));
        }
      });

    it('is answered within the deadline when the service hangs, and not tried again after it', async () => {
      const reference = await fresh();
      fake.server.always({ kind: 'hang' });
      const startedAt = performance.now();
      const outcome = await outcomeOf(sign(reference));
      expect(outcome.code).to.equal('UpstreamTimeout');
      expect(outcome.message).to.equal('AWS KMS did not answer in 1000 ms');
      expect(performance.now() - startedAt).to.be.within(900, 1400);
      expect(called()).to.have.length(1);
    });

    it('that is not valid never leaves', async () => {
      const [one, two] = [await fresh(), await fresh()];
      const stolen = { ...one, id: two.id, config: two.config };
      expect(await outcomeOf(sign(stolen))).to.include({ code: 'BadRequest', field: '_publicKey' });
      const r = Buffer.alloc(70, 1).toString('base64');
      fake.server.always({ kind: 'nonsense', body: JSON.stringify({ Signature: r }) });
      expect((await outcomeOf(sign(one))).code).to.equal('UpstreamFailed');
    });

    it('with a type that AWS does not have is refused before any call', async () => {
      const reference = await fresh();
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
      const wire = { type: 'kmsa', id: reference.id, config: reference.config, _publicKey: jwk };
      expect(await outcomeOf(backends.read(wire))).to.include({ code: 'BadRequest', field: '_publicKey' });
      expect(called()).to.deep.equal([]);
    });
  });

  describe('a public key', () => {
    const wire = ({ id, config }: KeyReference) => ({ type: 'kmsa', id, config });

    it('is fetched once for concurrent first uses, and then not again', async () => {
      const reference = await fresh('secp384r1');
      const read = await Promise.all(Array.from({ length: 20 }, () => backends.read(wire(reference))));
      for (const one of read) expect(one).to.deep.equal(reference);
      await backends.read(wire(reference));
      expect(called()).to.deep.equal(['GetPublicKey']);
    });

    it('is fetched with the credentials of each reference: refused ones get no answer of the cache', async () => {
      const reference = await fresh();
      await backends.read(wire(reference));
      const { auth } = reference.config as { auth: object };
      const config = { auth: { ...auth, secretAccessKey: 'not the secret of this access key' } };
      expect((await outcomeOf(backends.read({ ...wire(reference), config }))).code).to.equal('BadRequest');
      const other = await backends.read({ ...wire(reference), config: fake.config() });
      expect(other.publicJwk).to.deep.equal(reference.publicJwk);
      expect(called()).to.have.length(3);
    });

    it('that was not read is fetched again by the next use', async () => {
      const reference = await fresh();
      for (const at of [1, 2, 3]) fake.server.fault(at, { kind: 'fail' });
      expect((await outcomeOf(backends.read(wire(reference)))).code).to.equal('UpstreamFailed');
      expect((await backends.read(wire(reference))).publicJwk).to.deep.equal(reference.publicJwk);
    });

    it('that is no key, or of no type that is known here, is refused', async () => {
      const reference = await fresh();
      const answer = (PublicKey: string, more = {}) =>
        fake.server.always({ kind: 'nonsense', body: JSON.stringify({ PublicKey, ...more }) });
      answer(Buffer.from('no key').toString('base64'));
      expect((await outcomeOf(backends.read(wire(reference)))).code).to.equal('UpstreamFailed');
      // An Ed25519 key (RFC 8410 §10.1).
      answer('MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=');
      expect(await outcomeOf(backends.read(wire(reference)))).to.include({ code: 'BadRequest', field: 'id' });
      answer('', { KeyUsage: 'ENCRYPT_DECRYPT' });
      expect(await outcomeOf(backends.read(wire(reference)))).to.include({ code: 'BadRequest', field: 'id' });
    });
  });

  describe('the deletion of a key', () => {
    it('is scheduled, and done where the key is being deleted or does not exist', async () => {
      const reference = await fresh();
      await backends.remove(reference);
      expect(stateOf(reference)).to.equal('PendingDeletion');
      expect(JSON.parse(String(fake.server.calls[0]?.body))).to.deep.equal({
        KeyId: reference.id,
        PendingWindowInDays: 7,
      });
      await backends.remove(reference);
      await backends.remove({ ...reference, id: randomUUID() });
      expect(called()).to.have.length(3);
    });

    it('is tried again when the service fails, and refused without the permission', async () => {
      const reference = await fresh();
      fake.server.fault(1, { kind: 'throttle' });
      fake.server.fault(2, { kind: 'cut', after: true });
      await backends.remove(reference);
      expect(stateOf(reference)).to.equal('PendingDeletion');
      fake.service.denied.add('kms:ScheduleKeyDeletion');
      expect(await outcomeOf(backends.remove(reference))).to.include({ code: 'BadRequest', field: 'config.auth' });
    });
  });

  describe('credentials', () => {
    it('sign for no other reference, however references alternate (property)', async () => {
      const references = await Promise.all([1, 2, 3].map(() => create()));
      const accessKeyOf = ({ config }: KeyReference) => (config.auth as { accessKeyId: string }).accessKeyId;
      const order = fc.array(fc.constantFrom(...references), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(order, async (sequence) => {
          fake.server.reset();
          await Promise.all(sequence.map(sign));
          const used = fake.server.calls.map(({ body, headers }) => [
            JSON.parse(String(body)).KeyId,
            /Credential=(\w+)/.exec(String(headers.authorization))?.[1],
          ]);
          const expected = sequence.map((reference) => [reference.id, accessKeyOf(reference)]);
          expect(used.sort()).to.deep.equal(expected.sort());
        }),
        { numRuns: 15 },
      );
    });

    it('that are refused sign nothing, though another caller’s are accepted for the same key', async () => {
      const reference = await fresh();
      await sign(reference);
      const { auth } = reference.config as { auth: object };
      const config = { auth: { ...auth, secretAccessKey: 'not the secret of this access key' } };
      expect((await outcomeOf(sign({ ...reference, config }))).code).to.equal('BadRequest');
    });

    it('are in no error, regardless of what the service quotes (property)', async () => {
      const [text, outage] = [fc.stringMatching(/^[\x20-\x7e]{0,12}$/), fc.boolean()];
      const secrets = fc.stringMatching(/^[!-~][ -~]{6,38}[!-~]$/);
      await fc.assert(
        fc.asyncProperty(secrets, text, outage, async (secretAccessKey, around, fails) => {
          const { auth } = fake.config();
          const __type = fails ? 'KMSInternalException' : 'InvalidSignatureException';
          const message = `${around}${secretAccessKey}\n${secretAccessKey}${around}${auth.accessKeyId}`;
          fake.server.always({ kind: 'refuse', status: fails ? 500 : 400, body: JSON.stringify({ __type, message }) });
          const outcome = await outcomeOf(create({ auth: { ...auth, secretAccessKey } }));
          expect(outcome.code).to.equal(fails ? 'UpstreamFailed' : 'BadRequest');
          expect(outcome.message + outcome.detail)
            .to.not.include(secretAccessKey)
            .and.not.include(auth.accessKeyId);
        }),
        { numRuns: 40 },
      );
    });

    it('are in the request only as their id and signature', async () => {
      const config = fake.config();
      await create(config);
      const { headers, body } = fake.server.calls[0] ?? {};
      expect(JSON.stringify(headers) + body).to.not.include(config.auth.secretAccessKey);
    });
  });

  it('gives a new key its name and its tags', async () => {
    const tags = { team: 'identity', 'cost center': '' };
    await backends.create('aws', { keyType: 'RSA', name: 'issuer 1', config: { ...fake.config(), tags } });
    const [{ tags: given, description, key } = {} as never] = fake.service.keys.values();
    expect({ given, description, keyType: key.keyType }).to.deep.equal({
      given: tags,
      description: 'issuer 1',
      keyType: 'RSA',
    });
  });
});
