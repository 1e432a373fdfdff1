import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { type ParsedJws, parseJws } from '../../jose/jws.ts';
import { numericDate, timeProblems } from '../../jose/jwt-claims.ts';
import { otherType } from '../../jose/token-types.ts';
import { checkDocumentSize } from '../../network/document-bounds.ts';
import { httpUrl } from '../../network/urls.ts';
import { readDcqlQuery } from '../../presentation/dcql/query.ts';
import { readDefinition } from '../../presentation/exchange/definition.ts';
import type { PresentationQuery } from '../../presentation/query.ts';
import { REQUEST_NAMES, REQUEST_OBJECT } from '../../presentation/request-parameters.ts';
import type { TransactionData, TransactionDataProfile } from '../../presentation/transaction-data.ts';
import { createDeepLink, type DeepLink, parseDeepLink } from '../deep-link.ts';
import { ProtocolClient } from '../protocol-client.ts';
import { type RequestedLogin, requestedLogin } from './login-tokens.ts';
import { RESPONSE_MODES, type RequestObjectParts, RequestObjects } from './request-objects.ts';
import { acceptUnsigned, type RequestSigner, type SignatureParts, verifyRequest } from './request-signature.ts';
import { metadataOf } from './response-recipient.ts';
import { requestedTransactions } from './transactions.ts';

/** A request for a presentation with all its parameters. */
export interface RequestParameters extends DeepLink {
  /** Who signed the parameters, as far as the client_id says whose signature it must be. */
  signer?: RequestSigner;
  /** When the request ends, in milliseconds since the epoch. */
  expiresAt?: number;
  /** The page that asks over the Digital Credentials API: the response goes back to the caller, who passes it on. */
  origin?: string;
}

/** A request for a presentation with all that it refers to in its parameters. */
export type CompleteRequest = RequestParameters;

/** A request for a presentation, with everything that it asks for. */
export interface ResolvedRequest extends CompleteRequest {
  query: PresentationQuery;
  transactions: TransactionData[];
  /** Absent when presentations alone are asked for. */
  login?: RequestedLogin;
}

/** What `PresentationRequests` checks signed requests with. */
interface RequestChecks extends SignatureParts {
  /** The kinds of transactions that holders can authorize. */
  transactionProfiles: readonly TransactionDataProfile[];
  clock: Clock;
}

/** The prefix of a client_id that is the address of the response (OpenID4VP 1.0 §5.9.3). */
const REDIRECT_URI = 'redirect_uri:';

/** Claims of a request object that are about the JWT itself (RFC 9101 §4). */
const TOKEN_CLAIMS = ['iss', 'aud', 'iat', 'nbf', 'exp', 'jti', 'wallet_nonce'];

/** Resolves requests for a presentation: parameters in the link, in a request object, or behind a URL. */
export class PresentationRequests {
  readonly #client: ProtocolClient;
  readonly #objects: RequestObjects;
  readonly #formats: CredentialFormats;

  constructor(
    objects: RequestObjectParts,
    private readonly checks: RequestChecks,
  ) {
    this.#client = new ProtocolClient(objects.outbound, 'verifier');
    this.#objects = new RequestObjects(objects);
    this.#formats = objects.formats;
  }

  /** Errors name the link as `link`. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async resolve(link: string): Promise<ResolvedRequest> {
    return this.read(await this.complete(await this.parameters(link)));
  }

  /** Fetches what the parameters refer to. @throws DomainError as `resolve` */
  async complete(request: RequestParameters): Promise<CompleteRequest> {
    const params = new Map(request.params);
    const [inline, uri] = [params.get('presentation_definition'), params.get('presentation_definition_uri')];
    if (isText(params.get('dcql_query')) && (isText(inline) || isText(uri)))
      throw new DomainError('BadRequest', 'The request holds both a dcql_query and a presentation_definition');
    if (!isText(inline) && isText(uri)) {
      const definition = await this.#client.json({ method: 'GET', url: uri, expects: 'presentation-definition' });
      params.set('presentation_definition', JSON.stringify(definition));
    }
    params.delete('presentation_definition_uri');
    return { ...request, params };
  }

  /** Reads a request that has everything in it. @throws DomainError `BadRequest` */
  read(request: CompleteRequest): ResolvedRequest {
    const { params } = request;
    checkParameters(params);
    const query = this.#readQuery(params);
    const transactions = requestedTransactions(params, this.checks.transactionProfiles);
    const resolved = { ...request, query, transactions, login: requestedLogin(params) };
    if (query.language === 'dcql' && clientProof(resolved).kind === 'unproven') throw unproven();
    return resolved;
  }

  /**
   * Returns the parameters of a request without what they refer to. With a request object, only its parameters count
   * (RFC 9101 §6.3). Errors name the link as `link`. With `isUnverified` they are read as they are, for an answer that refuses
   * the request. @throws DomainError as `resolve`
   */
  async parameters(
    link: string,
    { isUnverified = false }: { isUnverified?: boolean } = {},
  ): Promise<RequestParameters> {
    const { base, params: outer } = at(['link'], () => parseDeepLink(link, REQUEST_NAMES));
    const [value, uri] = [outer.get('request'), outer.get('request_uri')];
    if (!isText(value) && !isText(uri)) {
      if (isUnverified) return { base, params: new Map(outer) };
      const signer = acceptUnsigned(Object.fromEntries(outer), this.checks);
      return { base, params: describedBy(signer, new Map(outer)), signer };
    }
    const { text, nonce } = isText(uri)
      ? await this.#fetch(uri, outer.get('request_uri_method'))
      : { text: value ?? '' };
    if (isUnverified) return { base, params: parametersOf(unverifiedClaims(text)) };
    const { claims, signer } = await this.#verifyObject(text, uri);
    if (nonce !== undefined && claims.wallet_nonce !== nonce)
      throw new DomainError('BadRequest', 'The request object has not the wallet_nonce that it was asked for with');
    const clientId = outer.get('client_id');
    if (clientId !== undefined && claims.client_id !== clientId)
      throw new DomainError('BadRequest', 'The request object has another client_id than the link');
    const params = parametersOf(claims);
    return { base, params: describedBy(signer, params), signer, expiresAt: numericDate(claims.exp) };
  }

  /** The methods are compared with their case (OpenID4VP 1.0 §5.10). */
  #fetch(uri: string, method = 'get'): ReturnType<RequestObjects['get']> {
    if (method === 'get' || method === 'post') return this.#objects[method](uri);
    throw invalidField(['link'], 'the request_uri_method must be get or post');
  }

  /** A request that is not signed is as trustworthy as its link. */
  async #verifyObject(
    text: string,
    uri: string | undefined,
  ): Promise<{ claims: JsonObject; signer: RequestSigner | undefined }> {
    at(['request'], () => checkDocumentSize('request-object', text));
    if (text.startsWith('{')) {
      const claims = readUnsigned(text);
      return { claims, signer: acceptUnsigned(claims, this.checks) };
    }
    const jws = parseJws(text, 'The request object');
    return { claims: jws.payload, signer: await this.verify(jws, { uri }) };
  }

  /**
   * Verifies a request object, from `uri` if it was fetched. Drafts did not demand its type (OpenID4VP 1.0 §5).
   * @throws DomainError `BadRequest`
   */
  async verify(
    jws: ParsedJws,
    { uri, isOverDcApi }: { uri?: string; isOverDcApi?: boolean },
  ): Promise<RequestSigner | undefined> {
    const { typ } = jws.header;
    if (
      otherType(typ, 'request-object') !== undefined ||
      (jws.payload.dcql_query !== undefined && typ !== REQUEST_OBJECT.TYP)
    )
      throw new DomainError('BadRequest', `The request object is not of the type ${REQUEST_OBJECT.TYP}`);
    const now = this.checks.clock.now();
    if (timeProblems(jws.payload, { now }).exp) throw new DomainError('BadRequest', 'The request object has expired');
    checkAudience(jws, uri);
    return verifyRequest(jws, { ...this.checks, now, isOverDcApi });
  }

  /** A request has either a `dcql_query` or a definition (OpenID4VP 1.0 §5.1, draft 20 §5.4). */
  #readQuery(params: ReadonlyMap<string, string>): PresentationQuery {
    const [dcql, definition] = [params.get('dcql_query'), params.get('presentation_definition')];
    if (isText(dcql))
      return { language: 'dcql', query: at(['dcql_query'], () => readDcqlQuery(parseJson(dcql), this.#formats)) };
    if (!isText(definition))
      throw new DomainError('BadRequest', 'The request holds no presentation_definition and no dcql_query');
    const read = at(['presentation_definition'], () => readDefinition(parseJson(definition)));
    return { language: 'presentation-exchange', definition: read };
  }
}

/** The parameters of a request object; values that are no texts are JSON. */
export const parametersOf = (claims: JsonObject): Map<string, string> =>
  new Map(
    Object.entries(claims)
      .filter(([name, member]) => !TOKEN_CLAIMS.includes(name) && member !== null)
      .map(([name, member]) => [name, isText(member) ? member : JSON.stringify(member)]),
  );

/**
 * A signed request is for a wallet that its verifier knows nothing of (OpenID4VP 1.0 §5.8). Some verifiers name the address
 * of the request itself, and RFC 9101 lets them say nothing.
 */
function checkAudience({ header, payload: { aud } }: ParsedJws, uri: string | undefined): void {
  if (aud === undefined || header.alg === 'none') return;
  const named = asList(aud);
  if (!named.includes(REQUEST_OBJECT.AUDIENCE) && !(uri !== undefined && named.includes(uri)))
    throw new DomainError('BadRequest', `The aud of the request object must be ${REQUEST_OBJECT.AUDIENCE}`);
}

/** What version 1.0 demands of each request, and drafts do not (OpenID4VP 1.0 §5.2, §8.2). @throws DomainError `BadRequest` */
function checkParameters(params: ReadonlyMap<string, string>): void {
  if (!params.has('dcql_query')) return;
  if (!isText(params.get('nonce'))) throw new DomainError('BadRequest', 'The request has no nonce');
  if (params.has('redirect_uri') && params.get('response_mode') !== 'fragment')
    throw new DomainError('BadRequest', 'The request has a redirect_uri, which is not for answers that are posted', {
      oauthError: 'invalid_request',
    });
  if (/^https?:/i.test(params.get('client_id') ?? '') && !params.has('client_id_scheme'))
    throw new DomainError('BadRequest', 'The client_id has no prefix that this wallet knows');
}

/** The request says nothing of a client that others speak of: its superiors, or the configuration (OpenID4VP 1.0 §5.9.3). */
export function describedBy(signer: RequestSigner | undefined, params: Map<string, string>): Map<string, string> {
  if (signer?.kind === 'federation') params.set('client_metadata', JSON.stringify(signer.metadata));
  if (signer?.kind === 'registered') {
    const { logo_uri: _, ...metadata } = metadataOf(params);
    params.set('client_metadata', JSON.stringify({ ...metadata, client_name: signer.name }));
  }
  return params;
}

/** What a request object says, signed or not. @throws DomainError `BadRequest` */
function unverifiedClaims(text: string): JsonObject {
  at(['request'], () => checkDocumentSize('request-object', text));
  return text.startsWith('{') ? readUnsigned(text) : parseJws(text, 'The request object').payload;
}

/** Reads a request that a verifier answers with as JSON. @throws DomainError `BadRequest` */
function readUnsigned(text: string): JsonObject {
  const claims = at(['request'], () => parseJson(text));
  if (!isObject(claims)) throw new DomainError('BadRequest', 'The request object is not a JSON object');
  return claims;
}

/** How far it is proven who sent a request. */
export type ClientProof =
  | { kind: 'unproven' }
  /** The client_id is the address that receives the answer. */
  | { kind: 'redirect-uri'; host: string }
  /** A key of the DID that is the client_id signed the request. */
  | { kind: 'did-signature'; did: string }
  /** The holder of a certificate signed the request; `name` is what the client_id says, `issuer` who made the certificate. */
  | { kind: 'certificate'; name: string; issuer: string; isTrusted: boolean }
  /** An entity below a trust anchor of the wallet signed the request. */
  | { kind: 'federation'; entity: string; trustAnchor: string }
  /** An issuer that the wallet trusts attests the key that signed the request. */
  | { kind: 'attestation'; name: string; issuer: string }
  /** The wallet knows the client, whose key signed the request, or whose address receives the answer. */
  | { kind: 'registered'; name: string }
  /** The page asks that receives the answer. */
  | { kind: 'origin'; host: string };

/** Returns how far a request proves who sent it (OpenID4VP 1.0 §5.9.3, `client_id_scheme` in drafts). */
export function clientProof(request: RequestParameters): ClientProof {
  const { params, signer } = request;
  if (signer) return proofOf(signer);
  if (request.origin !== undefined) return { kind: 'origin', host: responseHost(request) };
  const address = responseAddress(request);
  const clientId = (params.get('client_id') ?? '').replace(/^redirect_uri:/, '');
  const scheme = params.get('client_id_scheme') ?? 'redirect_uri';
  if (clientId !== address || scheme !== 'redirect_uri') return { kind: 'unproven' };
  return { kind: 'redirect-uri', host: new URL(address).host };
}

/**
 * Whether something that the wallet trusts proves who sent a request (OpenID4VP 1.0 §5.9). API 2 answers no request without
 * a proof, API 1 none of version 1.0 with no proof at all; what else is unproven it shows to its user, who decides.
 */
export const isProven = (proof: ClientProof): boolean =>
  proof.kind !== 'unproven' && !(proof.kind === 'certificate' && !proof.isTrusted);

/** The error of a request that nothing proves, with the code for its verifier. */
export const unproven = (): DomainError =>
  new DomainError('BadRequest', 'Nothing that this wallet trusts proves who sent the request', {
    oauthError: 'invalid_client',
  });

function proofOf(signer: RequestSigner): ClientProof {
  if (signer.kind === 'did') return { kind: 'did-signature', did: signer.did };
  if (signer.kind === 'certificate') {
    const { registration: _registration, roots: _roots, ...proof } = signer;
    return proof;
  }
  if (signer.kind !== 'federation') return signer;
  const { metadata: _, ...proof } = signer;
  return proof;
}

/** Creates the link of a resolved request, as existing clients parse it. @throws DomainError `BadRequest` without a response address */
export function createRequestLink(request: ResolvedRequest): string {
  responseAddress(request);
  return createDeepLink(request);
}

/** Host and port of where the response goes. @throws DomainError as `responseAddress` */
export const responseHost = (request: RequestParameters): string =>
  new URL(request.origin ?? responseAddress(request)).host;

/**
 * Whether the browser of the user takes the response to the verifier, in the fragment of its address, which no server logs.
 * Addresses have it in `query` where they do, and a `form_post` is a page that runs a script: neither is supported.
 */
export const isCarried = ({ params }: RequestParameters): boolean => params.get('response_mode') === 'fragment';

/**
 * Returns the URL of the response (OpenID4VP §8.2; `redirect_uri` in drafts before 18): where it is posted to, or where the
 * browser of the user takes it. @throws DomainError `BadRequest`
 */
export function responseAddress(request: RequestParameters): string {
  const { params } = request;
  const mode = params.get('response_mode') ?? 'direct_post';
  if (!RESPONSE_MODES.includes(mode))
    throw new DomainError('BadRequest', `The response_mode ${mode.slice(0, 32)} is not supported`);
  if (isCarried(request) && params.has('response_uri'))
    throw new DomainError('BadRequest', 'The request has a response_uri, which is for answers that are posted');
  const address = params.get('response_uri') ?? params.get('redirect_uri');
  if (!isText(address) || !httpUrl(address) || (isCarried(request) && address.includes('#')))
    throw new DomainError(
      'BadRequest',
      `The request names no http(s) ${isCarried(request) ? 'redirect' : 'response'}_uri`,
    );
  const clientId = params.get('client_id') ?? '';
  if (clientId.startsWith(REDIRECT_URI) && clientId !== `${REDIRECT_URI}${address}`)
    throw new DomainError('BadRequest', 'The response_uri is not that of the client_id');
  return address;
}
