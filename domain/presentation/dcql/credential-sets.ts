import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText } from '../../foundation/json.ts';
import { readId, readList } from './lists.ts';

/** Combinations of credential queries of which one is to be answered (OpenID4VP 1.0 §6.2). */
export interface CredentialSet {
  /** Ids of credential queries, in the verifier's order of preference. */
  options: string[][];
  required: boolean;
  purpose?: string;
}

const MAX_SETS = 64;
const MAX_OPTIONS = 64;

/** Reads `credential_sets`, of which `ids` are the known queries. @throws DomainError `BadRequest` */
export function readCredentialSets(value: unknown, ids: ReadonlySet<string>): CredentialSet[] {
  if (value === undefined) return [];
  return readList(value, MAX_SETS).map((set, index) => at([index], () => readSet(set, ids)));
}

function readSet(value: unknown, ids: ReadonlySet<string>): CredentialSet {
  if (!isObject(value)) throw invalidField([], 'must be a credential set object');
  const { required = true, purpose } = value;
  if (typeof required !== 'boolean') throw invalidField(['required'], 'must be a boolean');
  const options = at(['options'], () => readList(value.options, MAX_OPTIONS)).map((option, index) =>
    at(['options', index], () => readOption(option, ids)),
  );
  return { options, required, ...(isText(purpose) && { purpose }) };
}

function readOption(value: unknown, known: ReadonlySet<string>): string[] {
  return readList(value, known.size).map((item, place) =>
    at([place], () => {
      const id = readId(item);
      if (known.has(id)) return id;
      throw invalidField([], 'is the id of no credential query');
    }),
  );
}

/** Whether answering these queries is enough: all of them, or an option of each required set. */
export const isEnough = (
  { ids, sets }: { ids: readonly string[]; sets: readonly CredentialSet[] },
  met: ReadonlySet<string>,
): boolean =>
  sets.length === 0
    ? ids.every((id) => met.has(id))
    : sets.every(({ required, options }) => !required || options.some((option) => option.every((id) => met.has(id))));

/** Whether no answer without this query is enough. */
export const isNeeded = (
  { ids, sets }: { ids: readonly string[]; sets: readonly CredentialSet[] },
  id: string,
): boolean =>
  sets.length === 0
    ? ids.includes(id)
    : sets.some(({ required, options }) => required && options.every((option) => option.includes(id)));
