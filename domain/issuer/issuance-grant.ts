/** The transaction code of an offer (OpenID4VCI 1.0 §4.1.1). Its value reaches the holder by another channel. */
export interface TxCode {
  inputMode: 'numeric' | 'text';
  /** How many characters the value has. */
  length: number;
  /** How the holder gets the value. */
  description?: string;
  /** The digest of the value, which is not stored. */
  digest: string;
}

/** The wallet has the right with the offer itself (OpenID4VCI 1.0 §3.5). */
export interface PreAuthorizedGrant {
  kind: 'pre-authorized';
  /** An offer by reference shows it whenever it is fetched. */
  code: string;
  txCode?: TxCode;
  /** How many transaction codes were wrong, or are being compared. */
  wrongTxCodes?: number;
  /** Whether the code was redeemed. */
  isUsed?: boolean;
}

/** How the holder is authenticated at the authorization endpoint. */
export type AuthenticationMethod = 'NONE' | 'PWD' | 'ID_TOKEN' | 'VP_TOKEN';

/** The wallet gets the right at the authorization endpoint (OpenID4VCI 1.0 §3.4). */
export interface AuthorizationCodeGrant {
  kind: 'authorization-code';
  method: AuthenticationMethod;
  /** Connects the authorization request with the offer; absent when the offer shows none. */
  issuerState?: string;
  /** With VP_TOKEN: the type of the credential that the holder presents. */
  presentedType?: string;
  /** Whether a request to the holder's wallet is signed (RFC 9101). */
  isSigned?: boolean;
}

/** How a wallet gets the access token of an offer. */
export type IssuanceGrant = PreAuthorizedGrant | AuthorizationCodeGrant;
