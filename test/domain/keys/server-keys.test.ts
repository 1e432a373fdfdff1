import { expect } from 'chai';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { systemIds } from '../../../adapters/system/system.ts';
import { LoginSessions } from '../../../domain/accounts/login-sessions.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { readPublicJwk, thumbprint } from '../../../domain/jose/jwk.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import { ServerKeys } from '../../../domain/keys/server-keys.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { Collection, CollectionSpec } from '../../../ports/store.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

const LIFETIME_MS = 3_600_000;
const KEYS: CollectionSpec<unknown> = { name: 'server-keys', listed: false, sealed: true, afterRestore: 'kept' };

/** Instances on one store with one clock; `reads` counts the reads of the server's keys, `isDown` makes them fail. */
function newWorld() {
  const world = { ms: 1_800_000_000_000, reads: 0, isDown: false };
  const clock = { now: () => world.ms };
  const store = new MemoryStore(clock);
  const counting = Object.assign(Object.create(store) as MemoryStore, {
    collection: <T>(spec: CollectionSpec<T>): Collection<T> => {
      const inner = store.collection(spec);
      if (spec.name !== KEYS.name) return inner;
      return Object.assign(Object.create(inner) as Collection<T>, {
        get: (key: { id: string }) => {
          world.reads += 1;
          if (world.isDown) throw new DomainError('StoreUnavailable', 'The store cannot be reached');
          return inner.get(key);
        },
        insert: inner.insert.bind(inner),
        replace: inner.replace.bind(inner),
      });
    },
  });
  const instance = () => {
    const keys = new ServerKeys(counting, localKeys().backends, clock);
    const metrics = new PrometheusMetrics();
    const parts = { store, keys, signatures: new NodeSignatures(metrics), clock, ids: systemIds, metrics };
    const rules = { publicUrl: 'http://wallet.example', lifetimeSeconds: LIFETIME_MS / 1000 };
    return { keys, sessions: new LoginSessions(parts, rules) };
  };
  return { world, store, instance };
}

const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? '';

describe('Rotation of the login key', () => {
  it('sessions that exist remain valid until they expire, new ones have the new key', async () => {
    const { world, instance } = newWorld();
    const { keys, sessions } = instance();
    const before = await sessions.start('ada');
    await keys.rotate('login', LIFETIME_MS);
    world.ms += 30_000;
    const after = await sessions.start('ada');
    expect(kidOf(after)).to.not.equal(kidOf(before));
    world.ms += LIFETIME_MS - 30_001;
    for (const { sessions: one } of [{ sessions }, instance()])
      expect(await one.authenticate(before)).to.deep.equal({ accountId: 'ada' });
  });

  it('a replaced key drops out when the longest session is over', async () => {
    const { world, instance } = newWorld();
    const { keys, sessions } = instance();
    const kid = kidOf(await sessions.start('ada'));
    const { until = 0 } = await keys.rotate('login', LIFETIME_MS);
    world.ms = until - 1;
    expect(await instance().keys.verifyingKeys('login', kid)).to.have.length(1);
    world.ms = until;
    expect(await instance().keys.verifyingKeys('login', kid)).to.have.length(0);
    expect(await instance().keys.verifyingKeys('login', undefined)).to.have.length(1);
  });

  it('an instance notices within 30 seconds, and at once when it meets a token with an unknown kid', async () => {
    const { world, instance } = newWorld();
    const [running, other] = [instance(), instance()];
    const first = kidOf(await running.sessions.start('ada'));
    await other.keys.rotate('login', LIFETIME_MS);
    expect(kidOf(await running.sessions.start('ada'))).to.equal(first);
    const token = await instance().sessions.start('ada');
    expect(await running.sessions.authenticate(token)).to.deep.equal({ accountId: 'ada' });
    expect(kidOf(await running.sessions.start('ada'))).to.equal(kidOf(token));
    await other.keys.rotate('login', LIFETIME_MS);
    world.ms += 30_000;
    expect(kidOf(await running.sessions.start('ada'))).to.not.equal(kidOf(token));
  });

  it('property: unknown kids cause at most ten reads of the store at once and one a second', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ms: fc.nat(5000), tokens: fc.nat(30) }), { maxLength: 12 }),
        async (steps) => {
          const { world, instance } = newWorld();
          const { keys } = instance();
          await keys.signer('login');
          const [started, readsBefore] = [world.ms, world.reads];
          for (const { ms, tokens } of steps) {
            world.ms += ms;
            const kids = Array.from({ length: tokens }, (_, index) => `unknown-${index}`);
            for (const found of await Promise.all(kids.map((kid) => keys.verifyingKeys('login', kid))))
              expect(found).to.deep.equal([]);
          }
          const seconds = (world.ms - started) / 1000;
          expect(world.reads - readsBefore).to.be.at.most(10 + seconds + Math.ceil(seconds / 30));
        },
      ),
      { numRuns: 40 },
    ));

  it('a key that is stored as a reference alone signs, and its tokens need its kid', async () => {
    const { store, instance } = newWorld();
    const { backends } = localKeys();
    const reference: KeyReference = await backends.create('jwk', { keyType: 'Ed25519' });
    await store.collection(KEYS).insert({ id: 'login', value: reference });
    const { keys, sessions } = instance();
    const token = await sessions.start('ada');
    await keys.rotate('login', LIFETIME_MS);
    for (const one of [sessions, instance().sessions])
      expect(await one.authenticate(token)).to.deep.equal({ accountId: 'ada' });
    for (const header of [{}, { kid: 7 }, { kid: null }, { kid: '' }, { kid: {} }])
      expect(
        await instance().sessions.authenticate(await signJws(header, decodeJwt(token), backends.signer(reference))),
      ).to.equal(undefined);
  });

  it('a token whose kid names another live key than the one that signed is refused', async () => {
    const { instance } = newWorld();
    const { keys, sessions } = instance();
    const old = await keys.signer('login');
    const claims = decodeJwt(await sessions.start('ada'));
    await keys.rotate('login', LIFETIME_MS);
    const kid = kidOf(await instance().sessions.start('ada'));
    expect(await instance().sessions.authenticate(await signJws({ kid }, claims, old))).to.equal(undefined);
  });

  it('of 20 rotations at once each takes effect, while instances create the first key; every session stays valid', async () => {
    const { instance } = newWorld();
    const all = Array.from({ length: 20 }, instance);
    const started = await Promise.all(
      all.map(async ({ keys, sessions }, index) => {
        if (index % 2 === 0) await keys.rotate('login', LIFETIME_MS);
        return sessions.start('ada');
      }),
    );
    await Promise.all(all.map(({ keys }) => keys.rotate('login', LIFETIME_MS)));
    const { keys, sessions } = instance();
    for (const token of started) expect(await sessions.authenticate(token)).to.deep.equal({ accountId: 'ada' });
    expect(await keys.verifyingKeys('login', undefined)).to.have.length.within(30, 31);
  });

  it('an unknown kid while the store is down is StoreUnavailable, not a refusal; known keys work on', async () => {
    const { world, instance } = newWorld();
    const { keys } = instance();
    const { publicJwk } = await keys.signer('login');
    world.isDown = true;
    world.ms += 30_000;
    expect(await keys.verifyingKeys('login', undefined)).to.deep.equal([publicJwk]);
    const refusal = await keys.verifyingKeys('login', 'unknown').catch((error: unknown) => error);
    expect(isDomainError(refusal, 'StoreUnavailable')).to.equal(true);
  });
});

describe('Rotation of the encryption key', () => {
  it('the key before it decrypts until its end, also in an instance that has not noticed; no other key does', async () => {
    const { world, instance } = newWorld();
    const [one, two] = [instance().keys, instance().keys];
    const kidOfCurrent = async () => thumbprint((await one.reference('encryption')).publicJwk);
    const before = await kidOfCurrent();
    expect((await two.privateJwk('encryption', before))?.d).to.be.a('string');
    await one.rotate('encryption', LIFETIME_MS);
    world.ms += 30_000;
    const after = await kidOfCurrent();
    expect(after).to.not.equal(before);
    world.ms -= 30_000;
    for (const keys of [one, two])
      for (const kid of [before, after]) {
        const jwk = await keys.privateJwk('encryption', kid);
        expect(jwk && thumbprint(readPublicJwk(jwk))).to.equal(kid);
        // One object, which is imported once.
        expect(await keys.privateJwk('encryption', kid)).to.equal(jwk);
      }
    expect(await one.privateJwk('encryption', 'unknown')).to.equal(undefined);
    world.ms += LIFETIME_MS + 90_000;
    for (const keys of [one, two]) {
      expect(await keys.privateJwk('encryption', before)).to.equal(undefined);
      expect(await keys.privateJwk('encryption', after)).to.not.equal(undefined);
    }
  });

  it('the key before a login key is gone, and unknown ids of one key do not use up the reads of another', async () => {
    const { world, store, instance } = newWorld();
    const [one, two] = [instance().keys, instance().keys];
    await two.signer('login');
    await one.rotate('login', LIFETIME_MS);
    const stored = await store.collection(KEYS).get({ id: 'login' });
    expect(JSON.stringify(stored?.value).match(/"d":/g)).to.have.length(1);
    for (let count = 0; count < 20; count += 1) await two.privateJwk('encryption', `unknown-${count}`);
    world.ms += 30_000;
    const next = thumbprint((await one.reference('login')).publicJwk);
    world.ms -= 30_000;
    // It has the key only when it may still read the store at once.
    expect(await two.verifyingKeys('login', next)).to.have.length(1);
  });
});
