import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { SEAL_ID, SEALS } from '../../domain/migration/seal-record.ts';
import type { Body, Collection, CollectionSpec } from '../../ports/store.ts';
import { openStore, STORE_NAMES } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

const KEYS = Array.from({ length: 4 }, () => randomBytes(32));
const [FIRST, SECOND, THIRD] = KEYS as [Buffer, Buffer, Buffer];
const secretsOf = (...keys: Buffer[]): AesSecrets => new AesSecrets(keys, systemRandom);

const IDENTITIES: CollectionSpec<number> = {
  name: 'identities',
  listed: false,
  sealed: true,
  afterRestore: 'kept',
  hidden: 'id',
};
const THINGS: CollectionSpec<number> = { name: 'things', listed: true, sealed: true, afterRestore: 'kept' };

describe('A ring of master keys', () => {
  const key = fc.integer({ min: 0, max: KEYS.length - 1 });
  const ring = fc.uniqueArray(key, { minLength: 1, maxLength: KEYS.length });
  const toKeys = (indexes: number[]): Buffer[] => indexes.map((index) => KEYS[index] as Buffer);

  it('property: a ring opens exactly the texts that one of its keys sealed', () =>
    fc.assert(
      fc.property(ring, ring, fc.string(), (writer, reader, plain) => {
        const sealed = secretsOf(...toKeys(writer)).seal(plain, 'place');
        const secrets = secretsOf(...toKeys(reader));
        const open = (): string => secrets.unseal(sealed, 'place');
        if (reader.includes(writer[0] as number)) expect(open()).to.equal(plain);
        else expect(open).to.throw('another master key');
      }),
    ));

  it('property: a text that was altered anywhere, or moved to another place, is refused', () =>
    fc.assert(
      fc.property(fc.string(), fc.nat(), (plain, position) => {
        const secrets = secretsOf(FIRST, SECOND);
        const sealed = secrets.seal(plain, 'place');
        const altered = Buffer.from(sealed);
        const at = position % altered.length;
        altered[at] = (altered[at] as number) ^ 1;
        expect(() => secrets.unseal(altered, 'place')).to.throw('another master key');
        expect(() => secrets.unseal(sealed, 'another place')).to.throw('another master key, or altered');
      }),
    ));

  it('a key that is listed twice counts once, and ids of keys have eight characters', () => {
    const { keyIds } = secretsOf(FIRST, SECOND, FIRST);
    expect(keyIds).to.deep.equal([secretsOf(FIRST).keyIds[0], secretsOf(SECOND).keyIds[0]]);
    for (const id of keyIds) expect(id).to.match(/^[A-Za-z0-9_-]{8}$/);
  });
});

for (const name of STORE_NAMES.filter((store) => !store.startsWith('sealed')))
  describe(`A store under a ring of master keys on ${name}`, () => {
    let under: StoreUnderTest;
    beforeEach(async () => {
      under = await openStore(name);
    });
    afterEach(() => under.close());
    const instance = (...keys: Buffer[]): SealedStore => new SealedStore(under.store, secretsOf(...keys), systemClock);
    const identities = (...keys: Buffer[]): Collection<number> => instance(...keys).collection(IDENTITIES);

    it('reads what any key of the ring sealed and writes under the first', async () => {
      await instance(FIRST).collection(THINGS).insert({ id: 'a', value: 1 });
      const things = instance(SECOND, FIRST).collection(THINGS);
      const { revision, value } = (await things.get({ id: 'a' })) ?? {};
      expect(value).to.equal(1);
      await things.replace({ id: 'a', value: 2 }, revision ?? 0);
      const isOfSecond = (body: Body): string => String(secretsOf(SECOND).isCurrent(body));
      const sealing = { seal: () => new Uint8Array(), unseal: isOfSecond };
      const spec = { name: THINGS.name, listed: true, sealed: true, afterRestore: 'kept', sealing } as const;
      const raw = await under.store.collection<boolean>(spec).get({ id: 'a' });
      expect(raw?.value).to.equal(true);
    });

    it('a start without a key that may have sealed data fails and names the keys', async () => {
      await instance(FIRST).checkKey();
      await instance(SECOND, FIRST).checkKey();
      for (const keys of [[FIRST], [SECOND], [THIRD, FIRST]]) {
        const error = await messageOf(instance(...keys).checkKey());
        expect(error)
          .to.include('another master key')
          .and.include(secretsOf(...keys).keyIds.join(', '));
      }
      await instance(FIRST, SECOND).checkKey();
    });

    it('50 first starts with the keys in different orders agree on one record', async () => {
      const starts = Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? instance(FIRST, SECOND) : instance(SECOND, FIRST),
      );
      await Promise.all(starts.map((store) => store.checkKey()));
      const all = starts.map((store) => store.collection(IDENTITIES));
      await all[0]?.insert({ id: 'ada', value: 1 });
      for (const collection of all) expect((await collection.get({ id: 'ada' }))?.value).to.equal(1);
    });

    it('hidden ids keep their place in a rotation: of instances with different current keys exactly one inserts', async () => {
      await identities(FIRST).insert({ id: 'before', value: 1 });
      const rings = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? [FIRST, SECOND] : [SECOND, FIRST]));
      const inserts = await Promise.allSettled(
        rings.map((ring, value) => identities(...ring).insert({ id: 'ada', value })),
      );
      expect(inserts.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      for (const ring of [
        [SECOND, FIRST],
        [FIRST, SECOND],
      ])
        expect(await codeOf(identities(...ring).insert({ id: 'before', value: 2 }))).to.equal('Conflict');
      const takes = await Promise.all(rings.map((ring) => identities(...ring).take({ id: 'before' })));
      expect(takes.flatMap((record) => record?.value ?? [])).to.deep.equal([1]);
    });

    it('a store that was emptied gets its record back from an instance that is running', async () => {
      await identities(FIRST).insert({ id: 'ada', value: 1 });
      let now = 0;
      const running = new SealedStore(under.store, secretsOf(SECOND, FIRST), { now: () => now });
      await running.collection(IDENTITIES).get({ id: 'ada' });
      await under.store.collection(SEALS).remove({ id: SEAL_ID });
      now += 30_000;
      expect((await running.collection(IDENTITIES).get({ id: 'ada' }))?.value).to.equal(1);
      expect((await identities(FIRST, SECOND).get({ id: 'ada' }))?.value).to.equal(1);
    });
  });

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: Error) => error.message,
  );

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: unknown) => (isDomainError(error) ? error.code : String(error)),
  );
