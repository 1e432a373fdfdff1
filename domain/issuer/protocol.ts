import type { FormatName } from '../../ports/credential-formats.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { CredentialFormats } from '../credentials/formats/formats.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { PresentedGrant } from '../oauth/access-tokens.ts';
import type { ProvenKeys } from '../oauth/sender-constraints.ts';
import type { IssuanceGrant } from './issuance-grant.ts';

// The values that the services of this room exchange with the protocol versions in `openid4vci/`.

/** What wallets select credentials by. */
export interface ItemKind {
  configurationId: string;
  format: FormatName;
  /** The types that a wallet asks for: the configuration's and, where they differ, the credential's own; none in formats with one type. */
  types: string[][];
  /** The `vct` or document type. */
  type?: string;
}

/** What an offer says of its session. */
export interface OfferedSession {
  configurationIds: string[];
  /** Whether an offer of draft 11 describes its credentials, in place of their ids. */
  describesCredentials?: boolean;
  plan: { kinds: ItemKind[] };
  grant: IssuanceGrant;
}

/** A client, by what it proved. */
export interface ProvenClient extends ProvenKeys {
  /** The name it authenticated with, or the one that it states. */
  clientId?: string;
}

/** The holder of a credential: a key, and the DID by which the proof named it. */
export interface Holder {
  did?: string;
  jwk: PublicJwk;
}

/** A code to be redeemed. */
export interface RedemptionRequest {
  code: string;
  /** The transaction code that the holder entered. */
  txCode?: string;
  /** The configurations that the wallet names; empty when it names none. */
  configurationIds: string[];
  /** Whether a configuration that was not offered is an error; it is ignored otherwise. */
  refusesUnknown?: boolean;
  /** The client that redeems it; one that proved nothing when absent. */
  client?: ProvenClient;
  /** The data of the event `requested_token`. */
  event: JsonObject;
}

/** A code of the authorization endpoint to be redeemed. */
export interface CodeRedemptionRequest {
  code: string;
  client: ProvenClient;
  redirectUri: string | undefined;
  /** The code verifier (RFC 7636 §4.5). */
  verifier: string | undefined;
  /** The data of the event `requested_token`. */
  event: JsonObject;
}

/** A refresh token to be redeemed. */
export interface RefreshRedemptionRequest {
  refreshToken: string;
  client: ProvenClient;
  /** The data of the event `requested_token`. */
  event: JsonObject;
}

/** The nonce for the next proof, and for how many seconds it is good. */
export interface NextNonce {
  nonce: string;
  seconds: number;
}

/** The members that carry a nonce, which is good for so many seconds. */
export interface NonceMembers {
  c_nonce: string;
  c_nonce_expires_in: number;
}

/** Creates the members that carry a nonce, in responses and in the error `invalid_proof` (§7.3.1.2). */
export const nonceMembers = ({ nonce, seconds }: NextNonce): NonceMembers => ({
  c_nonce: nonce,
  c_nonce_expires_in: seconds,
});

/** The credentials of one configuration, by their identifiers. */
export interface IdentifiedCredentials {
  configurationId: string;
  identifiers: string[];
}

/** A redeemed code. */
export interface Redemption {
  accessToken: string;
  /** For how many seconds the token is good. */
  seconds: number;
  /** Whether the token is bound to a key (RFC 9449 §6). */
  isBound?: boolean;
  refreshToken?: string;
  /** What the token is limited to, where the client asked by scopes. */
  scopes?: string[];
  /** The nonce for the first proof, in versions where the token comes with one. */
  nonce?: string;
  /** The credentials of the configurations that the wallet named. */
  credentials: IdentifiedCredentials[];
}

/** What a wallet asks for. */
export interface CredentialChoice {
  /** The proofs of possession as the wallet sent them, at least one; the credential is made once for each. */
  proofs: readonly unknown[];
  /** The credential's identifier, which decides alone when there is one. */
  identifier?: string;
  /** Selects the kinds that fit the request, at least one. @throws DomainError with a code of the protocol */
  select(kinds: readonly ItemKind[], formats: CredentialFormats): ItemKind[];
  /** The codes with which the protocol refuses a choice that leads to no credential. */
  refusals: { unknownIdentifier: string; nothingLeft: string };
}

/** After how many seconds a wallet may ask for a deferred credential. */
export const DEFERRED_INTERVAL_SECONDS = 5;

/** The credentials are not made yet. */
export interface PendingCredentials {
  kind: 'pending';
  /** After how many seconds the wallet may ask again. */
  intervalSeconds: number;
}

/** A deferred credential that a wallet asks for. */
export interface DeferredRequest {
  /** Of the access token; absent in draft 11, where the transaction id is the token. */
  grant?: PresentedGrant;
  transactionId: string;
}

/** What a wallet can say of issued credentials (OpenID4VCI draft 13 §10.1). */
export const NOTIFICATION_EVENTS = ['credential_accepted', 'credential_failure', 'credential_deleted'] as const;

/** What a wallet did with issued credentials. */
export interface WalletNotification {
  notificationId: string;
  /** One of `NOTIFICATION_EVENTS`. */
  event: string;
  description?: string;
}

/** The credentials of one item for its holder: one for each proof. */
export interface DeliveredCredentials {
  kind: 'delivered';
  format: string;
  credentials: string[];
  /** Names the delivery in notifications of the wallet. */
  notificationId: string;
}

/** An item whose credentials are made when the wallet asks for them with the transaction id. */
interface DeferredCredentials {
  kind: 'deferred';
  format: string;
  transactionId: string;
  /** After how many seconds the wallet may ask. */
  intervalSeconds: number;
}

/** What issuer metadata says of encryption (OpenID4VCI 1.0 §12.2.4). */
export interface EncryptionMetadata {
  credential_request_encryption: JsonObject;
  credential_response_encryption: JsonObject;
}

/** What came of one credential request. */
export type IssuanceOutcome = DeliveredCredentials | DeferredCredentials;

/** The answer to a credential request. */
export interface Issued<O = IssuanceOutcome> {
  outcome: O;
  /** Absent when nothing is left to issue, and in versions whose responses carry no nonce. */
  next?: NextNonce;
}
