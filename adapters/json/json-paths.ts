import { JSONPathEnvironment, type JSONPathQuery, jsonpath } from 'json-p3';
import { DomainError } from '../../domain/foundation/errors.ts';
import { LruCache } from '../../domain/foundation/lru-cache.ts';
import type { JsonPaths, LocatedValue } from '../../ports/json-path.ts';

const { expressions, selectors } = jsonpath;

const MAX_LENGTH = 512;
const MAX_BRANCHES = 64;
/** Memory of a compiled path, in bytes for each of its characters (estimate). */
const BYTES_PER_CHARACTER = 64;

interface Compiled {
  values(document: unknown): unknown[];
  located(document: unknown): LocatedValue[];
}

/**
 * RFC 9535 JSONPath whose cost is linear in the document: one descendant segment at most, filters that look no deeper
 * than their children, no regular expression functions. Compiled paths are cached.
 */
export class Rfc9535Paths implements JsonPaths {
  readonly #environment = new JSONPathEnvironment();
  readonly #cache = new LruCache<Compiled>('json-paths');

  constructor() {
    for (const name of ['match', 'search']) this.#environment.functionRegister.delete(name);
  }

  compile(path: string): Compiled['values'] {
    return this.#compiled(path).values;
  }

  locate(path: string): Compiled['located'] {
    return this.#compiled(path).located;
  }

  #compiled(path: string): Compiled {
    return (
      this.#cache.get(path) ??
      this.#cache.set(path, this.#build(path), { bytes: 1024 + BYTES_PER_CHARACTER * path.length })
    );
  }

  #build(path: string): Compiled {
    if (path.length > MAX_LENGTH) throw refused(`may have at most ${MAX_LENGTH} characters`);
    const query = this.#parse(path);
    checkCost(query);
    return {
      values: (document) => evaluate(query, document)?.values() ?? [],
      located: (document) =>
        [...(evaluate(query, document) ?? [])].map(({ value, location }) => ({ value, path: location })),
    };
  }

  #parse(path: string): JSONPathQuery {
    try {
      return this.#environment.compile(path);
    } catch (cause) {
      throw new DomainError('BadRequest', 'is not a valid RFC 9535 JSONPath', { cause });
    }
  }
}

/** Returns nothing for a document on which the evaluation fails. */
function evaluate(query: JSONPathQuery, document: unknown): ReturnType<JSONPathQuery['query']> | undefined {
  try {
    return query.query(document as Parameters<JSONPathQuery['query']>[0]);
  } catch {
    return undefined;
  }
}

const refused = (why: string): DomainError => new DomainError('BadRequest', `the JSONPath ${why}`);

const isDescendant = (segment: JSONPathQuery['segments'][number]): boolean => segment.token.kind === 'TOKEN_DDOT';

function checkCost(query: JSONPathQuery): void {
  if (query.segments.filter(isDescendant).length > 1) throw refused('may use ".." only once');
  const branches = query.segments.reduce((product, segment) => product * segment.selectors.length, 1);
  if (branches > MAX_BRANCHES) throw refused('has too many selectors');
  for (const segment of query.segments)
    for (const selector of segment.selectors)
      if (selector instanceof selectors.FilterSelector) checkFilter(selector.expression);
}

function checkFilter(expression: unknown): void {
  if (expression instanceof expressions.LogicalExpression) checkFilter(expression.expression);
  else if (expression instanceof expressions.PrefixExpression) checkFilter(expression.right);
  else if (expression instanceof expressions.InfixExpression) {
    checkFilter(expression.left);
    checkFilter(expression.right);
  } else if (expression instanceof expressions.FunctionExtension) expression.args.forEach(checkFilter);
  else if (expression instanceof expressions.FilterQuery) checkInner(expression);
}

/** Checks a query inside a filter: from the root it must be singular; from the current node it may not descend. */
function checkInner(query: InstanceType<typeof expressions.FilterQuery>): void {
  if (query.path.singularQuery()) return;
  if (query instanceof expressions.RootQuery) throw refused('may compare only with single values of the root');
  const simple = query.path.segments.every(
    (segment) =>
      !isDescendant(segment) &&
      segment.selectors.length === 1 &&
      !segment.selectors.some((selector) => selector instanceof selectors.FilterSelector),
  );
  if (!simple) throw refused('may not nest "..", lists or filters in a filter');
}
