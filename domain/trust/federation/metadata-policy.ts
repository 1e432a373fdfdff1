import { isObject, isSameJson, type JsonObject } from '../../foundation/json.ts';
import { refusedStatement } from './entity-statement.ts';

/** Stands for no value that satisfies an operator. */
const NONE = Symbol('none');

/** An operator of a metadata policy (OpenID Federation 1.0 §6.1.3.1); `undefined` is the value of a parameter that is absent. */
interface Operator {
  /** Combines the operand of a superior with that of its subordinate. */
  merge(superior: unknown, subordinate: unknown): unknown;
  apply(value: unknown, operand: unknown): unknown;
}

/** An operator whose operands have one form. */
const operator = <O>(
  accepts: (operand: unknown) => operand is O,
  row: { merge(superior: O, subordinate: O): unknown; apply(value: unknown, operand: O): unknown },
): Operator => ({
  merge: (superior, subordinate) =>
    accepts(superior) && accepts(subordinate) ? row.merge(superior, subordinate) : NONE,
  apply: (value, operand) => (accepts(operand) ? row.apply(value, operand) : NONE),
});

type List = readonly unknown[];
const isList = (value: unknown): value is List => Array.isArray(value);
const isAny = (_value: unknown): _value is unknown => true;
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const has = (list: List, value: unknown): boolean => list.some((one) => isSameJson(one, value));
const isWithin = (some: unknown, all: unknown): boolean =>
  isList(some) && isList(all) && some.every((one) => has(all, one));
const shared = (left: List, right: List): List => left.filter((one) => has(right, one));
const joined = (left: List, right: List): List => [...left, ...right.filter((one) => !has(left, one))];
const same = (superior: unknown, subordinate: unknown): unknown =>
  isSameJson(superior, subordinate) ? superior : NONE;
const unless = (isEmpty: boolean, value: unknown, otherwise: unknown): unknown => (isEmpty ? otherwise : value);

/** The table of operators, in the order in which they are applied. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  value: operator(isAny, { merge: same, apply: (_value, operand) => operand ?? undefined }),
  add: operator(isList, {
    merge: joined,
    apply: (value, operand) => (value === undefined ? operand : isList(value) ? joined(value, operand) : NONE),
  }),
  default: operator(isAny, { merge: same, apply: (value, operand) => value ?? operand ?? NONE }),
  one_of: operator(isList, {
    merge: (superior, subordinate) => {
      const common = shared(superior, subordinate);
      return unless(common.length === 0, common, NONE);
    },
    apply: (value, operand) => (value === undefined || has(operand, value) ? value : NONE),
  }),
  subset_of: operator(isList, {
    merge: shared,
    apply: (value, operand) => {
      const rest = isList(value) ? shared(value, operand) : [];
      return value === undefined || isList(value) ? unless(rest.length === 0, rest, undefined) : NONE;
    },
  }),
  superset_of: operator(isList, {
    merge: joined,
    apply: (value, operand) => (value === undefined || isWithin(operand, value) ? value : NONE),
  }),
  essential: operator(isFlag, {
    merge: (superior, subordinate) => superior || subordinate,
    apply: (value, operand) => (value === undefined && operand ? NONE : value),
  }),
};

const never = (): boolean => false;

/** Which operators go together for one parameter, and when; pairs that are not listed always do. */
const TOGETHER: readonly [string, string, (left: unknown, right: unknown) => boolean][] = [
  ['value', 'add', (value, added) => isWithin(added, value)],
  ['value', 'default', (value) => value !== null],
  ['value', 'one_of', (value, allowed) => isList(allowed) && has(allowed, value)],
  ['value', 'subset_of', (value, all) => isWithin(value, all)],
  ['value', 'superset_of', (value, some) => isWithin(some, value)],
  ['value', 'essential', (value, isEssential) => value !== null || isEssential !== true],
  ['add', 'one_of', never],
  ['add', 'subset_of', (added, all) => isWithin(added, all)],
  ['default', 'one_of', (value, allowed) => isList(allowed) && has(allowed, value)],
  ['default', 'subset_of', (value, all) => isWithin(value, all)],
  ['default', 'superset_of', (value, some) => isWithin(some, value)],
  ['one_of', 'subset_of', never],
  ['one_of', 'superset_of', never],
  ['superset_of', 'subset_of', (some, all) => isWithin(some, all)],
];

/** The operators of each parameter; those that are not known here are left out (§6.1.3.2). */
type Policy = Readonly<Record<string, JsonObject>>;

/** The policy of all superiors, whose own are in the order from the highest. @throws DomainError `BadRequest` for a conflict */
function merged(policies: readonly JsonObject[]): Policy {
  const result: Record<string, JsonObject> = Object.create(null);
  for (const policy of policies)
    for (const [name, operators] of Object.entries(policy)) {
      if (!isObject(operators)) throw conflict(name);
      const known = Object.entries(operators).filter(([operator]) => Object.hasOwn(OPERATORS, operator));
      const above = result[name] ?? {};
      result[name] = { ...above, ...Object.fromEntries(known.map((one) => mergedOperator(name, above, one))) };
    }
  for (const [name, operators] of Object.entries(result)) checkTogether(name, operators);
  return result;
}

function mergedOperator(name: string, above: JsonObject, [operator, operand]: [string, unknown]): [string, unknown] {
  if (!Object.hasOwn(above, operator)) return [operator, operand];
  const value = OPERATORS[operator]?.merge(above[operator], operand);
  if (value === NONE) throw conflict(name);
  return [operator, value];
}

function checkTogether(name: string, operators: JsonObject): void {
  const isFine = TOGETHER.every(
    ([left, right, holds]) =>
      !(Object.hasOwn(operators, left) && Object.hasOwn(operators, right)) || holds(operators[left], operators[right]),
  );
  if (!isFine) throw conflict(name);
}

const conflict = (name: string) =>
  refusedStatement(`the metadata policies for ${name.slice(0, 64)} contradict each other`);

/**
 * Applies the policies of the superiors of an entity, from the highest, to its metadata (§6.1.4).
 * @throws DomainError `BadRequest` when the policies contradict each other or the metadata do not satisfy them
 */
export function applyPolicies(metadata: JsonObject, policies: readonly JsonObject[]): JsonObject {
  const result = new Map(Object.entries(metadata).filter(([, value]) => value !== null));
  for (const [name, operators] of Object.entries(merged(policies))) {
    let value = result.get(name);
    for (const [operator, { apply }] of Object.entries(OPERATORS))
      if (Object.hasOwn(operators, operator) && value !== NONE) value = apply(value, operators[operator]);
    if (value === NONE) throw refusedStatement(`its ${name.slice(0, 64)} does not satisfy the metadata policy`);
    if (value === undefined) result.delete(name);
    else result.set(name, value);
  }
  return Object.fromEntries(result);
}
