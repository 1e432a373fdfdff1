import type { JsonObject } from '../foundation/json.ts';
import type { IssuanceItem } from './issuance-session.ts';

// The values that the services of this room exchange with the protocol versions in `openid4vci/`.

/** A code to be redeemed. */
export interface RedemptionRequest {
  code: string;
  /** The configurations that the wallet names; empty when it names none. */
  configurationIds: string[];
  /** The data of the event `requested_token`. */
  event: JsonObject;
}

/** The nonce for the next proof, and for how many seconds it is good. */
export interface NextNonce {
  nonce: string;
  seconds: number;
}

/** A redeemed code. */
export interface Redemption extends NextNonce {
  accessToken: string;
  /** The items of the configurations that the wallet named. */
  items: IssuanceItem[];
}

/** A credential to be issued. */
export interface CredentialRequest {
  accessToken: string;
  /** The proof of possession as the wallet sent it. */
  proof: unknown;
  /** Selects the items that fit the request, at least one. @throws DomainError with a code of the protocol */
  select(items: IssuanceItem[]): IssuanceItem[];
}

/** A credential for its holder. */
export interface IssuedCredential {
  format: string;
  credential: string;
  /** Absent when nothing is left to issue. */
  next?: NextNonce;
}
