import { childOf, parentOf, segmentsOf, type Target } from './targets.ts';

/** What a permission can allow, by the names that roles use. A role may also contain names without a meaning here. */
export const ACTIONS = {
  'tenant-create': 'create tenants',
  'service-create': 'create services',
  'service-update': 'change the configuration and the dependencies of a service',
  'service-use': 'make a service a dependency of another, which then works with what it contains',
  'resource-view': 'show the resource at a target',
  'resource-delete': 'delete the resource at a target',
  'resource-list': 'list resources; the children of a service only with the action of their own list',
  'resource-update': 'replace the child of a service at a target',
  'key-create': 'create and import keys',
  'key-sign': 'sign with a key',
  'list-keys': 'list and show keys',
  'did-create': 'create and store DIDs',
  'did-list': 'list and show DIDs',
  'did-change': 'give DIDs other keys and deactivate them',
  'credential-create': 'store credentials',
  'issuer-profile-view': 'show the profiles of an issuer',
  'issuer-profile-create': 'create profiles of an issuer',
  'issuer-profile-update': 'replace profiles of an issuer that were created',
  'issuer-profile-delete': 'remove profiles of an issuer that were created',
  'attribute-table-view': 'show tables of attributes of an issuer, without their rows',
  'attribute-table-update': 'import tables of attributes of an issuer',
  'attribute-table-delete': 'remove tables of attributes of an issuer',
  'issuer-credential-issue': 'offer the credentials of an issuer',
  'credential-type-create': 'create credential types of an issuer',
  'credential-type-list': 'list and show credential types',
  'credential-type-update': 'publish new versions of credential types',
  'credential-type-delete': 'remove credential types',
  'issuer-session-view': 'show the issuance sessions of an issuer and their events',
  'issued-credential-list': 'list, find and show what an issuer issued',
  'issued-credential-change': 'revoke, suspend and restore what an issuer issued',
  'issuer-recipient-delete': 'forget for whom credentials are',
  'credential-list': 'list and show credentials',
  'policy-create': 'store policies',
  'policy-list': 'list and show policies',
  'verification-create': 'create verification sessions',
  'check-create': 'save checks of a verifier',
  'check-list': 'list and show saved checks',
  'check-run': 'create verification sessions of saved checks',
  'verifier-session-view': 'show and list verification sessions, with what was presented',
  'role-list': 'list the roles at a target',
  'role-view': 'show a role',
  'permission-view': 'ask what an account may do',
  'audit-view': 'list, export and check recorded events',
  'api-key-list': 'list API keys',
  'api-key-delete': 'revoke API keys',
  'invitation-list': 'list invitations',
  'invitation-delete': 'revoke invitations',
  'host-alias-create': 'give domains to a target',
  'host-alias-list': 'list the domains of a target',
  'host-alias-delete': 'take domains from a target',
  'certificate-create': 'store certificates',
  'certificate-list': 'list certificates',
  'certificate-issue': 'issue certificates',
  'certificate-revoke': 'revoke certificates that were issued here',
  'vical-publish': 'publish VICALs',
  'vical-list': 'list versions of VICALs',
  'trusted-issuer-create': 'add trusted issuers',
  'trusted-issuer-list': 'list trusted issuers',
  'client-attestation-create': 'attest keys of wallets',
  'client-attestation-list': 'list and show client attestations',
  'client-attestation-revoke': 'revoke client attestations',
  'wallet-credential-receive': 'receive credentials into wallets',
  'wallet-credential-present': 'present credentials of wallets',
  'wallet-attestation-obtain': 'obtain client attestations for keys of wallets',
  'status-credential-create': 'open status lists',
  'status-credential-list': 'list status lists',
  'status-entry-create': 'allocate entries of status lists',
  'status-entry-list': 'list and find entries of status lists',
  'status-entry-change': 'revoke, suspend and restore credentials',
} as const;

export type Action = keyof typeof ACTIONS;

/** One line of a role: what is allowed, or denied, at a target and everything below it. */
export interface Grant {
  /** A target in which `*` matches any one segment. */
  target: string;
  /** The name of an action, or `all` (in any case) for every action. */
  action: string;
  /** `ADD` allows, `REMOVE` denies. */
  operation: 'ADD' | 'REMOVE';
}

/** A role that a principal has. A role that is created later under the same name is another one. */
export interface RoleReference {
  target: Target;
  uid: string;
}

/** What a caller may do: everything, or what the grants of all roles of the caller say together. */
export type Rights = { everything: true } | { everything: false; grants: readonly Grant[] };

/** The children of one parent that a list leaves out: all of them, or those with these names. */
export type Hidden = 'all' | ReadonlySet<string>;

/** The children of one parent that a caller may know of: all but the hidden ones, or those with these names. */
type Visible = { hidden: Hidden } | { named: readonly string[] };

/** A decision, and the grant that decides it; none decides for a superadmin, and where nothing is granted. */
interface Decision<G extends Grant> {
  isAllowed: boolean;
  decidedBy?: G;
}

/** Whether an action is allowed at a target: a grant adds it and none removes it, however specific either is. */
export const allows = (rights: Rights, action: Action, target: Target): boolean =>
  rights.everything || decide(rights.grants, action, target).isAllowed;

/** The grant that decides on an action at a target: the first denial, or else the first that allows it. */
export function decide<G extends Grant>(grants: readonly G[], action: Action, target: Target): Decision<G> {
  const here = grants.filter((grant) => concerns(grant, action) && covers(grant.target, target));
  const decidedBy = here.find(({ operation }) => operation === 'REMOVE') ?? here[0];
  return { isAllowed: decidedBy?.operation === 'ADD', decidedBy };
}

/** Whether a caller may know that a target exists: a grant covers it or lies below it, and not everything is denied. */
export function canSee(rights: Rights, target: Target): boolean {
  if (rights.everything) return true;
  const { grants } = rights;
  const denied = grants.some((grant) => isDenyOfAll(grant) && covers(grant.target, target));
  return !denied && grants.some(({ operation, target: at }) => operation === 'ADD' && overlaps(at, target));
}

/** Whether a caller may do everything in a whole subtree, and so may grant rights there. */
export function canDelegate(rights: Rights, pattern: string): boolean {
  if (rights.everything) return true;
  const granted = rights.grants.some(
    ({ operation, action, target }) => operation === 'ADD' && isAll(action) && covers(target, pattern),
  );
  return granted && !rights.grants.some(({ operation, target }) => operation === 'REMOVE' && overlaps(target, pattern));
}

/**
 * Which children of `parent` a caller with `action` there may not see. A grant at the parent reaches every child, so
 * only denials that end exactly one segment further make a difference.
 */
export function hiddenBelow(rights: Rights, action: Action, parent: Target): Hidden {
  if (rights.everything) return new Set();
  const depth = segmentsOf(parent).length + 1;
  const names = rights.grants
    .filter((grant) => grant.operation === 'REMOVE' && concerns(grant, action))
    .filter(({ target }) => segmentsOf(target).length === depth && covers(parentOf(target), parent))
    .map(({ target }) => segmentsOf(target).at(-1) ?? '');
  return names.includes('*') ? 'all' : new Set(names);
}

/** The children of `parent`, '' for organizations, that `canSee` is true for. */
export function visibleBelow(rights: Rights, parent: Target): Visible {
  if (rights.everything) return { hidden: new Set() };
  const { grants } = rights;
  const depth = parent === '' ? 0 : segmentsOf(parent).length;
  const near = grants.filter(({ target }) => parent === '' || overlaps(target, parent));
  const nextOf = (kept: (grant: Grant) => boolean): (string | undefined)[] =>
    near.filter(kept).map(({ target }) => segmentsOf(target)[depth]);
  const granted = nextOf(({ operation }) => operation === 'ADD');
  if (!granted.some((name) => name === undefined || name === '*')) {
    const named = new Set(granted.flatMap((name) => name ?? []));
    return { named: [...named].filter((name) => canSee(rights, childOf(parent, name))) };
  }
  const denied = nextOf((grant) => isDenyOfAll(grant) && segmentsOf(grant.target).length <= depth + 1);
  if (denied.some((name) => name === undefined || name === '*')) return { hidden: 'all' };
  return { hidden: new Set(denied.flatMap((name) => name ?? [])) };
}

const isAll = (action: string): boolean => action.toLowerCase() === 'all';

const concerns = (grant: Grant, action: string): boolean => isAll(grant.action) || grant.action === action;

const isDenyOfAll = ({ operation, action }: Grant): boolean => operation === 'REMOVE' && isAll(action);

/** Whether the subtree of `pattern` contains every target that `target` matches; only a `*` contains a `*`. */
function covers(pattern: string, target: string): boolean {
  const wanted = segmentsOf(target);
  const given = segmentsOf(pattern);
  return given.length <= wanted.length && given.every((segment, at) => segment === '*' || segment === wanted[at]);
}

/** Whether one of the two subtrees lies in the other, or might. */
function overlaps(left: string, right: string): boolean {
  const other = segmentsOf(right);
  return segmentsOf(left).every(
    (segment, at) => segment === '*' || (other[at] ?? '*') === '*' || segment === other[at],
  );
}
