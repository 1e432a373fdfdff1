import { expect } from 'chai';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import type { Fault } from '../../demo/fake-clouds/fake-server.ts';
import { AwsTrial, outcomeOf } from '../support/kms/aws-trial.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';
import { SLOW_MACHINE_MS, until } from '../support/runs/waiting.ts';

describe('AWS KMS: the creation of a key', () => {
  const trial = new AwsTrial();
  const { fake, called, create } = trial;

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
        expect(performance.now() - startedAt).to.be.below(SLOW_MACHINE_MS);
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
        expect(performance.now() - startedAt).to.be.below(SLOW_MACHINE_MS);
        await trial.backends.close();
        expect([...fake.service.keys.values()].map(({ state }) => state)).to.deep.equal(['PendingDeletion']);
      });

    it('schedules the deletion of a key whose public key may not be read', async () => {
      fake.service.denied.add('kms:GetPublicKey');
      expect(await outcomeOf(create())).to.include({ code: 'BadRequest', field: 'config.auth' });
      await trial.backends.close();
      expect([...fake.service.keys.values()].map(({ state }) => state)).to.deep.equal(['PendingDeletion']);
    });
  });

  it('gives a new key its name and its tags', async () => {
    const tags = { team: 'identity', 'cost center': '' };
    await trial.backends.create('aws', { keyType: 'RSA', name: 'issuer 1', config: { ...fake.config(), tags } });
    const [{ tags: given, description, key } = {} as never] = fake.service.keys.values();
    expect({ given, description, keyType: key.keyType }).to.deep.equal({
      given: tags,
      description: 'issuer 1',
      keyType: 'RSA',
    });
  });
});
