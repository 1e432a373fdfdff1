const KIB = 1024;
const MIB = 1024 * KIB;

/** What is known of one kind of document from outside. */
interface DocumentFacts {
  /** The largest accepted one, in bytes before and after decompression (decisions §12). */
  maxBytes: number;
  /**
   * Whether a call may reach this server's own origin. Only the protocol calls of the wallet may: its issuer or verifier
   * may be on the same server. A URL that a caller chose must not make the server call itself.
   */
  reachesOwnOrigin: boolean;
  /** Whether a redirect is followed. Calls with credentials of their own go to no other address than the first. */
  followsRedirects: boolean;
}

const ofWallet = (maxBytes: number): DocumentFacts => ({ maxBytes, reachesOwnOrigin: true, followsRedirects: true });
const ofCaller = (maxBytes: number): DocumentFacts => ({ maxBytes, reachesOwnOrigin: false, followsRedirects: true });
const withCredentials = (maxBytes: number): DocumentFacts => ({
  maxBytes,
  reachesOwnOrigin: false,
  followsRedirects: false,
});

/** The kinds of documents that calls fetch, each with its bounds: what implements `Outbound` keeps them. */
export const DOCUMENTS = {
  'credential-offer': ofWallet(64 * KIB),
  // 64 KiB of JSON, which take a third more when they are signed, and the signature with its certificates.
  'issuer-metadata': ofWallet(96 * KIB),
  'presentation-definition': ofWallet(64 * KIB),
  'request-object': ofWallet(64 * KIB),
  'did-document': ofCaller(64 * KIB),
  // The largest encodedList, encoded once more in base64url within its JWT, and the other claims.
  'status-list': ofCaller(2 * MIB),
  // Its answer has no signature, so only the URL of the credential itself counts.
  'status-token': { ...ofCaller(4 * KIB), followsRedirects: false },
  'trust-list': ofCaller(2 * MIB),
  'protocol-reply': ofWallet(64 * KIB),
  // Codes, tokens and proofs are for the address that was named.
  'token-response': { ...ofWallet(64 * KIB), followsRedirects: false },
  'credential-response': { ...ofWallet(1 * MIB), followsRedirects: false },
  'mapping-data': ofCaller(1 * MIB),
  attributes: withCredentials(256 * KIB),
  'webhook-reply': ofCaller(64 * KIB),
  'callback-reply': ofCaller(1 * MIB),
  'type-metadata': ofWallet(64 * KIB),
  'credential-type': ofCaller(64 * KIB),
  rules: ofCaller(1 * MIB),
  'rule-decision': withCredentials(64 * KIB),
  logo: ofWallet(128 * KIB),
  'did-registration': withCredentials(64 * KIB),
  'did-resolution': withCredentials(64 * KIB),
  'login-token': withCredentials(64 * KIB),
  'client-attestation': { ...withCredentials(64 * KIB), reachesOwnOrigin: true },
  'issuer-keys': ofWallet(64 * KIB),
  'entity-statement': ofWallet(64 * KIB),
  'kms-reply': withCredentials(64 * KIB),
  'vault-reply': withCredentials(64 * KIB),
  // What Transit says of a key names all its versions.
  'transit-reply': withCredentials(256 * KIB),
  'kms-token': withCredentials(64 * KIB),
  'instance-metadata': withCredentials(64 * KIB),
} as const satisfies Readonly<Record<string, DocumentFacts>>;

/** The kind of document that a call fetches. */
export type DocumentKind = keyof typeof DOCUMENTS;
