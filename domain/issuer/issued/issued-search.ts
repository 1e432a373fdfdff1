import type { EntryState } from '../../credentials/status-entries.ts';
import { type ErrorDetail, fieldErrors } from '../../foundation/errors.ts';
import { parseIso } from '../../foundation/time.ts';
import { behind } from '../sessions/record-id.ts';
import type { IssuedRecord } from './issued-record.ts';

/** The parameters of a search, as texts; what the document refuses is never used. */
export type IssuedTexts = Readonly<
  Partial<Record<'reference' | 'recipient' | 'type' | 'state' | 'from' | 'to', string>>
>;

/** Which records are wanted; times are milliseconds since the epoch, and included. */
export interface IssuedFilter {
  reference?: string;
  recipient?: string;
  /** The id of a credential configuration. */
  type?: string;
  state?: EntryState;
  from?: number;
  to?: number;
}

/** @throws DomainError `BadRequest` naming the parameters */
export function readIssuedFilter({ from, to, state, reference, recipient, type }: IssuedTexts): IssuedFilter {
  const times = Object.entries({ from, to }).map(([name, text]) => ({ name, text, ms: parseIso(text ?? '') }));
  const details = times.flatMap<ErrorDetail>(({ name, text, ms }) =>
    text === undefined || ms !== undefined ? [] : [{ path: [name], message: 'is not a time' }],
  );
  if (details.length > 0) throw fieldErrors(details);
  const [first, last] = times.map(({ ms }) => ms);
  return { reference, recipient, type, state: state as EntryState | undefined, from: first, to: last };
}

/** What a record can be found by. */
type IndexKind = 'reference' | 'recipient' | 'state' | 'type';

/** A value by which a record is found. */
export type IndexedValue = readonly [kind: IndexKind, value: string];

/** A text as it is compared: spelling of case, spaces and equal characters does not matter. */
const comparable = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The values by which a record is found, in the order of how few others have them; most records are valid. */
export function indexedValues(of: IssuedFilter): IndexedValue[] {
  const { reference, recipient, state, type } = of;
  const values: [IndexKind, string | undefined][] = [
    ['reference', reference && comparable(reference)],
    ['recipient', recipient && comparable(recipient)],
    ['state', state === 'valid' ? undefined : state],
    ['type', type],
  ];
  return values.flatMap(([kind, value]) => (value === undefined ? [] : [[kind, value] as const]));
}

/** The same of a record. */
export const valuesOf = ({ configurationId: type, ...record }: IssuedRecord): IndexedValue[] =>
  indexedValues({ ...record, type });

/** A filter as it is carried out. */
export interface SearchPlan {
  /** The index to read; all records when absent. */
  index: IndexedValue | undefined;
  /** Whether the index has other records too than those that are wanted. */
  isNarrower: boolean;
  isWanted(record: IssuedRecord): boolean;
  /** The wanted ids lie between these two. */
  after?: string;
  before?: string;
}

/** How the wanted records are found. */
export function planOf({ from, to, ...filter }: IssuedFilter): SearchPlan {
  const wanted = indexedValues(filter);
  const { state } = filter;
  const isWanted = (record: IssuedRecord): boolean => {
    const own = new Map(valuesOf(record));
    return (state === undefined || record.state === state) && wanted.every(([kind, value]) => own.get(kind) === value);
  };
  return {
    index: wanted[0],
    isNarrower: wanted.length > 1 || state === 'valid',
    isWanted,
    after: to === undefined ? undefined : behind(to + 1),
    before: from === undefined ? undefined : behind(from),
  };
}
