import type { FormatName } from '../../ports/credential-formats.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { busy, isLeased, type Lease } from '../foundation/lease.ts';

/** ACTIVE is the only state that anything can be done in; the others are final. */
export type IssuanceState = 'ACTIVE' | 'SUCCESSFUL' | 'UNSUCCESSFUL' | 'EXPIRED';

/** Everything one credential will be made of once a holder claims it. */
export interface IssuableContent {
  configurationId: string;
  format: FormatName;
  /** The types a wallet asks for: the configuration's and the credential's own. */
  types: string[][];
  issuerKey: KeyReference;
  issuerDid: string;
  credentialData: JsonObject;
  mapping: JsonObject;
  credentialStatus?: unknown;
  display?: unknown;
  /** The certificate chain, base64 DER (RFC 7515 §4.1.6). */
  x5c?: string[];
}

/** A lease on making one credential, with the nonce of the proof it is made for. */
export interface ItemLease extends Lease {
  nonce: string;
}

/** One credential that is still to be issued. */
export interface IssuanceItem {
  id: number;
  content: IssuableContent;
  lease?: ItemLease;
}

/** One offer from its making to its end. Key references leave it with their item. */
export interface IssuanceSession {
  id: string;
  state: IssuanceState;
  reason?: string;
  /** Milliseconds. */
  expiresAt: number;
  /** Whether the offer was made by the batch endpoint, which decides the names of events. */
  isBatch: boolean;
  callbackUrl?: string;
  configurationIds: string[];
  /** The pre-authorized code: an offer by reference shows it again whenever it is fetched. */
  code: string;
  /** The only nonce a proof may carry; absent before the token and while a credential is being made. */
  cNonce?: string;
  items: IssuanceItem[];
}

/** The name of one credential of the session, for wallets that ask by it (OpenID4VCI draft 13 §6.2). */
export const identifierOf = ({ id, content }: IssuanceItem): string => `${content.configurationId}-${id}`;

/** What a new session needs. */
export type NewSession = Omit<IssuanceSession, 'state' | 'reason' | 'items' | 'cNonce' | 'configurationIds'> & {
  contents: IssuableContent[];
};

/** A session with all of its credentials still to be issued. */
export function newIssuanceSession({ contents, ...session }: NewSession): IssuanceSession {
  const configurationIds = [...new Set(contents.map(({ configurationId }) => configurationId))];
  return { ...session, state: 'ACTIVE', configurationIds, items: contents.map((content, id) => ({ id, content })) };
}

/** Whether the session's time is over though nobody has said so yet. */
export const isOverdue = ({ state, expiresAt }: IssuanceSession, now: number): boolean =>
  state === 'ACTIVE' && expiresAt <= now;

/** Gives the session the nonce for its next proof. @throws DomainError `Conflict` when it is not active */
export function renewNonce(session: IssuanceSession, cNonce: string): IssuanceSession {
  return { ...active(session), cNonce };
}

/** One attempt to make one credential. */
export interface Attempt extends ItemLease {
  itemId: number;
}

/** The nonces that a proof may carry: the current one, and those whose request works or died. */
export const noncesOf = ({ cNonce, items }: IssuanceSession): string[] =>
  [cNonce, ...items.map(({ lease }) => lease?.nonce)].filter((nonce) => nonce !== undefined);

/**
 * Spends the nonce on one item. The nonce of a lease that ran out is good again: its request died.
 * @throws DomainError `Busy` while the item or the nonce is leased, `Conflict` when the nonce was spent or the item is gone
 */
export function leaseItem(session: IssuanceSession, { itemId, ...lease }: Attempt, now: number): IssuanceSession {
  const { cNonce, ...rest } = active(session);
  const item = rest.items.find(({ id }) => id === itemId);
  const used = rest.items.find((other) => other.lease?.nonce === lease.nonce);
  for (const held of [item?.lease, used?.lease]) if (isLeased(held, now)) throw busy(held, now);
  if (cNonce !== lease.nonce && !used) throw new DomainError('Conflict', 'The nonce was used already');
  if (!item) throw new DomainError('Conflict', 'The credential was delivered already');
  const items = rest.items.map((other) => {
    if (other === item) return { ...item, lease };
    return other === used ? withoutLease(other) : other;
  });
  return { ...rest, ...(cNonce !== undefined && cNonce !== lease.nonce && { cNonce }), items };
}

/** Prolongs a lease. @throws DomainError `Busy` when it is lost, `Conflict` when the session is over */
export function renewLease(session: IssuanceSession, attempt: Attempt, until: number): IssuanceSession {
  const { item, lease } = leased(active(session), attempt);
  return replaceItem(session, item, { ...item, lease: { ...lease, until } });
}

/** Ends a lease without a credential and gives the nonce back, so that the wallet can try again with the same proof. */
export function releaseItem(session: IssuanceSession, attempt: Attempt): IssuanceSession {
  const { item, lease } = leased(active(session), attempt);
  return { ...replaceItem(session, item, withoutLease(item)), cNonce: session.cNonce ?? lease.nonce };
}

/** The leased credential reached its holder; the last one ends the session. */
export function completeItem(session: IssuanceSession, attempt: Attempt, cNonce: string): IssuanceSession {
  const { item } = leased(active(session), attempt);
  const items = session.items.filter((other) => other !== item);
  const rest = { ...session, items, cNonce };
  return items.length > 0 ? rest : close(rest, 'SUCCESSFUL', 'Credential issued successfully');
}

/** Ends the session: no other try can succeed. @throws DomainError as `renewLease` */
export function failSession(session: IssuanceSession, attempt: Attempt, reason: string): IssuanceSession {
  leased(active(session), attempt);
  return close(session, 'UNSUCCESSFUL', reason);
}

/** Ends the session: its time is over. */
export const expireSession = (session: IssuanceSession): IssuanceSession =>
  close(active(session), 'EXPIRED', 'The issuance session expired');

function active(session: IssuanceSession): IssuanceSession {
  if (session.state !== 'ACTIVE') throw new DomainError('Conflict', `The issuance session is ${session.state}`);
  return session;
}

/** The item with the lease of this attempt. @throws DomainError `Busy` when another request took over */
function leased({ items }: IssuanceSession, { itemId, owner }: Attempt): { item: IssuanceItem; lease: ItemLease } {
  const item = items.find(({ id }) => id === itemId);
  if (item?.lease?.owner === owner) return { item, lease: item.lease };
  throw busy({ until: 0 }, 0);
}

const withoutLease = ({ lease: _, ...item }: IssuanceItem): IssuanceItem => item;

const replaceItem = (session: IssuanceSession, item: IssuanceItem, next: IssuanceItem): IssuanceSession => ({
  ...session,
  items: session.items.map((other) => (other === item ? next : other)),
});

function close({ cNonce: _, ...session }: IssuanceSession, state: IssuanceState, reason: string): IssuanceSession {
  return { ...session, state, reason, items: [] };
}
