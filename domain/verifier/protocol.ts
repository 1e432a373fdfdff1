import type { MdocRequests, RequestedDocument } from '../../ports/codecs/mdoc-requests.ts';
import type { FormatName, Handover } from '../../ports/credential-formats.ts';
import type { KeyReference, PublicJwk, Signer } from '../../ports/key-service.ts';
import type { CredentialFormats } from '../credentials/formats/formats.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { ParsedJws } from '../jose/jws.ts';
import type { MessageKey } from '../keys/message-keys.ts';
import type { DcqlQuery } from '../presentation/dcql/query.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import type { PresentationQuery, ResponseTexts } from '../presentation/query.ts';
import type { VerifierTrust } from '../trust/verifier-trust.ts';

/** What each protocol asks of a wallet: add a member, and a row to `PROTOCOLS`, to add one. */
interface Requests {
  /** OpenID4VP draft 20 and its profiles. */
  draft20: Draft20Request;
  /** OpenID4VP 1.0. */
  v1: V1Request;
  /** ISO/IEC TS 18013-7:2025 annex C. */
  'iso-dc-api': IsoRequest;
  /** OpenID4VP drafts with Presentation Exchange 2, in sessions of OpenID4VP 1.0. */
  exchange: ExchangeRequest;
}

/** A protocol between wallets and verifiers. */
export type Protocol = keyof Requests;

/** What a session asks of a wallet, and how; never changes. */
export type SessionRequest<P extends Protocol = Protocol> = { protocol: P } & Requests[P];

/** A requested policy under the name that its caller used; `args` as read, which may hold secrets. */
export interface PolicyRequest {
  policy: string;
  args?: unknown;
  /** The list that it comes from; absent where it is in none, or where results are not shown by list. */
  list?: PolicyList;
}

/** The lists of a session: for every credential, or for those of one query. */
export type PolicyList = 'all' | 'specific';

/** Policies of one query; they replace the global ones for it. */
interface BoundPolicies {
  /** The query they are bound to; when there is none of this id, they apply to every credential. */
  queryId: string;
  policies: readonly PolicyRequest[];
}

/** What responses are verified against, whichever protocol and session they come with. */
export interface VerificationTask {
  query: PresentationQuery;
  nonce: string;
  /** The verifier that a presentation must be meant for. */
  audience: string;
  /** Policies of each presentation, as `readPolicies` reads them; those that must always hold run besides. */
  vpPolicies: readonly PolicyRequest[];
  /** Policies of each credential for whose queries there are no others. */
  vcPolicies: readonly PolicyRequest[];
  ownPolicies: readonly BoundPolicies[];
  /** Whether the presenter must be the holder of every credential whose queries do not waive it, listed or not. */
  needsHolder?: boolean;
  /** Certificates of authorities in PEM that are trusted besides those of the configuration, as `readRoots` reads them. */
  trustedRoots?: readonly string[];
  /** Whom the verifier believes besides; `NO_OWN_TRUST` when absent. */
  trust?: VerifierTrust;
  /** The transactions to be authorized, as the request has them: JSON in base64url (OpenID4VP 1.0 §5.1). */
  transactionData?: readonly string[];
}

/** A profile's name (interface: Headers of `POST /openid4vc/verify`). */
export type ProfileName = 'DEFAULT' | 'HAIP' | 'ISO_18013_7_MDOC' | 'EBSIV3';

/** Modes of responses to links: by a form, or by an encrypted one (OpenID4VP 1.0 §8.2, §8.3.1; draft 20 §6.2, §6.3.1). */
export type LinkMode = 'direct_post' | 'direct_post.jwt';

/** All modes of responses, those of pages too (OpenID4VP 1.0 annex A.2). */
export type ResponseMode = LinkMode | 'dc_api' | 'dc_api.jwt';

/** The policies of one requested credential. */
export interface OwnPolicies extends BoundPolicies {
  /** The index of the requested credential in the request. */
  index: number;
}

/** A request of the drafts, and where its verifier wants the result. */
export interface Draft20Request extends VerificationTask {
  /** The id of the verifier. */
  verifierId: string;
  query: PresentationQuery<'presentation-exchange'>;
  /** The name of the verifier in the request. */
  clientId: string;
  /** The URL that wallets post their responses to. */
  responseUri: string;
  requestProfile: ProfileName;
  /** `direct_post` when absent. */
  responseMode?: LinkMode;
  /** The formats of presentations that can satisfy the query. */
  formats: FormatName[];
  /** A secret: what encrypted responses are encrypted to; present with `direct_post.jwt`. */
  responseKey?: MessageKey;
  /** The authorization request of a wallet that asked for this one; its answer is a redirect. */
  startedByWallet?: { state?: string };
  ownPolicies: OwnPolicies[];
  successRedirectUri?: string;
  errorRedirectUri?: string;
  statusCallbackUri?: string;
  /** A secret: sent with the callback, shown nowhere. */
  statusCallbackApiKey?: string;
}

/** How the request reaches the wallet and the response comes back. */
export type SessionFlow = 'cross_device' | 'same_device' | 'dc_api_openid4vp' | 'dc_api_18013_7';

/** Where the events of a session are sent. */
export interface SessionWebhook {
  url: string;
  /** A secret: the value of the header `Authorization`. */
  authorization?: string;
}

/** Where the wallet sends the user after its response. */
export interface SessionRedirects {
  success?: string;
  error?: string;
}

/** How wallets find the key of a verifier: one or more header members of its request objects. */
export interface RequestKeyHeader {
  kid?: string;
  /** The certificate chain, base64 DER, leaf first (RFC 7515 §4.1.6). */
  x5c?: readonly string[];
  /** A verifier attestation (OpenID4VP 1.0 §12). */
  jwt?: string;
  /** Entity statements, that of the verifier first (OpenID Federation 1.0 §4.3). */
  trust_chain?: readonly string[];
}

/** What signs the requests of a verifier. */
export interface RequestSigner {
  signer: Signer;
  header: RequestKeyHeader;
}

/** The key that signs the requests of a session. */
export interface SessionSigning {
  /** The reference of a key, a secret; absent when it is read again for each signature. */
  key?: JsonObject;
  /** The verifier's own key, which its owner can remove while the session waits. */
  ownKey?: PublicJwk;
  /** Its JOSE algorithm. */
  alg: string;
  header: RequestKeyHeader;
}

/** Who asks in the requests of a session. */
export interface SessionClient {
  /** Absent when the session names none and is not signed. */
  clientId?: string;
  signing?: SessionSigning;
}

/** The self-issued ID token that a session asks for beside presentations (SIOPv2 draft 13 §9). */
export interface SessionLogin {
  scope: string;
  /** The `id_token_type`. */
  tokenType: string;
  /** The only JOSE algorithm that is accepted; absent when any is. */
  signingAlg?: string;
}

/** The policies of a session, read. The checks of presentations always run, so none of them is stored. */
export interface SessionPolicies {
  /** For every credential. */
  vc: PolicyRequest[];
  /** By the id of a query: for its credentials, beside those for every one. */
  specific: Record<string, PolicyRequest[]>;
}

/** What a request consists of without the secrets that are made for it. */
export interface V1Setup {
  /** The id of the verifier. */
  verifierId: string;
  flow: SessionFlow;
  /** Whether the result waits for a response code that the creator of the session is shown. */
  showsCode?: boolean;
  /** Whether the rules of HAIP 1.0 hold. */
  isHaip: boolean;
  /** Absent in unsigned requests over the Digital Credentials API, whose client is the page. */
  clientId?: string;
  /** The start of the link for the wallet; absent over the Digital Credentials API. */
  walletUrl?: string;
  /** For a definition: the ids and formats of its descriptors. */
  query: DcqlQuery;
  /** The query as its caller wrote it, which is what the wallet gets. */
  dcqlQuery: JsonObject;
  clientMetadata: JsonObject;
  expectedOrigins?: string[];
  /** Absent when presentations alone are asked for. */
  login?: SessionLogin;
  /** Each in base64url. */
  transactionData?: string[];
  verifierInfo?: JsonObject[];
  /** Absent after the response. */
  signing?: SessionSigning;
  policies: SessionPolicies;
  /** As those of a task. */
  trustedRoots?: readonly string[];
  redirects: SessionRedirects;
  webhook?: SessionWebhook;
  /** The end of the request in milliseconds since the epoch. */
  expiresAt: number;
}

/** A request of OpenID4VP 1.0. */
export interface V1Request extends V1Setup {
  /** A secret of its own: the id in the URLs for the wallet. */
  requestId: string;
  /** Repeated by the wallet; absent over the Digital Credentials API. */
  state?: string;
  nonce: string;
  responseUri?: string;
  /** The URL above the two endpoints of the session. */
  endpointUrl: string;
  responseMode: ResponseMode;
  isSigned: boolean;
  /** A secret; absent when responses are not encrypted, and after the response. */
  responseKey?: MessageKey;
}

/** What a request of the protocol `org-iso-mdoc` consists of. */
export interface MdocSessionRequest {
  documents: RequestedDocument[];
  /** As the wallet gets it: the session's key and nonce. */
  encryptionInfo: string;
}

/** A request for mdocs over the Digital Credentials API without OpenID4VP. */
export interface IsoRequest extends V1Request {
  mdocs: MdocSessionRequest;
}

/** A request for wallets of the drafts: a presentation definition stands in place of the DCQL query. */
export interface ExchangeRequest extends V1Request {
  definition: PresentationDefinition;
  /** The `client_id_scheme`: drafts before 22 name it beside the client id. */
  clientIdScheme?: string;
}

/** A session as protocols see it. */
export interface OpenSession<P extends Protocol = Protocol> {
  id: string;
  request: SessionRequest<P>;
  /** The end of its record in milliseconds since the epoch. */
  expiresAt?: number;
}

/** What requests are made with. */
export interface RequestTools {
  /** Milliseconds since the epoch. */
  now: number;
  /** What the wallet sent to be repeated (OpenID4VP 1.0 §5.10). */
  walletNonce?: string;
  /** What the requests of the drafts say of the verifier. */
  draft20?: DraftEndpoints;
  /**
   * What signs signed requests; `dnsName` is the name in a certificate that is made where one is needed and there is none.
   * @throws DomainError when there is no such key
   */
  signer(dnsName?: string): Promise<RequestSigner>;
  mdocRequests: Pick<MdocRequests, 'deviceRequest'>;
  formats: CredentialFormats;
}

/**
 * A request as a wallet or a page gets it: a signed one as a compact JWS, or this in a compact JWE, any other as JSON; one
 * for a wallet also as the request object without a signature.
 */
export type FetchedRequest = { signed: string } | { json: JsonObject; unsecured?: string };

/** What responses are parsed with. */
export interface ResponseTools {
  encryption: ResponseDecryption;
  mdocRequests: Pick<MdocRequests, 'open'>;
}

/** A response as it arrived: the parameters of a form, or what a page got from the Digital Credentials API. */
export type ReceivedParameters = Readonly<JsonObject>;

/** The error that a wallet or a browser returns instead of a presentation (OpenID4VP 1.0 §8.5, draft 20 §6.4). */
export interface WalletRefusal {
  error: string;
  description?: string;
  uri?: string;
}

/** What a wallet presents: the texts of the presentations, unread, and what they are bound to. */
export interface ReceivedPresentation extends ResponseTexts {
  /** What the session transcripts of this response are made for; absent when the request asks for no such format. */
  handover?: Handover;
  /** Only where the request asks for one; its signature is unverified. */
  idToken?: ParsedJws;
  /** The origin of the page, over the Digital Credentials API. */
  origin?: string;
}

/** A response of a wallet: presentations, or an error. */
export type ParsedResponse = ReceivedPresentation | { refusal: WalletRefusal };

/** A response that was decrypted. */
export interface DecryptedResponse {
  /** The parameters of the response. */
  payload: JsonObject;
  /** The protected header, with `apu` and `apv` as the wallet set them. */
  header: Readonly<JsonObject>;
}

/** Decrypts responses. */
export interface ResponseDecryption {
  /** @throws DomainError `BadRequest` without a path when it is not a JSON object that is encrypted to this key */
  decrypt(message: string, key: MessageKey): Promise<DecryptedResponse>;
}

/** How a verifier names itself to wallets: by the response URI of each session, or by an id that they know. */
export type ClientIdentity = { scheme: 'redirect_uri' } | { scheme: 'pre-registered'; id: string };

/** What requests of the drafts say of their verifier. */
export interface DraftEndpoints {
  /** The URL above the endpoints for wallets, without a trailing slash. */
  baseUrl: string;
  client: ClientIdentity;
  /** The URL by which wallets know it that read its metadata and keys below it. */
  identifier: string;
  /** The DNS name in the certificate of its request signing key. */
  sanDns: string;
  /** Whether presenters must be the holders of what they present, listed or not. */
  needsHolder: boolean;
}

/** A verifier as an entity of a federation (OpenID Federation 1.0). */
export interface VerifierEntity {
  /** Its entity identifier, below which its configuration is published. */
  id(): Promise<string>;
  /** The key that signs its configuration. @throws as `Verifier.signer` */
  key(): Promise<KeyReference>;
  /** The entity identifiers of its superiors. */
  authorityHints: readonly string[];
  /** What the header of its requests has as `trust_chain`. */
  trustChain?: readonly string[];
}
