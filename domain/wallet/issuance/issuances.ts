import type { DisclosurePolicy } from '../../credentials/disclosure-policy.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { CredentialDisplay } from '../../holdings/records.ts';
import type { CopyKey } from '../copy-keys.ts';
import { type AccessGrant, INVALID_TOKEN } from './dpop-calls.ts';
import type { RefreshGrant } from './oauth-client.ts';
import type { DeferredAnswer, DeliveredAnswer, WantedCredential } from './openid4vci.ts';

/** A credential as received from an issuer, not verified yet. */
export interface IssuedCredential {
  format: string;
  /** The `vct` or document type that was offered. */
  type?: string;
  credential: string;
  /** Images are still URLs. */
  display?: CredentialDisplay;
  disclosurePolicy?: DisclosurePolicy;
  /** By which the issuer is notified about it (OpenID4VCI 1.0 §8.3). */
  notificationId?: string;
  /** How it was requested. */
  wanted?: WantedCredential;
  /** The keys of all copies, where it was requested with copies. */
  keys?: CopyKey[];
  /** The further copies. */
  copies?: string[];
}

/** What is known of a credential before it is delivered. */
export type DescribedCredential = Omit<IssuedCredential, 'credential' | 'copies' | 'notificationId'>;

/** A credential that the issuer delivers later. */
export interface PendingCredential extends DeferredAnswer {
  configurationId: string;
  described: DescribedCredential;
}

/** What became of credentials (OpenID4VCI 1.0 §11.1). */
export type NotificationEvent = 'credential_accepted' | 'credential_failure' | 'credential_deleted';

/** A redeemed offer; plain JSON, with a secret. */
export interface RedeemedOffer extends AccessGrant {
  metadata: JsonObject;
  /** The name of the wallet in proofs; absent where a pre-authorized code was redeemed without one. */
  clientId?: string;
  /** What was delivered so far, also when a later request failed. */
  issued: IssuedCredential[];
  /** What is delivered later. */
  deferred: PendingCredential[];
  /** The life of the access token in seconds, if the server stated it. */
  expiresIn?: number;
  /** By which the next access token is asked for. */
  refresh?: RefreshGrant;
  /** Whether the issuer takes the access token no more, so that nothing else comes. */
  isCutShort?: boolean;
}

/**
 * Ends what a wallet asks for, when its issuer takes the access token no more: what was delivered is not lost with the rest.
 * @throws the error where nothing was delivered, or for another reason
 */
export function cutShort(redeemed: RedeemedOffer, error: unknown): void {
  redeemed.isCutShort = isDomainError(error, 'BadRequest') && error.extra?.upstreamError === INVALID_TOKEN;
  if (!redeemed.isCutShort || redeemed.issued.length + redeemed.deferred.length === 0) throw error;
}

/** @throws DomainError `BadRequest` for an offer of which the wallet has all that there will be, and that is not all of it */
export function checkWhole({ isCutShort }: RedeemedOffer): void {
  if (!isCutShort) return;
  const message =
    'The issuer takes the access token no more, and nothing renews it. What it had given is in the wallet';
  throw new DomainError('BadRequest', message, { extra: { upstreamError: INVALID_TOKEN } });
}

/** Credentials about which the issuer is notified. */
export interface ReportedCredentials extends AccessGrant {
  metadata: JsonObject;
  issued: Pick<IssuedCredential, 'notificationId'>[];
  refresh?: RefreshGrant;
}

/** A redeemed offer whose credentials are requested one after the other. */
export interface RunningIssuance extends RedeemedOffer {
  nonce?: string;
  /** What is still to be requested. */
  wanted: WantedCredential[];
}

/** The credentials of an answer, as they were described before; one with its copies where there are keys for these. */
export function issuedCredentials(
  described: DescribedCredential,
  { credentials: [first = '', ...others], notificationId }: DeliveredAnswer,
): IssuedCredential[] {
  const known = { ...described, ...(notificationId !== undefined && { notificationId }) };
  if (described.keys) return [{ ...known, credential: first, copies: others }];
  return [first, ...others].map((credential) => ({ ...known, credential }));
}
