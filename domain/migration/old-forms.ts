import type { Secrets } from '../../ports/secrets.ts';
import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import { isObject } from '../foundation/json.ts';
import { isSealed, SEAL, unsealed } from './seal-record.ts';
import { StoreRefusal } from './store-refusal.ts';

/** The oldest version whose records are read. It reads those of all versions before it. */
export const FLOOR = '0.9.0';

/** A form of records that only versions before the floor wrote. */
interface OldForm {
  /** The collections that may have it. */
  collection: RegExp;
  isOld(record: RawRecord, value: () => unknown): boolean;
  /** How the floor converts such records or gets rid of them. */
  end: string;
}

const SEALED = 'an account is converted by its next login, a role or a resource by its next change';
const NAMED = 'its command credenza reseal converts them';
const DELIVERED = 'its server delivers them or gives them up';
const EXPIRED = 'they expire with their sessions';

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const OLD_FORMS: readonly OldForm[] = [
  // 0.1.0 stored them in clear, and identities under ids in clear.
  {
    collection: /^(?:accounts|enterprise-roles|enterprise-resources)$/,
    isOld: ({ body }) => !isSealed(body),
    end: SEALED,
  },
  { collection: /^identities$/, isOld: ({ id }) => id.includes(':'), end: SEALED },
  // 0.3.0 sealed without the id of the key, the record of the master keys too.
  {
    collection: /^/,
    isOld: ({ body }) => typeof body === 'string' && isSealed(body) && !body.includes('.'),
    end: NAMED,
  },
  // 0.4.0 had marks in a collection of their own, and no times of events.
  { collection: /-undelivered-events$/, isOld: () => true, end: DELIVERED },
  {
    collection: /-event-logs$/,
    isOld: (_, value) => [member(value(), 'events')].flat().some((event) => isObject(event) && event.at === undefined),
    end: EXPIRED,
  },
  // 0.5.0 wrote contents with their terms, one record for each transaction id, and no digest of a request.
  { collection: /^issuance-contents$/, isOld: (_, value) => isWithout(value(), 'terms'), end: EXPIRED },
  { collection: /^deferred-issuances$/, isOld: (_, value) => isWithout(value(), 'transactions'), end: EXPIRED },
  {
    collection: /^issuance-sessions$/,
    isOld: (_, value) => isWithout(member(value(), 'managed'), 'request'),
    end: EXPIRED,
  },
  // 0.6.0 named neither the profile nor the formats of a request.
  {
    collection: /^verifier-sessions$/,
    isOld: (_, value) => isWithout(member(value(), 'request'), 'formats'),
    end: EXPIRED,
  },
];

const isWithout = (value: unknown, name: string): boolean => isObject(value) && value[name] === undefined;

/** What is looked through. */
interface OldFormSearch {
  store: RawStore;
  /** Values that it cannot unseal have no old form: another check refuses them. */
  secrets?: Pick<Secrets, 'unseal'>;
  /** Milliseconds since the epoch. */
  now: number;
  /** The version that still reads records of old forms. */
  reader: string;
}

const PAGE = 200;

/** @throws StoreRefusal when the store has records of old forms; it names and counts them */
export async function refuseOldForms({ store, secrets, now, reader }: OldFormSearch): Promise<void> {
  const [seal] = await store.get([SEAL]);
  // Every version writes that record before all others.
  if (!seal) return;
  const found = new Map<string, Map<string, number>>();
  for await (const page of store.records(PAGE))
    for (const record of page) {
      const form = (record.expiresAt ?? Infinity) > now ? formOf(record, secrets) : undefined;
      if (form) count(found, form.end, record.collection);
    }
  if (found.size === 0) return;
  const parts = [...found].map(([end, counts]) => `${[...counts].map((pair) => pair.join(': ')).join(', ')} (${end})`);
  throw new StoreRefusal(
    'The store has records of a version that is not read any more',
    `The store has records that a version before ${FLOOR} wrote and this one does not read: ${parts.join('; ')}. ` +
      `Run Credenza ${reader} on the store until they are gone; docs/upgrading.md says more`,
  );
}

function formOf(record: RawRecord, secrets: OldFormSearch['secrets']): OldForm | undefined {
  const value = (): unknown => readValue(record, secrets);
  return OLD_FORMS.find(({ collection, isOld }) => collection.test(record.collection) && isOld(record, value));
}

function readValue(record: RawRecord, secrets: OldFormSearch['secrets']): unknown {
  if (!isSealed(record.body)) return JSON.parse(String(record.body));
  try {
    return secrets && JSON.parse(unsealed(record, secrets));
  } catch {
    return undefined;
  }
}

function count(found: Map<string, Map<string, number>>, end: string, collection: string): void {
  const counts = found.get(end) ?? new Map<string, number>();
  counts.set(collection, (counts.get(collection) ?? 0) + 1);
  found.set(end, counts);
}
