import type { Schemas } from '../../../client/client.ts';
import type { texts } from '../../texts/texts.ts';

type Permission = Schemas['Permission'];

export type Ability = keyof ReturnType<typeof texts>['people']['abilities'];

/** What people do in an office, and the actions that each needs. */
const ABILITIES: Readonly<Record<Ability, readonly string[]>> = {
  issue: ['issuer-credential-issue', 'issuer-profile-view', 'issuer-session-view', 'credential-type-list'],
  find: ['issued-credential-list'],
  revoke: ['issued-credential-list', 'issued-credential-change'],
  check: ['check-run', 'check-list', 'verifier-session-view'],
  types: ['credential-type-create', 'credential-type-list', 'credential-type-update', 'credential-type-delete'],
  checks: ['check-create', 'check-list', 'check-run', 'verifier-session-view'],
  trust: ['trusted-issuer-create', 'trusted-issuer-list'],
  keys: ['list-keys', 'key-create'],
  attest: ['client-attestation-create', 'client-attestation-list', 'client-attestation-revoke'],
  audit: ['audit-view'],
  everything: ['all'],
};

export const ALL_ABILITIES = Object.keys(ABILITIES) as Ability[];

/** What permissions say for one target: abilities that are whole, and how many permissions are none of them. */
interface Allowed {
  target: string;
  abilities: Ability[];
  others: number;
}

/** Permissions in words, for each target that they name. */
export const allowedBy = (permissions: readonly Permission[]): Allowed[] =>
  [...new Set(permissions.map(({ target }) => target))].map((target) => {
    const here = permissions.filter((one) => one.target === target);
    const granted = here.flatMap(({ action, operation }) => (operation === 'ADD' ? [action] : []));
    const abilities = ALL_ABILITIES.filter((name) => ABILITIES[name].every((action) => granted.includes(action)));
    const covered = new Set(abilities.flatMap((name) => ABILITIES[name]));
    const others = here.filter(({ action, operation }) => operation === 'REMOVE' || !covered.has(action)).length;
    return { target, abilities: abilities.includes('everything') ? ['everything'] : abilities, others };
  });

/** The abilities that permissions grant at a target. */
export const abilitiesAt = (permissions: readonly Permission[], target: string): Ability[] =>
  allowedBy(permissions).find((one) => one.target === target)?.abilities ?? [];

/** Permissions for abilities at a target; of the permissions before, those stay that belong to no ability there. */
export function permissionsFor(
  target: string,
  abilities: readonly Ability[],
  before: readonly Permission[] = [],
): Permission[] {
  const had = new Set(abilitiesAt(before, target).flatMap((name) => ABILITIES[name]));
  const kept = before.filter((one) => one.target !== target || one.operation === 'REMOVE' || !had.has(one.action));
  const wanted = [...new Set(abilities.flatMap((name) => ABILITIES[name]))];
  return [...kept, ...wanted.map((action) => ({ target, action, operation: 'ADD' as const }))];
}
