import { expect } from 'chai';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemTurns } from '../../../adapters/system/system.ts';
import type { Activity } from '../../../domain/holdings/activity.ts';
import { Categories } from '../../../domain/holdings/categories.ts';
import { Credentials } from '../../../domain/holdings/credentials.ts';
import { WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import { type CredentialRecord, WALLET_CREDENTIALS } from '../../../domain/holdings/records.ts';
import { HeldCredentialStatus } from '../../../domain/wallet/credential-status.ts';
import { issueCredential, jwkParty } from '../../actors/party.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';

describe('the credentials of a wallet', () => {
  it('one that was stored before its contradiction was rejected stays in the list, unparsed', async () => {
    const store = new MemoryStore(systemClock);
    const credentials = new Credentials({
      store,
      stores: new WalletStores({ store, clock: systemClock }),
      formats: testFormats,
      clock: systemClock,
      turns: systemTurns,
      activity: silentActivity,
    });
    const [issuer, holder] = [await jwkParty(), await jwkParty()];
    const documents = [
      await issueCredential(issuer, holder),
      await issueCredential(issuer, holder, { vc: { issuer: holder.did } }),
    ];
    const records = store.collection<CredentialRecord>(WALLET_CREDENTIALS);
    for (const [index, document] of documents.entries())
      await records.insert({
        id: `${index}`,
        parent: 'wallet',
        value: { format: 'jwt_vc_json', document, holder: holder.did, pending: false },
      });
    const [honest, twofold] = await credentials.usable('wallet');
    expect(honest?.parsed?.document).to.deep.equal(decodeJwt(documents[0] ?? '').vc);
    expect([twofold?.document, twofold?.parsed]).to.deep.equal([documents[1], undefined]);
    expect((await credentials.get('wallet', '1')).parsed).to.equal(undefined);
  });

  it('the event log has each decision once, with the id, type and issuer of the credential and none of its claims', async () => {
    const store = new MemoryStore(systemClock);
    const seen: Activity[] = [];
    const activity = { record: async (_: string, one: Activity) => void seen.push(one) };
    const credentials = new Credentials({
      store,
      stores: new WalletStores({ store, clock: systemClock }),
      formats: testFormats,
      clock: systemClock,
      turns: systemTurns,
      activity,
    });
    const [issuer, holder] = [await jwkParty(), await jwkParty()];
    const add = async (jti: string): Promise<void> => {
      const document = await issueCredential(issuer, holder, { subject: { name: 'Ada' }, claims: { jti } });
      await credentials.addAll('wallet', [{ format: 'jwt_vc_json', document, holder: holder.did, pending: true }]);
    };
    for (const id of ['urn:a', 'urn:b']) await add(id);
    await credentials.accept('wallet', 'urn:a');
    await credentials.accept('wallet', 'urn:a');
    await credentials.reject('wallet', 'urn:b', 'Not mine');
    await credentials.remove('wallet', 'urn:a', true);
    for (const refused of ['accept', 'reject', 'restore'] as const)
      await credentials[refused]('wallet', 'urn:a').catch(() => undefined);
    const data = { format: 'jwt_vc_json', credentialType: 'UniversityDegreeCredential', issuer: issuer.did };
    expect(seen).to.deep.equal([
      { event: 'Credential', action: 'Accept', credentialId: 'urn:a', data },
      { event: 'Credential', action: 'Reject', credentialId: 'urn:b', data, note: 'Not mine' },
      { event: 'Credential', action: 'Delete', credentialId: 'urn:a', data },
    ]);
  });

  it('one that cannot be parsed has no status', async () => {
    const store = new MemoryStore(systemClock);
    const credentials = new Credentials({
      store,
      stores: new WalletStores({ store, clock: systemClock }),
      formats: testFormats,
      clock: systemClock,
      turns: systemTurns,
      activity: silentActivity,
    });
    const record = { format: 'unknown', document: 'x', holder: 'did:key:z', pending: false };
    const [stored] = await credentials.addAll('wallet', [record]);
    const lookUp = async () => [];
    const status = new HeldCredentialStatus({ credentials, statuses: { lookUp } }).of('wallet', stored?.id ?? '');
    expect(await status.catch(({ code }) => code)).to.equal('BadRequest');
  });

  it('are the same page by page as at once, while others are added and removed between the pages', async () => {
    const flags = fc.record({ isDeleted: fc.boolean(), pending: fc.boolean(), category: fc.constantFrom('a', 'b') });
    const filters = fc.record({
      showDeleted: fc.boolean(),
      showPending: fc.boolean(),
      descending: fc.boolean(),
      categories: fc.constantFrom(undefined, ['a'], ['a', 'b'], ['c']),
    });
    const ids = (page: readonly { id: string }[]): string[] => page.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(
        fc.array(flags, { maxLength: 40 }),
        filters,
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
        async (kept, filter, limits) => {
          const clock = { time: 0, now: () => clock.time };
          const store = new MemoryStore(clock);
          const activity = silentActivity;
          const stores = new WalletStores({ store, clock });
          const parts = { store, stores, formats: testFormats, clock, turns: systemTurns, activity };
          const [credentials, categories] = [new Credentials(parts), new Categories(parts)];
          for (const name of ['a', 'b', 'c']) await categories.add('w', name);
          const records = store.collection<CredentialRecord>(WALLET_CREDENTIALS);
          const add = async (id: string, { isDeleted, pending, category }: (typeof kept)[number]): Promise<void> => {
            const value = {
              format: 'x',
              document: id,
              holder: 'did:key:z',
              pending,
              ...(isDeleted && { deletedAt: 1 }),
            };
            await records.insert({ id, parent: 'w', value });
            await credentials.categorise('w', id, { add: [category] });
          };
          for (const [at, one] of kept.entries()) await add(`kept ${at}`, one);
          const whole = ids(await credentials.list('w', filter));
          const pages: string[] = [];
          let after: number | undefined;
          for (let page = 0, isLast = false; !isLast; page += 1) {
            const limit = limits[page % limits.length] ?? 1;
            const found = await credentials.list('w', { ...filter, limit, after });
            expect(found.length).to.be.at.most(limit);
            isLast = found.length < limit;
            pages.push(...ids(found));
            after = found.at(-1)?.addedAt;
            clock.time += 1;
            if (page < 5) await add(`passing ${page}`, { isDeleted: false, pending: false, category: 'a' });
            if (page > 0 && page < 6) await credentials.remove('w', `passing ${page - 1}`, true);
          }
          expect(pages.filter((id) => id.startsWith('kept'))).to.deep.equal(whole);
          expect(new Set(pages).size).to.equal(pages.length);
        },
      ),
    );
  });
});
