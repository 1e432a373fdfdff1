import type { FormatName } from '../../ports/credential-formats.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { DomainError } from '../errors.ts';
import type { JsonObject } from '../json.ts';

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

/** Who is making a credential just now: known by the nonce that was spent on it. */
export interface Claim {
  nonce: string;
  /** Milliseconds; later another claim may take over. */
  until: number;
}

/** One credential that is still to be issued. */
export interface IssuanceItem {
  id: number;
  content: IssuableContent;
  claim?: Claim;
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

/** What a new session needs. */
export type NewSession = Omit<IssuanceSession, 'state' | 'reason' | 'items' | 'cNonce' | 'configurationIds'> & {
  contents: IssuableContent[];
};

/** A session with all of its credentials still to be issued. */
export function openSession({ contents, ...session }: NewSession): IssuanceSession {
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
export interface Attempt extends Claim {
  itemId: number;
}

/**
 * Spends the nonce on one item. @throws DomainError `Conflict` when the nonce is not the session's, or the item is
 * gone or being made by somebody else
 */
export function claimItem(session: IssuanceSession, { itemId, nonce, until }: Attempt, now: number): IssuanceSession {
  const { cNonce, ...rest } = active(session);
  const item = rest.items.find(({ id }) => id === itemId);
  if (cNonce !== nonce) throw new DomainError('Conflict', 'The nonce was used already');
  if (!item || (item.claim && item.claim.until > now)) throw new DomainError('Conflict', 'The credential is taken');
  return { ...rest, items: rest.items.map((other) => (other === item ? { ...item, claim: { nonce, until } } : other)) };
}

/** Undoes a claim, nonce included, so that the wallet can try again with the same proof. */
export function releaseItem(session: IssuanceSession, attempt: Attempt): IssuanceSession {
  const item = claimed(active(session), attempt);
  const items = session.items.map((other) => (other === item ? { id: item.id, content: item.content } : other));
  return { ...session, items, cNonce: session.cNonce ?? attempt.nonce };
}

/** The credential of a claim reached its holder; the last one ends the session. */
export function deliverItem(session: IssuanceSession, attempt: Attempt, cNonce: string): IssuanceSession {
  const item = claimed(active(session), attempt);
  const items = session.items.filter((other) => other !== item);
  const rest = { ...session, items, cNonce };
  return items.length > 0 ? rest : close(rest, 'SUCCESSFUL', 'Credential issued successfully');
}

/** Ends the session: no other try can succeed. */
export const failSession = (session: IssuanceSession, reason: string): IssuanceSession =>
  close(active(session), 'UNSUCCESSFUL', reason);

/** Ends the session: its time is over. */
export const expireSession = (session: IssuanceSession): IssuanceSession =>
  close(active(session), 'EXPIRED', 'The issuance session expired');

function active(session: IssuanceSession): IssuanceSession {
  if (session.state !== 'ACTIVE') throw new DomainError('Conflict', `The issuance session is ${session.state}`);
  return session;
}

function claimed({ items }: IssuanceSession, { itemId, nonce }: Attempt): IssuanceItem {
  const item = items.find(({ id }) => id === itemId);
  if (item?.claim?.nonce !== nonce) throw new DomainError('Conflict', 'The credential is taken');
  return item;
}

function close({ cNonce: _, ...session }: IssuanceSession, state: IssuanceState, reason: string): IssuanceSession {
  return { ...session, state, reason, items: [] };
}
