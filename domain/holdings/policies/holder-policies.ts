import type { ParsedCredential } from '../../../ports/credential-formats.ts';
import { at } from '../../foundation/errors.ts';
import type { QueryPorts } from '../../presentation/matching/compiled-query.ts';
import { type CredentialCheck, compileCheck, type WrittenCheck } from './checks.ts';

/** What a wallet does with credentials of its own accord. */
export type Direction = 'RECEIVE' | 'PRESENT';

/** A rule of a holder for exchanges that no person agrees to. */
export interface HolderPolicy {
  /** Of several that decide on a credential the one with the smallest number does. */
  priority: number;
  description?: string;
  /** Absent or null for both. */
  direction?: Direction | null;
  /** The credentials that it is about; all when absent. */
  apply?: WrittenCheck;
  /** Of these the ones that it decides on; all when absent. */
  check?: WrittenCheck;
  action: 'ALLOW' | 'BLOCK';
}

/** A policy with the name that decisions refer to it by. */
export interface NamedPolicy extends HolderPolicy {
  name: string;
}

/** What a policy decided on one credential. */
interface Decision {
  action: HolderPolicy['action'];
  /** The name of the policy. */
  policy: string;
}

/** The outcome of an exchange. */
export interface Judgement {
  /** In the order of the credentials; undefined where no policy decided. */
  decisions: (Decision | undefined)[];
  /** Present when the exchange is refused: with the policy that blocks it, or without one where none allows a credential. */
  refusal?: { policy?: string };
}

/** The policies for one direction, ready to be evaluated. */
interface Rules {
  /** In the order in which they decide. */
  readonly list: readonly (Decision & { isAbout: CredentialCheck })[];
}

/** Reads a policy. @throws DomainError `BadRequest` naming `apply` or `check` with its member */
export async function compilePolicy({ apply, check }: HolderPolicy, ports: QueryPorts): Promise<CredentialCheck> {
  const applies = apply && (await at(['apply'], () => compileCheck(apply, ports)));
  const checks = check && (await at(['check'], () => compileCheck(check, ports)));
  return (credential) => applies?.(credential) !== false && checks?.(credential) !== false;
}

/** The policies that count in a direction; those of one priority in the order of their names. @throws as `compilePolicy` */
export async function compileRules(
  policies: readonly NamedPolicy[],
  direction: Direction,
  ports: QueryPorts,
): Promise<Rules> {
  const counting = policies.filter((one) => (one.direction ?? direction) === direction);
  const ordered = counting.sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1));
  const list = ordered.map(async (policy) => {
    const isAbout = await compilePolicy(policy, ports);
    return { action: policy.action, policy: policy.name, isAbout };
  });
  return { list: await Promise.all(list) };
}

/**
 * Judges each credential of an exchange by itself: the first policy that is about it decides. One that is blocked refuses
 * the exchange; where any policy allows something, or no person agreed to the exchange, so does one that none allows.
 */
export function judge(
  { list }: Rules,
  credentials: readonly ParsedCredential[],
  { isUnattended = false }: { isUnattended?: boolean } = {},
): Judgement {
  const found = credentials.map((credential) => list.find(({ isAbout }) => isAbout(credential)));
  const decisions = found.map((rule) => rule && { action: rule.action, policy: rule.policy });
  // The same one in any order of the credentials.
  const blocking = list.find((rule) => rule.action === 'BLOCK' && found.includes(rule));
  if (blocking) return { decisions, refusal: { policy: blocking.policy } };
  const needsAllowance = isUnattended || list.some(({ action }) => action === 'ALLOW');
  return { decisions, ...(needsAllowance && found.includes(undefined) && { refusal: {} }) };
}
