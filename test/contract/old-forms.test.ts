import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { GuardedStore } from '../../adapters/decorators/migration/guarded-store.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { DATA_STATE, DATA_STATES, markRestoring } from '../../domain/migration/data-version.ts';
import { FLOOR, refuseOldForms } from '../../domain/migration/old-forms.ts';
import { sealContext } from '../../domain/migration/seal-record.ts';
import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { sealedText } from '../support/stores/sealed-text.ts';
import { openStore, rawOf } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

const secrets = new AesSecrets([randomBytes(32)], systemRandom);
const DIGEST = 'a'.repeat(43);

type Form = Pick<RawRecord, 'collection' | 'id'> & { listed?: boolean; value: unknown; isClear?: boolean };

/** What versions before the floor wrote, and how it goes away. */
const OLD: [string, Form, RegExp][] = [
  ['an account in clear', { collection: 'accounts', id: 'a', value: { id: 'a' }, isClear: true }, /next login/],
  ['a role in clear', { collection: 'enterprise-roles', id: 'r', listed: true, value: {}, isClear: true }, /change/],
  ['a resource in clear', { collection: 'enterprise-resources', id: 'r', value: {}, isClear: true }, /change/],
  ['an identity in clear', { collection: 'identities', id: 'email:ada@example.org', value: {} }, /next login/],
  ['a text without key', { collection: 'things', id: 't', value: 'AAAA_-', isClear: true }, /credenza reseal/],
  [
    'a mark of an event',
    { collection: 'issuance-undelivered-events', id: 'e', listed: true, value: { session: 's' }, isClear: true },
    /delivers/,
  ],
  [
    'an event without time',
    { collection: 'issuance-event-logs', id: 's', value: { events: [{ id: 'e', at: 1 }, { id: 'f' }] } },
    /expire/,
  ],
  ['a whole content', { collection: 'issuance-contents', id: 's.0', value: { issuer: 'did:example:1' } }, /expire/],
  ['a transaction id', { collection: 'deferred-issuances', id: DIGEST, value: { sessionId: 's', item: 1 } }, /expire/],
  [
    'an offer without the digest of its request',
    { collection: 'issuance-sessions', id: 's', listed: true, value: { managed: { profileId: 'p' } } },
    /expire/,
  ],
  [
    'a request without formats',
    { collection: 'verifier-sessions', id: 's', listed: true, value: { request: { nonce: 'n' } } },
    /expire/,
  ],
];

/** The same records as the floor wrote them. */
const PRESENT: Form[] = [
  { collection: 'accounts', id: 'a', value: { id: 'a' } },
  { collection: 'enterprise-roles', id: 'r', listed: true, value: {} },
  { collection: 'enterprise-resources', id: 'r', listed: true, value: { content: { type: 'kms' } } },
  { collection: 'identities', id: DIGEST, value: { accountId: 'a' } },
  { collection: 'issuance-due-events', id: 'e', listed: true, value: { event: 'e' }, isClear: true },
  { collection: 'issuance-event-logs', id: 's', value: { next: 2, events: [{ id: 'e', at: 1 }] } },
  { collection: 'issuance-contents', id: 's.0', value: { credentialData: {}, terms: 't' } },
  { collection: 'deferred-issuances', id: DIGEST, value: { sessionId: 's', item: 1, transactions: ['d'] } },
  { collection: 'issuance-sessions', id: 's', listed: true, value: { managed: { profileId: 'p', request: 'd' } } },
  { collection: 'issuance-sessions', id: 't', listed: true, value: { plan: [] } },
  { collection: 'verifier-sessions', id: 's', listed: true, value: { request: { formats: ['jwt_vc_json'] } } },
];

function rawRecord({ value, listed = false, isClear = false, ...place }: Form): RawRecord {
  const key = { ...place, listed, parent: '' };
  const text = JSON.stringify(value);
  const body = isClear ? text : sealedText(secrets.seal(text, sealContext(key)));
  return { ...key, body, revision: 1, createdAt: 1, updatedAt: 1 };
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: unknown) => String(error),
  );

for (const name of ['SQLite', 'Redis', 'PostgreSQL'])
  describe(`Records of versions before ${FLOOR} on ${name}`, () => {
    let under: StoreUnderTest;
    let raw: RawStore;
    let searches: string[];
    beforeEach(async () => {
      under = await openStore(name);
      under.clock.time = Date.now();
      await under.store.ping();
      raw = rawOf(under);
      searches = [];
    });
    afterEach(async () => {
      await raw.close();
      await under.close();
    });

    const instance = (): GuardedStore =>
      new GuardedStore(under.store, {
        clock: systemClock,
        log: silentLog,
        program: '1.0.0',
        verify: async () => {},
        refuseOldForms: (reader) => {
          searches.push(reader);
          return refuseOldForms({ store: raw, secrets, now: Date.now(), reader });
        },
      });
    const seal = (): Promise<void> => new SealedStore(under.store, secrets, systemClock).checkKey();
    const floorOf = async () => (await under.store.collection(DATA_STATES).get(DATA_STATE))?.value.floor;

    for (const [form, record, end] of OLD)
      it(`${form}: the store is refused, and the message names the collection, the count and what ends it`, async () => {
        await seal();
        await raw.put([...PRESENT.filter(({ collection }) => collection !== record.collection), record].map(rawRecord));
        const message = await messageOf(instance().claim());
        expect(message).to.include(`${record.collection}: 1 (`).and.match(end).and.include(`Run Credenza ${FLOOR} on`);
        expect(message.match(/: \d+ \(/g)).to.have.length(1);
        expect(await floorOf()).to.equal(undefined);
      });

    it('all of them: each is counted', async () => {
      await seal();
      const copies = OLD.map(([, record]) => ({ ...record, id: `${record.id}:2` }));
      await raw.put([...OLD.map(([, record]) => record), ...copies].map(rawRecord));
      const message = await messageOf(instance().claim());
      for (const [, { collection }] of OLD) expect(message).to.include(`${collection}: 2`);
    });

    it('the record of the master keys as a sealed text is one', async () => {
      await raw.put([rawRecord({ collection: 'seal', id: 'probe', value: 'AAAA_-', isClear: true })]);
      expect(await messageOf(instance().claim())).to.include('seal: 1 (its command credenza reseal');
    });

    it('a store of the floor is taken, is looked through once, and again after a restoration', async () => {
      await seal();
      await raw.put(PRESENT.map(rawRecord));
      for (const _ of [1, 2]) expect(await messageOf(instance().claim())).to.equal('taken');
      expect([searches, await floorOf()]).to.deep.equal([[FLOOR], FLOOR]);
      for (const begins of [true, false]) await markRestoring(under.store, { program: '0.10.0' }, begins);
      expect(await messageOf(instance().claim())).to.equal('taken');
      expect([searches, await floorOf()]).to.deep.equal([[FLOOR, '0.10.0'], FLOOR]);
    });

    it('an expired one is none, and a store without a record of master keys is a new one', async () => {
      const [, record] = OLD[0] ?? expect.fail();
      await raw.put([rawRecord(record)]);
      expect(await messageOf(refuseOldForms({ store: raw, now: 0, reader: FLOOR }))).to.equal('taken');
      await seal();
      expect(await messageOf(refuseOldForms({ store: raw, now: 0, reader: FLOOR }))).to.include('accounts: 1');
      await raw.put([{ ...rawRecord(record), expiresAt: Date.now() + 60_000 }]);
      const now = Date.now() + 60_001;
      expect(await messageOf(refuseOldForms({ store: raw, now, reader: FLOOR }))).to.equal('taken');
    });

    it('a value in clear is refused where all are sealed', async () => {
      const sealed = new SealedStore(under.store, secrets, systemClock);
      const spec = { name: 'accounts', listed: false, sealed: true, afterRestore: 'kept' as const };
      await under.store.collection({ ...spec, sealed: false }).insert({ id: 'planted', value: { accountId: 'mine' } });
      const refusal = await sealed
        .collection(spec)
        .get({ id: 'planted' })
        .catch((error: unknown) => error);
      expect(isDomainError(refusal, 'StoreUnavailable')).to.equal(true);
    });
  });
