import { expect } from 'chai';
import { type CacheOptions, type Loaded, TimedCache } from '../../../domain/foundation/timed-cache.ts';

describe('TimedCache', () => {
  let now = 1_000_000;
  let loads: string[] = [];
  let next: (key: string) => Promise<Loaded<string>>;

  beforeEach(() => {
    now = 1_000_000;
    loads = [];
    next = async (key) => ({ value: key, ttlMs: 1000, bytes: 44 });
  });

  const cacheOf = (more: Partial<CacheOptions<string>> = {}) =>
    new TimedCache<string>({
      name: 'status-lists',
      load: (key) => {
        loads.push(key);
        return next(key);
      },
      failureTtlMs: 50,
      maxBytes: 20_000,
      clock: { now: () => now },
      ...more,
    });
  const failure = (sending: Promise<unknown>): Promise<string> =>
    sending.then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('loads once until the time is over', async () => {
    const cache = cacheOf();
    await cache.get('a');
    now += 999;
    await cache.get('a');
    expect(loads).to.deep.equal(['a']);
    now += 1;
    await cache.get('a');
    expect(loads).to.deep.equal(['a', 'a']);
  });

  it('loads once for all who ask at the same time', async () => {
    const cache = cacheOf();
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])).to.deep.equal(['a', 'a', 'b']);
    expect(loads).to.deep.equal(['a', 'b']);
  });

  it('does not keep what may not be kept', async () => {
    next = async (key) => ({ value: key, ttlMs: 0, bytes: 1 });
    const cache = cacheOf();
    await cache.get('a');
    await cache.get('a');
    expect(loads).to.have.length(2);
  });

  it('remembers a failure for its short time', async () => {
    next = () => Promise.reject(new Error('down'));
    const cache = cacheOf();
    expect(await Promise.all([failure(cache.get('a')), failure(cache.get('a'))])).to.deep.equal(['down', 'down']);
    now += 49;
    expect(await failure(cache.get('a'))).to.equal('down');
    expect(loads).to.have.length(1);
    now += 1;
    next = async () => ({ value: 'up', ttlMs: 1, bytes: 1 });
    expect(await cache.get('a')).to.equal('up');
  });

  it('loads again when the clock was moved back', async () => {
    const cache = cacheOf();
    await cache.get('a');
    now -= 1;
    await cache.get('a');
    expect(loads).to.have.length(2);
  });

  it('keeps what owners loaded apart, and forgets it for one owner alone', async () => {
    const cache = cacheOf();
    for (const owner of ['one', 'two', 'one', 'two']) await cache.get('a', owner);
    expect(loads).to.deep.equal(['a', 'a']);
    cache.forget('a', 'one');
    for (const owner of ['one', 'two']) await cache.get('a', owner);
    expect(loads).to.deep.equal(['a', 'a', 'a']);
  });

  it('lets the least recently used go when they are too large together', async () => {
    next = async (key) => ({ value: key, ttlMs: 1000, bytes: 6000 });
    const cache = cacheOf();
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await cache.get(key);
    expect(loads).to.deep.equal(['a', 'b', 'c', 'd', 'b']);
    next = async (key) => ({ value: key, ttlMs: 1000, bytes: 10_000 });
    for (const key of ['e', 'e']) await cache.get(key);
    expect(loads.slice(5)).to.deep.equal(['e', 'e']);
  });
});
