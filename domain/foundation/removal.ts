import type { Collection, RecordKey, Stored } from '../../ports/store.ts';
import { ignoring } from './errors.ts';
import { retried } from './records.ts';

/**
 * The state of removing a record that others may depend on: an addition withdraws `asked`; `decided` is final. A removal
 * of a killed process is withdrawn by the next addition or completed by the next removal. The record exists until the
 * last step.
 */
export interface Removable {
  removal?: 'asked' | 'decided';
}

/** A record to remove. */
interface Removing<T extends Removable> {
  collection: Collection<T>;
  key: RecordKey;
  /** @throws DomainError when another record depends on this one */
  requireUnused(): Promise<void>;
  /** Deletes the dependent data of the record. It may be called again after a failure. */
  clear(value: T): Promise<void>;
  /** Whether a failure of `clear` leaves everything unchanged. */
  isWithdrawable: boolean;
}

/**
 * Removes a record unless another depends on it; returns whether there was a record. An addition that `isKept` confirmed
 * before the mark is detected by the second check. An addition after the mark withdraws the mark, or finds that the
 * removal was decided. @throws DomainError of `requireUnused` and `clear`
 */
export function removeUnused<T extends Removable>(removing: Removing<T>): Promise<boolean> {
  const { collection, key, requireUnused } = removing;
  return retried(async () => {
    await requireUnused();
    const record = await collection.get(key);
    if (!record) return false;
    const decided = record.value.removal === 'decided' ? record : await decide(removing, record);
    if (!decided) return undefined;
    await clear(removing, decided);
    return (await change(collection, { ...decided, expiresAt: 0 })) && true;
  });
}

/** Whether a record that another now depends on is kept; a removal that was only asked for is withdrawn. */
export function isKept<T extends Removable>(collection: Collection<T>, key: RecordKey): Promise<boolean> {
  return retried(async () => {
    const record = await collection.get(key);
    if (record?.value.removal !== 'asked') return record !== undefined && record.value.removal === undefined;
    return (await mark(collection, record, undefined)) && true;
  });
}

async function decide<T extends Removable>(removing: Removing<T>, record: Stored<T>): Promise<Stored<T> | undefined> {
  const { collection, requireUnused } = removing;
  const asked = record.value.removal === 'asked' ? record : await mark(collection, record, 'asked');
  if (!asked) return undefined;
  await orWithdraw(collection, asked, requireUnused);
  return mark(collection, asked, 'decided');
}

async function clear<T extends Removable>(removing: Removing<T>, decided: Stored<T>): Promise<void> {
  const work = (): Promise<void> => removing.clear(decided.value);
  await (removing.isWithdrawable ? orWithdraw(removing.collection, decided, work) : work());
}

async function orWithdraw<T extends Removable>(
  collection: Collection<T>,
  record: Stored<T>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await mark(collection, record, undefined).catch(() => undefined);
    throw error;
  }
}

const mark = <T extends Removable>(
  collection: Collection<T>,
  record: Stored<T>,
  removal: Removable['removal'],
): Promise<Stored<T> | undefined> => change(collection, { ...record, value: { ...record.value, removal } });

/** Undefined when the record was changed meanwhile. */
function change<T>(collection: Collection<T>, record: Stored<T>): Promise<Stored<T> | undefined> {
  const { parent, id, value, expiresAt, revision } = record;
  return collection.replace({ parent, id, value, expiresAt }, revision).catch(ignoring('Conflict'));
}
