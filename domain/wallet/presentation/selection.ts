import { type ClaimPath, isWithin } from '../../credentials/disclosure.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import type { CompiledQuery, Hint, Match } from '../../presentation/matching/compiled-query.ts';

/** A credential that is selected for a query. */
export interface SelectedCredential {
  queryId: string;
  credentialId: string;
}

/** A claim that is selected of one. */
export interface SelectedClaim extends SelectedCredential {
  path: readonly (string | number | null)[];
}

/** What is selected for a request. */
export interface Selection {
  /** In the order of `hints`. */
  selected: StoredCredential[];
  hints: Hint[];
}

/** A query with the credentials that are matched against it. */
interface Matched {
  query: CompiledQuery;
  credentials: readonly StoredCredential[];
}

/**
 * Selects for each query that must be answered the first credential that satisfies it, all of them where several may be
 * presented, and of each choice between queries the first option that can be answered.
 * @throws DomainError `BadRequest` naming a query without a credential
 */
export function selectFirst(matches: readonly Match[], { query, credentials }: Matched): Selection {
  const met = new Set(matches.flatMap(({ queryId, met: isMet }) => (isMet ? queryId : [])));
  if (!query.isAnswerable(matches)) throw unanswered(query.queryIds.find((id) => !met.has(id)) ?? '');
  const answered = neededQueries(query, met);
  const chosen = matches
    .filter(({ queryId }) => answered.has(queryId))
    .flatMap(({ queryId, credentials: found }) =>
      found.slice(0, query.singleIds.has(queryId) ? 1 : found.length).map((place) => ({ queryId, place })),
    );
  return selectionOf(chosen, credentials);
}

/** Every query, or where there are choices the first option of each required one that can be answered. */
function neededQueries(query: CompiledQuery, met: ReadonlySet<string>): ReadonlySet<string> {
  const { choices } = query.describe();
  if (choices.length === 0) return met;
  const required = choices.filter(({ isRequired }) => isRequired);
  return new Set(required.flatMap(({ options }) => options.find((option) => option.every((id) => met.has(id))) ?? []));
}

/**
 * Selects what a person chose. Errors name `selectedCredentialOptions`.
 * @throws DomainError `BadRequest` for a credential that does not satisfy its query, and for a query that stays unanswered
 */
export function selectNamed(chosen: readonly SelectedCredential[], { query, credentials }: Matched): Selection {
  const places = new Map(credentials.map(({ id }, place) => [id, place]));
  const distinct = new Map(chosen.map((one) => [JSON.stringify([one.queryId, one.credentialId]), one]));
  const named = [...distinct.values()].map(({ queryId, credentialId }) => {
    const place = places.get(credentialId);
    if (place === undefined) throw refused(`this wallet has no credential ${credentialId.slice(0, 80)}`);
    const { parsed, format } = credentials[place] ?? {};
    const asked = parsed && { ...parsed, format: format ?? parsed.format, alg: undefined };
    if (!query.accepts(queryId, asked))
      throw refused(`${credentialId.slice(0, 80)} does not answer the query "${queryId.slice(0, 64)}"`);
    return { queryId, place };
  });
  const selection = selectionOf(named, credentials);
  const matches = query.queryIds.map((queryId): Match => {
    const found = selection.hints.flatMap((hint) => (hint.queryId === queryId ? (hint.index ?? []) : []));
    if (found.length > 1 && query.singleIds.has(queryId))
      throw refused(`one credential is asked for by the query "${queryId.slice(0, 64)}"`);
    return { queryId, credentials: found, met: found.length > 0 };
  });
  if (!query.isSatisfied(matches)) throw unanswered(matches.find(({ met }) => !met)?.queryId ?? '');
  return selection;
}

function selectionOf(
  chosen: readonly { queryId: string; place: number }[],
  credentials: readonly StoredCredential[],
): Selection {
  const places = [...new Set(chosen.map(({ place }) => place))];
  return {
    selected: places.flatMap((place) => credentials[place] ?? []),
    hints: chosen.map(({ queryId, place }) => ({ queryId, index: places.indexOf(place) })),
  };
}

/** Which claims answering a query with a credential discloses. */
interface ClaimChoice {
  /** In every way to answer it. */
  required: ClaimPath[];
  /** In some ways. */
  selectable: ClaimPath[];
}

/** Undefined where the credential is asked for as a whole. */
export function claimChoice(alternatives: readonly (ClaimPath[] | undefined)[]): ClaimChoice | undefined {
  const sets = alternatives.filter((set) => set !== undefined);
  if (sets.length === 0 || sets.length < alternatives.length) return undefined;
  const all = new Map(sets.flat().map((path) => [JSON.stringify(path), path]));
  const isRequired = (path: ClaimPath): boolean => sets.every((set) => set.some((one) => isSame(one, path)));
  const paths = [...all.values()];
  return { required: paths.filter(isRequired), selectable: paths.filter((path) => !isRequired(path)) };
}

/**
 * The claims to show of a credential for a query: those that are always shown and those that a person chose, which must
 * complete one way to answer it. Undefined where nothing was chosen. Errors name `selectedDisclosureOptions`.
 * @throws DomainError `BadRequest` for a claim that is not asked for, and when what is left out is needed
 */
export function shownClaims(
  chosen: readonly SelectedClaim['path'][],
  alternatives: readonly (ClaimPath[] | undefined)[],
): ClaimPath[] | undefined {
  if (chosen.length === 0) return undefined;
  const choice = claimChoice(alternatives);
  if (!choice) throw refusedClaim('is of a credential that is asked for as a whole');
  const { required, selectable } = choice;
  const asked = [...required, ...selectable];
  const wanted = chosen.map((path) => asked.find((one) => isSame(one, path)) ?? unasked(path));
  const shown = [...required, ...wanted.filter((path) => !required.includes(path))];
  const isShown = (path: ClaimPath): boolean => shown.some((one) => isWithin(path, one));
  if (alternatives.some((set) => set?.every(isShown))) return shown;
  throw refusedClaim('leaves out claims without which the query is not answered');
}

const isSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((part, place) => part === right[place]);

function unasked(path: SelectedClaim['path']): never {
  throw refusedClaim(`${JSON.stringify(path).slice(0, 200)} is not asked for`);
}

const refused = (message: string) => invalidField(['selectedCredentialOptions'], message);
const refusedClaim = (message: string) => invalidField(['selectedDisclosureOptions'], message);
const unanswered = (id: string) =>
  invalidField(['selectedCredentialOptions'], `no credential answers the query "${id.slice(0, 64)}"`);
