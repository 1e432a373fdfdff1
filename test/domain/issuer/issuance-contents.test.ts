import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import type { IssuableContent } from '../../../domain/issuer/sessions/issuable-content.ts';
import { IssuanceContents } from '../../../domain/issuer/sessions/issuance-contents.ts';
import type { KeyReference } from '../../../ports/key-service.ts';

const TERMS = { name: 'issuance-terms', listed: false, sealed: true, afterRestore: 'kept' as const };

/** A content of one of several issuers; `number` is in its data. */
const content = (issuer: number, number: number): IssuableContent => ({
  configurationId: 'Degree',
  format: 'jwt_vc_json',
  types: [['VerifiableCredential', 'Degree']],
  issuerKey: { backend: 'jwk', id: `key ${issuer}` } as KeyReference,
  issuer: `did:example:${issuer}`,
  credentialData: { number },
  mapping: { id: '<uuid>' },
  ...(number % 2 && { claims: { number }, display: [{ name: `Degree ${number}` }] }),
});

describe('Contents of offers', () => {
  let now: number;
  let store: MemoryStore;
  let contents: IssuanceContents;
  const start = (): void => {
    now = 0;
    store = new MemoryStore({ now: () => now });
    contents = new IssuanceContents({ store, clock: { now: () => now } });
  };
  beforeEach(start);
  const terms = () => store.collection(TERMS).ids({ parent: '', order: 'id', offset: 0, limit: 100 });

  it('have their terms in common: one record for each issuer, however many offers', async () => {
    for (let n = 0; n < 50; n += 1)
      await contents.insert(`s${n}`, {
        contents: [content(1, n), content(1, n + 1), content(n % 2, n)],
        expiresAt: 1000,
      });
    expect(await terms()).to.have.length(2);
    for (let n = 0; n < 50; n += 1) {
      expect(await contents.get({ contentsId: `s${n}`, content: 1 })).to.deep.include(content(1, n + 1));
      expect(await contents.get({ contentsId: `s${n}`, content: 2 })).to.deep.include(content(n % 2, n));
    }
  });

  it('are there until their offer ends, regardless of other offers with the same terms, also when they are made at once', async () => {
    const offers = fc.array(
      fc.record({ issuer: fc.nat(1), lasts: fc.integer({ min: 1, max: 3_000_000 }), pause: fc.nat(1_000_000) }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(offers, async (made) => {
        start();
        const live: { id: string; issuer: number; end: number }[] = [];
        for (const [index, { issuer, lasts, pause }] of made.entries()) {
          const ids = [`${index}a`, `${index}b`];
          const own = { contents: [content(issuer, index), content(issuer, index + 1)], expiresAt: now + lasts };
          await Promise.all(ids.map((id) => contents.insert(id, own)));
          live.push(...ids.map((id) => ({ id, issuer, end: now + lasts })));
          now += pause;
          for (const { id, end } of live)
            expect((await contents.get({ contentsId: id, content: 0 })) !== undefined, id).to.equal(now < end);
        }
        const left = live.filter(({ end }) => end > now).toSorted((a, b) => a.end - b.end);
        for (const { id, end, issuer } of left) {
          now = end - 1;
          expect((await contents.get({ contentsId: id, content: 0 }))?.issuer).to.equal(`did:example:${issuer}`);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('a single one is held by its session, and has no record, unless it is large', async () => {
    const held = await contents.insert('s', { contents: [content(1, 1)], expiresAt: 1000 });
    expect(held).to.not.have.any.keys('issuerKey', 'issuer', 'mapping');
    expect(held && (await contents.whole(held))).to.deep.include(content(1, 1));
    expect(await contents.get({ contentsId: 's', content: 0 })).to.equal(undefined);
    const large = { ...content(1, 1), credentialData: { portrait: 'x'.repeat(4096) } };
    expect(await contents.insert('l', { contents: [large], expiresAt: 1000 })).to.equal(undefined);
    expect(await contents.get({ contentsId: 'l', content: 0 })).to.deep.include(large);
  });

  it('their terms are read once, and written again at most half a minute after the store was emptied', async () => {
    const insert = () => contents.insert('s', { contents: [content(1, 1)], expiresAt: now + 1000 });
    await insert();
    const [id = ''] = await terms();
    await store.collection(TERMS).remove({ id });
    now += 30_000;
    await insert();
    expect(await terms()).to.deep.equal([id]);
    const other = new IssuanceContents({ store, clock: { now: () => now } });
    const read = () => other.whole({ credentialData: {}, terms: id });
    expect(await read()).to.include({ issuer: 'did:example:1' });
    await store.collection(TERMS).remove({ id });
    expect(await read()).to.include({ issuer: 'did:example:1' });
  });
});
