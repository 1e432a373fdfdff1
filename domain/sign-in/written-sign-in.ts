import type { JsonObject } from '../foundation/json.ts';
import type { ClaimsPath } from '../presentation/dcql/claims-path.ts';

/** How a client authenticates at the token endpoint (OpenID Connect Core §9); `none` for a public client. */
type ClientAuthentication = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

/** What a value of a credential becomes in a claim. */
export type Transform = 'none' | 'lowercase' | 'uppercase' | 'trim' | 'sha256';

/** How a wallet gets the request of a sign-in. */
export type SignInFlow = 'cross_device' | 'same_device' | 'dc_api';

/** A client of the provider, as `sign-in.conf` and the configuration of an `oidc-bridge` have it. */
export interface WrittenClient {
  /** What the page calls it. */
  name: string;
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  authentication: ClientAuthentication;
  /** The SHA-256 of its secret, as hexadecimal digits. */
  secretDigest?: string;
  /** A JWK Set; of `private_key_jwt`. */
  jwks?: { keys: JsonObject[] };
  /** The profiles that it may ask for; the first is used where it names none. */
  profiles: string[];
  /** Clients of one sector know a person by the same subject. */
  sector?: string;
  idTokenAlgorithm: 'ES256' | 'RS256';
  /** Whether it must push its requests (RFC 9126). */
  requirePushedRequests: boolean;
}

/** A value in the answer to a query. */
export interface WrittenSource {
  /** The id of a credential query, or of an input descriptor. */
  query: string;
  path: ClaimsPath;
}

/** A claim of tokens, and where its value is from. */
export interface WrittenClaim extends WrittenSource {
  required: boolean;
  transform: Transform;
  /** Whether it is the list of all values at the path. */
  list: boolean;
}

/** How a person is named to clients. */
export interface WrittenSubject {
  /** `pairwise`: a digest, different for each sector; `plain`: the one value itself. */
  kind: 'pairwise' | 'plain';
  values: WrittenSource[];
  /** Whether equal values of other issuers name the same person. */
  acrossIssuers: boolean;
}

/** What a sign-in asks for and what becomes of it. */
export interface WrittenLoginProfile {
  /** What the page says it is for. */
  purpose?: string;
  /** The `acr` of its tokens; its id when absent. */
  acr?: string;
  /** What wallets are asked for: a DCQL query, or in its place a definition for wallets of the drafts of OpenID4VP. */
  dcqlQuery?: JsonObject;
  /** DIF Presentation Exchange 2. */
  presentationDefinition?: JsonObject;
  /**
   * `named`: policies or trusted authorities say which issuers are believed; `any`: each that the anchors of the server allow,
   * which may be any person where there are none.
   */
  issuers: 'named' | 'any';
  /** Besides those that always run. */
  policies: unknown[];
  claims: Record<string, WrittenClaim>;
  subject: WrittenSubject;
  flows: SignInFlow[];
  haip: boolean;
  encryptedResponse: boolean;
  /** The trust framework of `verified_claims` (OpenID Connect for Identity Assurance §5); without one there are none. */
  trustFramework?: string;
}

/** What the provider is configured with. */
export interface WrittenSignIn {
  clients: Record<string, WrittenClient>;
  profiles: Record<string, WrittenLoginProfile>;
  /** How long the parts of a sign-in live, in seconds. */
  lifetimes: {
    /** From the request of a client to the answer of a wallet. */
    signIn: number;
    code: number;
    idToken: number;
    accessToken: number;
  };
}
