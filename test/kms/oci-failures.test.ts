import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Fault } from '../../demo/fake-clouds/fake-server.ts';
import type { FakeOci } from '../../demo/fake-clouds/oci.ts';
import type { KeyBackends } from '../../domain/keys/key-backends.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { ociBackends, useFakeOci } from '../support/kms/oci.ts';
import { SLOW_MACHINE_MS } from '../support/runs/waiting.ts';

const DATA = Buffer.from('what is signed');
const tagsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`tag-${n}`, 'x']));

function privatePem(type: 'rsa' | 'ec' | 'rsa-pss', modulusLength = 2048): string {
  const options = { modulusLength, namedCurve: 'prime256v1', hashAlgorithm: 'sha256' };
  const { privateKey } = generateKeyPairSync(type as 'rsa', options);
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function encryptedPem(type: 'pkcs1' | 'pkcs8'): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'pem', type, cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
}

describe('Oracle OCI Vault: bad input', () => {
  const under = useFakeOci();
  let backends: KeyBackends;
  beforeEach(() => {
    backends = ociBackends({ timeoutSeconds: 1 }).backends;
  });
  afterEach(() => backends.close());

  const outcomeOf = async (over: Record<string, unknown>, keyType = 'secp256r1') => {
    const keys = under.fake.vault.keys.length;
    const error = await backends
      .create('kmsc', { keyType: keyType as 'RSA', config: under.config(over) })
      .catch((error) => error);
    expect(under.fake.vault.keys, 'no key is created').to.have.length(keys);
    return { code: error.code, path: error.details?.[0]?.path.join('.'), message: String(error.message), error };
  };

  const withoutCall: Record<string, [over: () => Record<string, unknown>, path: string, message: RegExp]> = {
    'a key of another type': [() => ({ signingKeyPem: privatePem('ec') }), 'config.signingKeyPem', /one RSA private/],
    'an RSA-PSS key': [() => ({ signingKeyPem: privatePem('rsa-pss') }), 'config.signingKeyPem', /one RSA private/],
    'a small RSA key': [() => ({ signingKeyPem: privatePem('rsa', 1024) }), 'config.signingKeyPem', /not 1024/],
    'an encrypted PKCS #8': [() => ({ signingKeyPem: encryptedPem('pkcs8') }), 'config.signingKeyPem', /encrypted/],
    'an encrypted PKCS #1': [() => ({ signingKeyPem: encryptedPem('pkcs1') }), 'config.signingKeyPem', /encrypted/],
    'no PEM at all': [() => ({ signingKeyPem: 'secret' }), 'config.signingKeyPem', /PEM form/],
    'a PEM whose body is not DER': [
      () => ({ signingKeyPem: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' }),
      'config.signingKeyPem',
      /PEM form/,
    ],
    'a PEM with another label': [
      () => ({ signingKeyPem: under.user.signingKeyPem.replaceAll('PRIVATE KEY', 'PUBLIC KEY') }),
      'config.signingKeyPem',
      /PEM form/,
    ],
    'a PEM without its end': [
      () => ({ signingKeyPem: under.user.signingKeyPem.split('-----END')[0] }),
      'config.signingKeyPem',
      /PEM form/,
    ],
    'two keys': [
      () => ({ signingKeyPem: under.user.signingKeyPem + under.user.signingKeyPem }),
      'config.signingKeyPem',
      /PEM form/,
    ],
    'no PEM': [() => ({ signingKeyPem: undefined }), 'config.signingKeyPem', /is required/],
    'the fingerprint of another key': [
      () => ({ fingerprint: under.user.fingerprint.replace(/^../, (pair) => (pair === '00' ? '01' : '00')) }),
      'config.fingerprint',
      /is not the fingerprint/,
    ],
    'a fingerprint without colons': [() => ({ fingerprint: 'ab'.repeat(16) }), 'config.fingerprint', /colons/],
    'an identifier that is a path': [() => ({ userId: '../../users' }), 'config.userId', /identifier/],
    'an unknown member': [() => ({ passphrase: 'secret' }), 'config.passphrase', /not known/],
    'one tag too many': [() => ({ tags: tagsOf(11) }), 'config.tags', /at most 10/],
    'a tag with a long name': [() => ({ tags: { ['n'.repeat(101)]: 'x' } }), `config.tags.${'n'.repeat(64)}`, /100/],
    'a tag with a long text': [() => ({ tags: { team: 'x'.repeat(257) } }), 'config.tags.team', /256/],
    'a tag that is no text': [() => ({ tags: { team: 7 } }), 'config.tags.team', /text/],
    'an endpoint with a path': [
      () => ({ cryptoEndpoint: 'https://a.example/v1' }),
      'config.cryptoEndpoint',
      /endpoint/,
    ],
    'an endpoint with a password': [
      () => ({ cryptoEndpoint: 'https://a:b@c.example' }),
      'config.cryptoEndpoint',
      /endpoint/,
    ],
  };

  for (const [what, [over, path, message]] of Object.entries(withoutCall))
    it(`refuses ${what} before any call`, async () => {
      const outcome = await outcomeOf(over());
      expect(outcome).to.include({ code: 'BadRequest', path });
      expect(outcome.message).to.match(message);
      expect(outcome.message).not.to.include('secret');
      expect(under.fake.callCount).to.equal(0);
    });

  for (const keyType of ['Ed25519', 'secp256k1', 'secp384r1', 'secp521r1', 'RSA3072', 'RSA4096'])
    it(`refuses a key of type ${keyType} before any call`, async () => {
      expect(await outcomeOf({}, keyType)).to.include({ code: 'BadRequest', path: 'keyType' });
      expect(under.fake.callCount).to.equal(0);
    });

  for (const endpoint of ['managementEndpoint', 'cryptoEndpoint'])
    it(`refuses a private address or plain http as ${endpoint} before any call`, async () => {
      for (const url of ['http://10.0.0.1', 'http://169.254.169.254', 'http://[::1]:9', 'http://192.168.1.1:8080']) {
        const outcome = await outcomeOf({ [endpoint]: url });
        expect(outcome, url).to.include({ code: 'AddressRefused', path: `config.${endpoint}` });
      }
      const { backends: strict } = ociBackends({ kmsc: { allowHttp: false } });
      const config = under.config({ [endpoint]: 'http://vault.example.org' });
      const error = await strict.create('kmsc', { keyType: 'RSA', config }).catch((error) => error);
      expect(error.code).to.equal('BadRequest');
      expect(error.message).to.include('must be an https URL');
      expect(under.fake.callCount).to.equal(0);
    });

  it('accepts a PEM with indented lines, with \\n, in one line, as PKCS #1, with a label below', async () => {
    const pem = under.user.signingKeyPem;
    const forms = [
      pem.replaceAll('\n', '\n      '),
      pem.trim().replaceAll('\n', '\\n'),
      pem.replaceAll('\n', '\r\n'),
      pem.trim().replaceAll('\n', ' '),
      `${pem}OCI_API_KEY\n`,
    ];
    for (const signingKeyPem of forms) {
      const config = under.config({ signingKeyPem });
      const { id } = await backends.create('kmsc', { keyType: 'secp256r1', config });
      expect(id).to.match(/^ocid1\.key\./);
    }
  });

  const refused: Record<string, [over: () => Promise<Record<string, unknown>>, path: string, message: RegExp]> = {
    'a user that is not registered': [
      async () => ({ userId: 'ocid1.user.oc1..unknown' }),
      'config',
      /NotAuthenticated: The required information/,
    ],
    'the key of another user': [
      async () => {
        const { signingKeyPem, fingerprint } = await under.fake.newUser();
        return { signingKeyPem, fingerprint };
      },
      'config',
      /NotAuthenticated/,
    ],
    'a compartment of another tenancy': [
      async () => ({ compartmentId: (await under.fake.newUser()).compartmentId }),
      'config.compartmentId',
      /it does not exist, or this user has no right to it/,
    ],
    'a compartment of another tenancy, by its vendor’s name': [
      async () => ({ compartmentId: undefined, compartmentOcid: 'ocid1.compartment.oc1..unknown' }),
      'config.compartmentOcid',
      /NotAuthorizedOrNotFound/,
    ],
  };

  for (const [what, [over, path, message]] of Object.entries(refused))
    it(`reports with OCI’s reason that it refuses ${what}; asks once`, async () => {
      const outcome = await outcomeOf(await over());
      expect(outcome).to.include({ code: 'BadRequest', path });
      expect(outcome.message)
        .to.match(message)
        .and.to.match(/^config[^:]*: Oracle OCI Vault refused: /);
      expect(under.fake.callCount).to.equal(1);
    });

  it('reports that the clock of this server is wrong', async () => {
    const hour = 60 * 60 * 1000;
    const { backends: late } = ociBackends({ clock: { now: () => Date.now() - hour } });
    const error = await late.create('kmsc', { keyType: 'RSA', config: under.config() }).catch((error) => error);
    expect(error.code).to.equal('BadRequest');
    expect(error.message).to.include('allowed clock skew');
  });

  describe('with a key', () => {
    let key: KeyReference;
    before(async () => {
      const { backends } = ociBackends();
      key = await backends.create('kmsc', { keyType: 'secp256r1', config: under.config() });
    });
    const use = {
      'reading its public key': () => backends.read({ type: 'kmsc', id: key.id, config: under.config() }),
      signing: () => backends.signer(key).sign(DATA),
    };

    for (const [name, work] of Object.entries(use)) {
      it(`${name} says that it is disabled or being deleted`, async () => {
        for (const state of ['DISABLED', 'PENDING_DELETION']) {
          under.fake.vault.move(key.id, state);
          const error = await work().catch((error: Error) => error as never);
          under.fake.vault.move(key.id, 'ENABLED');
          expect(error).to.include({ code: 'BadRequest' });
          expect(Object(error).details[0].path).to.deep.equal(['id']);
          expect(String(error)).to.include(state);
        }
      });

      it(`${name} says that there is no such key`, async () => {
        const known = key;
        key = { ...known, id: 'ocid1.key.oc1.eu-frankfurt-1.unknown' };
        const error = await work().catch((error: Error) => error as never);
        key = known;
        expect(error).to.include({ code: 'BadRequest' });
        expect(Object(error).details[0].path).to.deep.equal(['id']);
      });

      it(`${name} gets through two faults, and fails after three attempts`, async () => {
        // The attempts come after pauses, which a deadline of a second leaves a slow machine no time for.
        const patient = () => ociBackends({ timeoutSeconds: 10 }).backends;
        backends = patient();
        for (const kind of ['throttle', 'fail', 'cut', 'nonsense'] as const) {
          under.fake.reset();
          for (const server of [under.fake.management, under.fake.crypto])
            for (const n of [1, 2]) server.fault(n, { kind });
          await work();
          under.fake.reset();
          backends = patient();
          for (const server of [under.fake.management, under.fake.crypto]) server.always({ kind });
          const error = await work().catch((error: Error) => error as never);
          expect(error, kind).to.include({ code: 'UpstreamFailed' });
          expect(under.fake.callCount, kind).to.equal(3);
          backends = patient();
        }
      });

      it(`${name} ends at the deadline when the service hangs`, async () => {
        for (const server of [under.fake.management, under.fake.crypto]) server.always({ kind: 'hang' });
        const startedAt = performance.now();
        const error = await work().catch((error: Error) => error as never);
        expect(error).to.include({ code: 'UpstreamTimeout' });
        expect(performance.now() - startedAt).to.be.within(900, SLOW_MACHINE_MS);
        expect(under.fake.callCount).to.equal(1);
      });
    }
  });

  describe('creating', () => {
    const create = () => backends.create('kmsc', { keyType: 'secp256r1', config: under.config() });
    const creations = (fake: FakeOci): number =>
      fake.management.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/keys')).length;
    /** The keys that this test created and whose deletion is not scheduled. */
    const leftOver = (from: number) =>
      under.fake.vault.keys.slice(from).filter(({ lifecycleState }) => lifecycleState !== 'PENDING_DELETION');

    const faults: [Fault, code: string][] = [
      [{ kind: 'throttle' }, 'UpstreamFailed'],
      [{ kind: 'fail' }, 'UpstreamFailed'],
      [{ kind: 'cut' }, 'UpstreamFailed'],
      [{ kind: 'nonsense' }, 'UpstreamFailed'],
      [{ kind: 'hang' }, 'UpstreamTimeout'],
    ];
    for (const [fault, code] of faults)
      it(`is never repeated: ${fault.kind} at the first call`, async () => {
        under.fake.management.fault(1, fault);
        const error = await create().catch((error) => error);
        expect(error.code).to.equal(code);
        expect(creations(under.fake)).to.equal(1);
        // The hanging call ends with its connection.
        if (fault.kind === 'hang') under.fake.management.cutOff();
      });

    it('is one call although the key is enabled late', async () => {
      under.fake.vault.readsUntilEnabled = 3;
      const patient = ociBackends({ timeoutSeconds: SLOW_MACHINE_MS / 1000 }).backends;
      const { id } = await patient.create('kmsc', { keyType: 'secp256r1', config: under.config() });
      expect(id).to.match(/^ocid1\.key\./);
      expect(creations(under.fake)).to.equal(1);
      await patient.close();
    });

    it('ends at the deadline when the key is not enabled in time, and deletes it once it is', async () => {
      const from = under.fake.vault.keys.length;
      under.fake.vault.readsUntilEnabled = 6;
      const startedAt = performance.now();
      const error = await create().catch((error) => error);
      expect(error.code).to.equal('UpstreamTimeout');
      expect(performance.now() - startedAt).to.be.within(700, SLOW_MACHINE_MS);
      expect(creations(under.fake)).to.equal(1);
      await backends.close();
      expect(under.fake.vault.keys).to.have.length(from + 1);
      expect(leftOver(from)).to.deep.equal([]);
    });

    const laterSteps: Record<string, [calls: number[], body: string]> = {
      'the key cannot be read': [[2, 3, 4], '{}'],
      'its version has no public key': [[3, 5, 7], '{}'],
      'its public key cannot be read': [[3, 5, 7], '{"publicKey":"none"}'],
      'the answer to its deletion is lost too': [[2, 3, 4, 5], '{}'],
    };
    for (const [what, [calls, body]] of Object.entries(laterSteps))
      it(`schedules the deletion of a key when ${what}`, async () => {
        under.fake.vault.readsUntilEnabled = 0;
        const from = under.fake.vault.keys.length;
        for (const n of calls) under.fake.management.fault(n, { kind: 'nonsense', body });
        const error = await create().catch((error) => error);
        expect(['UpstreamFailed', 'BadRequest']).to.include(error.code);
        await backends.close();
        expect(under.fake.vault.keys).to.have.length(from + 1);
        expect(leftOver(from)).to.deep.equal([]);
        expect(creations(under.fake)).to.equal(1);
      });

    it('deletes a key whose creation is answered after the deadline', async () => {
      const from = under.fake.vault.keys.length;
      under.fake.management.fault(1, { kind: 'delay', ms: 1500 });
      const error = await create().catch((error) => error);
      expect(error.code).to.equal('UpstreamTimeout');
      await backends.close();
      expect(under.fake.vault.keys).to.have.length(from + 1);
      expect(leftOver(from)).to.deep.equal([]);
    });
  });
});
