import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import { DeferredIssuances, MAX_TRANSACTIONS } from '../../../domain/issuer/endpoints/deferred-issuances.ts';

const CONTEXT = { issuerId: 'open', expiresAt: 2000 };

describe('Deferred issuances', () => {
  let now: number;
  let store: MemoryStore;
  let deferrals: DeferredIssuances;
  beforeEach(() => {
    now = 1000;
    store = new MemoryStore({ now: () => now });
    deferrals = new DeferredIssuances({ store, random: systemRandom });
  });

  const of = (changes: { item?: number; sessionId?: string; grantId?: string; authorizationId?: string } = {}) => ({
    sessionId: 'a.session',
    item: 0,
    grantId: 'grant',
    holders: [],
    ...changes,
  });
  const records = () =>
    store
      .collection({ name: 'deferred-issuances', listed: false, sealed: true, afterRestore: 'kept' })
      .ids({ parent: '', order: 'id', offset: 0, limit: 1000 });

  /** Stores one that has a transaction id. */
  async function create(...given: Parameters<DeferredIssuances['create']>): Promise<string> {
    const id = await deferrals.create(...given);
    if (id === undefined) throw new Error('The item is of another wallet');
    return id;
  }

  it('are one record for each item, however often a wallet asks; its latest transaction ids are good', async () => {
    const ids: string[] = [];
    const authorizationId = 'one';
    for (let n = 0; n < 100; n += 1) ids.push(await create(of({ grantId: `grant ${n}`, authorizationId }), CONTEXT));
    expect(await records()).to.have.length(1);
    const found = await Promise.all(ids.map((id) => deferrals.get('open', id)));
    expect(found.map((one) => one !== undefined)).to.deep.equal(ids.map((_, n) => n >= 100 - MAX_TRANSACTIONS));
    expect(found.at(-1)?.grantId).to.equal('grant 99');
    expect(found.at(-MAX_TRANSACTIONS)).to.deep.equal(found.at(-1));
  });

  it('that are asked for at once all have a transaction id that is good', async () => {
    const asked = Array.from({ length: MAX_TRANSACTIONS }, () => create(of(), CONTEXT));
    const found = (await Promise.all(asked)).map((id) => deferrals.get('open', id));
    expect((await Promise.all(found)).map((one) => one?.grantId)).to.deep.equal(asked.map(() => 'grant'));
  });

  it('stay with the wallet that asked first, unless its request failed and the item is open', async () => {
    const id = await create(of({ authorizationId: 'one' }), CONTEXT);
    for (const changes of [{ grantId: 'other' }, { grantId: 'other', authorizationId: 'two' }])
      expect(await deferrals.create(of(changes), CONTEXT)).to.equal(undefined);
    expect((await deferrals.get('open', id))?.grantId).to.equal('grant');
    const next = await create(of({ grantId: 'other' }), { ...CONTEXT, isOpen: true });
    expect(await deferrals.get('open', id)).to.equal(undefined);
    expect((await deferrals.get('open', next))?.grantId).to.equal('other');
  });

  it('are found by the issuer that made them and by no other text', async () => {
    const [first, other] = [await create(of(), CONTEXT), await create(of({ item: 1 }), CONTEXT)];
    expect((await deferrals.get('open', other))?.item).to.equal(1);
    const swapped = `${first.slice(0, first.lastIndexOf('.'))}.${other.slice(other.lastIndexOf('.') + 1)}`;
    for (const [issuer, id] of [
      ['else', first],
      ['open', swapped],
      ['open', first.slice(1)],
      ['open', `${first}x`],
      ['open', first.slice(0, first.lastIndexOf('.'))],
      ['open', ''],
    ] as const)
      expect(await deferrals.get(issuer, id), id).to.equal(undefined);
    now = 2000;
    expect(await deferrals.get('open', first)).to.equal(undefined);
  });

  it('have transaction ids that do not name their session', async () => {
    expect(await create(of(), CONTEXT)).to.match(/^[\w-]{43}\.[\w-]{43}$/);
  });
});
