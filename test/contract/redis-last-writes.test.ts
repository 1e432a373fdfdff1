import { expect } from 'chai';
import { Keys } from '../../adapters/redis/keys.ts';
import { LAST_WRITE_KEPT_MS } from '../../domain/foundation/last-writes.ts';
import { sharedNode } from '../support/stores/redis.ts';
import { redisSettings, redisStore } from '../support/stores/stores.ts';

describe('Times of last writes in Redis', () => {
  it('expire in Redis a day after their time; one that is forgotten is the latest of its records', async () => {
    const node = await sharedNode();
    const settings = redisSettings(false, [node]);
    const clock = { time: 1_000_000, now: () => clock.time };
    const store = redisStore(settings, clock);
    const things = store.collection<{ n: number }>({
      name: 'things',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
    await things.insert({ parent: 'p', id: 'a', value: { n: 1 } });
    const { lastWrite } = new Keys(settings.keyPrefix).group('things', 'p');
    const left = Number(await node.command('PTTL', lastWrite));
    expect(left).to.be.within(LAST_WRITE_KEPT_MS - 60_000, LAST_WRITE_KEPT_MS + 60_000);
    expect(await node.command('GET', lastWrite)).to.equal(
      `1 1000000 1000000 ${1_000_000 + LAST_WRITE_KEPT_MS} 1000000`,
    );
    await node.command('DEL', lastWrite);
    clock.time = 5;
    expect((await things.insert({ parent: 'p', id: 'b', value: { n: 1 } })).createdAt).to.equal(1_000_001);
    await store.close();
  });

  it('names every key of a group, and parses the record or group of a key', () => {
    const keys = new Keys('x:');
    for (const [collection, parent] of [
      ['things', ''],
      ['wallet-keys', 'a:b{c}%'],
    ] as const) {
      const { records, lastWrite, ...indexes } = keys.group(collection, parent);
      expect(keys.place(records)).to.deep.equal({ kind: 'group', collection, parent });
      const mark = { collection: 'last-writes', parent: collection, id: parent };
      expect(keys.place(lastWrite)).to.deep.equal({ kind: 'single', ...mark });
      expect(keys.single(mark.collection, mark)).to.equal(lastWrite);
      for (const key of Object.values(indexes)) expect(keys.place(key)).to.equal(undefined);
    }
  });
});
