import type { FormatFacts, PresentationFacts } from '../../credentials/formats/facts.ts';
import type { DomainError } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { Hint } from '../matching/compiled-query.ts';
import { parseParameter, refusedParameter } from '../matching/response-parameters.ts';

const MAX_ENTRIES = 256;
const MAX_NESTING = 8;
/** A member of a JSONPath in brackets (RFC 9535 §2.3.1). */
const IN_BRACKETS = /\['([^'\\]+)'\]|\["([^"\\]+)"\]/g;

/** A presentation of a response, as the paths of a descriptor map find it. */
export interface ListedPresentation {
  /** How many credentials it has. */
  count: number;
  /** JSONPaths of the list of its credentials; none when it is the credential itself. */
  credentialsAt: readonly string[];
  /** Whether the `vp_token` is a list of presentations. */
  isListed: boolean;
}

/** Reads a presentation submission (Presentation Exchange 2.0 §6). @throws DomainError `BadRequest` */
export function parseSubmission(text: string): JsonObject {
  const value = parseParameter('presentation_submission', text);
  if (!isObject(value)) throw refused('must be a JSON object');
  const { descriptor_map: map } = value;
  if (!Array.isArray(map) || map.length > MAX_ENTRIES)
    throw refused(`descriptor_map must be a list of at most ${MAX_ENTRIES}`);
  for (const entry of map) checkEntry(entry, 0);
  return value;
}

const refused = (why: string): DomainError => refusedParameter('presentation_submission', why);

function checkEntry(entry: unknown, depth: number): void {
  if (!isObject(entry) || !isText(entry.path) || (depth === 0 && !isText(entry.id)))
    throw refused('each entry of descriptor_map needs id and path');
  if (depth > MAX_NESTING) throw refused('path_nested goes too deep');
  if (entry.path_nested !== undefined) checkEntry(entry.path_nested, depth + 1);
}

/**
 * Reads the descriptor map as hints about the presentations of a response; a query is a descriptor here. An entry for a
 * presentation with several credentials that no path can distinguish, such as the documents of an mdoc response, is none.
 */
export function hintsOf(submission: JsonObject, presentations: readonly ListedPresentation[]): Hint[] {
  const map = Array.isArray(submission.descriptor_map) ? submission.descriptor_map.filter(isObject) : [];
  return map.flatMap((entry) => {
    const paths = pathsOf(entry);
    const named = namedIn(paths, presentations);
    if (named && named.count > 1 && named.credentialsAt.length === 0) return [];
    return { queryId: String(entry.id), index: named && indexOf(paths, named, presentations) };
  });
}

/** The paths of an entry, each relative to what the one before it selects. */
function pathsOf(entry: JsonObject): string[] {
  const paths: string[] = [];
  for (let inner: unknown = entry; isObject(inner); inner = inner.path_nested) paths.push(String(inner.path));
  return paths;
}

/** `$[i]` is a presentation of a list, `$` the only one; a path that begins within the only one needs no other. */
const IN_LIST = /^\$\[(\d{1,4})\]$/;

function namedIn(
  [first = '']: readonly string[],
  presentations: readonly ListedPresentation[],
): ListedPresentation | undefined {
  const [, place] = IN_LIST.exec(first) ?? [];
  if (place === undefined) return presentations.length === 1 ? presentations[0] : undefined;
  const named = presentations[Number(place)];
  return named?.isListed ? named : undefined;
}

function indexOf(
  paths: readonly string[],
  named: ListedPresentation,
  presentations: readonly ListedPresentation[],
): number | undefined {
  const innermost = paths.length === 1 && IN_LIST.test(paths[0] ?? '') ? '$' : (paths.at(-1) ?? '');
  const index = indexIn(innermost, named.credentialsAt, named.count);
  const before = presentations.slice(0, presentations.indexOf(named)).reduce((sum, { count }) => sum + count, 0);
  return index !== undefined && index < named.count ? before + index : undefined;
}

/** The index at the end of a path to the list of credentials; a path to the list or its parent names the only one. */
function indexIn(path: string, lists: readonly string[], count: number): number | undefined {
  const [, list = '', index] = /^(.*?)(?:\[(\d{1,4})\])?$/s.exec(path.replace(IN_BRACKETS, '.$1$2')) ?? [];
  if (index !== undefined) return lists.includes(list) ? Number(index) : undefined;
  const isOfAll = list === '$' || lists.some((known) => known === list || known.startsWith(`${list}.`));
  return isOfAll && count === 1 ? 0 : undefined;
}

/** What a submission is created from. */
interface NewSubmission {
  id: string;
  definitionId: string;
  answers: SubmittedCredential[];
  /** The format of each presentation. */
  formats: readonly (Pick<FormatFacts, 'name'> & { presentation: PresentationFacts })[];
}

/** A credential that is presented for a query. */
interface SubmittedCredential {
  queryId: string;
  /** The place of its presentation in the response. */
  presentation: number;
  /** Its place in the presentation. */
  index: number;
}

/** Creates the submission of a response: of one presentation, or of a list of them. */
export function createSubmission({ id, definitionId, answers, formats }: NewSubmission) {
  const entries = answers.flatMap(({ queryId, presentation, index }) => {
    const found = formats[presentation];
    if (!found) return [];
    const { submitted: format, credentialsAt } = found.presentation;
    const [list] = credentialsAt;
    const nested = list && { path_nested: { id: queryId, format: found.name, path: `${list}[${index}]` } };
    return { id: queryId, format, path: formats.length === 1 ? '$' : `$[${presentation}]`, ...nested };
  });
  return { id, definition_id: definitionId, descriptor_map: entries };
}
