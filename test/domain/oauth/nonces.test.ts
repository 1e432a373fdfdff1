import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { ServerSecret } from '../../../domain/keys/server-secret.ts';
import { SingleUseNonces } from '../../../domain/oauth/single-use-nonces.ts';
import { type NoncePurpose, StampedNonces } from '../../../domain/oauth/stamped-nonces.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';

const START = 1_800_000_000_000;

/** Instances on one store with one clock; `calls` are those to the collection of used nonces. */
function newWorld() {
  const world = { ms: START, calls: 0, isDown: false };
  const clock = { now: () => world.ms };
  const memory = new MemoryStore(clock);
  const store = {
    ...memory,
    collection: <T>(spec: CollectionSpec<T>): Collection<T> =>
      new Proxy(memory.collection(spec), {
        get: (target, name: keyof Collection<T>) => {
          const method = (target[name] as (...all: unknown[]) => unknown).bind(target);
          return (...all: unknown[]) => {
            if (spec.name === 'used-nonces') world.calls += 1;
            if (world.isDown) throw new DomainError('StoreUnavailable', 'The store cannot be reached');
            return method(...all);
          };
        },
      }),
  } as unknown as Store;
  const instance = () => {
    const secret = new ServerSecret({ store, clock, random: systemRandom }, 'nonces');
    const parts = { secret, clock, random: systemRandom };
    return {
      secret,
      nonces: new SingleUseNonces({ ...parts, store }),
      stamped: (purpose: NoncePurpose) => new StampedNonces(parts, purpose),
    };
  };
  const loseSecret = () =>
    memory
      .collection({ name: 'server-secrets', listed: false, sealed: true, afterRestore: 'kept' })
      .remove({ id: 'nonces' });
  return { world, instance, loseSecret };
}

describe('Nonces of the nonce endpoint', () => {
  it('creating a thousand stores nothing', async () => {
    const { world, instance } = newWorld();
    const { nonces } = instance();
    const all = await Promise.all(Array.from({ length: 1000 }, () => nonces.create('issuer')));
    expect(new Set(all).size).to.equal(1000);
    expect(world.calls).to.equal(0);
  });

  it('one is good for 300 seconds, and used once', async () => {
    const { world, instance } = newWorld();
    const { nonces } = instance();
    const [first, late] = [await nonces.create('issuer'), await nonces.create('issuer')];
    world.ms += 299_999;
    expect(await nonces.consume('issuer', first)).to.not.equal(undefined);
    expect(await nonces.consume('issuer', first)).to.equal(undefined);
    world.ms += 1;
    expect(await nonces.consume('issuer', late)).to.equal(undefined);
  });

  it('of fifty uses at once on two instances exactly one succeeds', async () => {
    const { instance } = newWorld();
    const [one, other] = [instance(), instance()];
    const nonce = await one.nonces.create('issuer');
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? one : other).nonces.consume('issuer', nonce)),
    );
    expect(all.filter((consumed) => consumed !== undefined)).to.have.length(1);
  });

  it('one whose use failed is good again, once', async () => {
    const { nonces } = newWorld().instance();
    const nonce = await nonces.create('issuer');
    const consumed = await nonces.consume('issuer', nonce);
    if (consumed) await nonces.restore(consumed);
    const again = await Promise.all([nonces.consume('issuer', nonce), nonces.consume('issuer', nonce)]);
    expect(again.filter((one) => one !== undefined)).to.have.length(1);
  });

  it('one of another issuer or of another purpose is not good', async () => {
    const { nonces, stamped } = newWorld().instance();
    expect(await nonces.consume('other', await nonces.create('issuer'))).to.equal(undefined);
    expect(await nonces.consume('issuer', await stamped('dpop').create('issuer'))).to.equal(undefined);
    expect(await stamped('dpop').endOf('issuer', await nonces.create('issuer'))).to.equal(undefined);
  });

  it('any changed character, any other text and any other length is refused and stores nothing', async () => {
    const { world, instance } = newWorld();
    const { nonces } = instance();
    const nonce = await nonces.create('issuer');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const changed = fc
      .tuple(fc.nat(nonce.length - 1), fc.constantFrom(...letters))
      .map(([at, letter]) => nonce.slice(0, at) + letter + nonce.slice(at + 1))
      .filter((text) => text !== nonce);
    const cut = fc.nat(nonce.length - 1).map((length) => nonce.slice(0, length));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(changed, cut, fc.string(), fc.constant(`${nonce}A`), fc.constant('A'.repeat(99_999))),
        async (text) => {
          expect(await nonces.consume('issuer', text)).to.equal(undefined);
        },
      ),
    );
    expect(world.calls).to.equal(0);
  });

  it('one from the future is refused, but for the difference of two clocks', async () => {
    const { world, instance } = newWorld();
    const { nonces } = instance();
    const [early, tooEarly] = [await nonces.create('issuer'), await nonces.create('issuer')];
    world.ms -= 5001;
    expect(await nonces.consume('issuer', tooEarly)).to.equal(undefined);
    world.ms += 1;
    expect(await nonces.consume('issuer', early)).to.not.equal(undefined);
  });
});

describe('The secret of nonces', () => {
  it('is the same for all instances, also when they start at once', async () => {
    const { instance } = newWorld();
    const all = await Promise.all(Array.from({ length: 10 }, () => instance().secret.digest(['a'])));
    expect(new Set(all.map((bytes) => Buffer.from(bytes).toString('hex'))).size).to.equal(1);
    expect(all[0]).to.have.length(32);
  });

  it('is used without the store once it was read', async () => {
    const { world, instance } = newWorld();
    const { secret } = instance();
    const before = await secret.digest(['a']);
    world.isDown = true;
    world.ms += 3_600_000;
    expect(await secret.digest(['a'])).to.deep.equal(before);
    await instance()
      .secret.digest(['a'])
      .then(
        () => expect.fail('an instance without the secret made one up'),
        (error) => expect(error.code).to.equal('StoreUnavailable'),
      );
  });

  it('survives its loss from the store: instances that run agree on one within 30 seconds', async () => {
    const { world, instance, loseSecret } = newWorld();
    const [one, other] = [instance().secret, instance().secret];
    const before = await one.digest(['a']);
    await other.digest(['a']);
    await loseSecret();
    world.ms += 30_000;
    expect(await one.digest(['a'])).to.deep.equal(before);
    expect(await other.digest(['a'])).to.deep.equal(before);
    expect(await instance().secret.digest(['a'])).to.deep.equal(before);
  });
});
