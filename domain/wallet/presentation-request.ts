import type { PublicJwk } from '../../ports/key-service.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { at, DomainError } from '../foundation/errors.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';
import { numericDate, timeProblems } from '../jose/jwt-claims.ts';
import { checkSigner } from '../jose/signer-keys.ts';
import { checkDocumentSize } from '../network/document-bounds.ts';
import { httpUrl } from '../network/urls.ts';
import { readDcqlQuery } from '../presentation/dcql/query.ts';
import { readDefinition } from '../presentation/exchange/definition.ts';
import type { PresentationQuery } from '../presentation/query.ts';
import { REQUEST_NAMES } from '../presentation/request-parameters.ts';
import { createDeepLink, type DeepLink, parseDeepLink } from './deep-link.ts';
import { ProtocolClient } from './protocol-client.ts';

/** A request for a presentation with all its parameters. */
export interface RequestParameters extends DeepLink {
  /** The DID whose key signed the parameters. */
  signedBy?: string;
  /** When the request ends, in milliseconds since the epoch. */
  expiresAt?: number;
}

/** A request for a presentation, with everything that it refers to. */
export interface ResolvedRequest extends RequestParameters {
  query: PresentationQuery;
}

/** What `PresentationRequests` checks signed requests with. */
export interface RequestChecks {
  resolver: DidResolver;
  signatures: Signatures;
  clock: Clock;
}

/** The prefix of a client_id that is the address of the response (OpenID4VP 1.0 §5.9.3). */
const REDIRECT_URI = 'redirect_uri:';

/** Claims of a request object that are about the JWT itself (RFC 9101 §4). */
const TOKEN_CLAIMS = ['iss', 'aud', 'iat', 'nbf', 'exp', 'jti'];

/** Resolves requests for a presentation: parameters in the link, in a request object, or behind a URL. */
export class PresentationRequests {
  readonly #client: ProtocolClient;
  readonly #checks: RequestChecks;

  constructor(outbound: Outbound, checks: RequestChecks) {
    this.#client = new ProtocolClient(outbound, 'verifier');
    this.#checks = checks;
  }

  /** Errors name the link as `link`. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async resolve(link: string): Promise<ResolvedRequest> {
    const request = await this.parameters(link);
    const { params } = request;
    const query = await this.#parseQuery(params);
    if (query.language === 'presentation-exchange')
      params.set('presentation_definition', JSON.stringify(query.definition));
    params.delete('presentation_definition_uri');
    return { ...request, query };
  }

  /**
   * Returns the parameters of a request without what they refer to. With a request object, only its parameters count
   * (RFC 9101 §6.3). Errors name the link as `link`. @throws DomainError as `resolve`
   */
  async parameters(link: string): Promise<RequestParameters> {
    const { base, params: outer } = at(['link'], () => parseDeepLink(link, REQUEST_NAMES));
    const [value, uri] = [outer.get('request'), outer.get('request_uri')];
    if (!isText(value) && !isText(uri)) return { base, params: new Map(outer) };
    const text = isText(uri) ? await this.#fetchObject(uri, outer.get('request_uri_method')) : value;
    const { claims, signedBy } = await this.#verifyObject(text ?? '');
    const clientId = outer.get('client_id');
    if (clientId !== undefined && claims.client_id !== clientId)
      throw new DomainError('BadRequest', 'The request object has another client_id than the link');
    const members = Object.entries(claims).filter(([name, member]) => !TOKEN_CLAIMS.includes(name) && member !== null);
    const params = new Map(members.map(([name, member]) => [name, isText(member) ? member : JSON.stringify(member)]));
    const expiresAt = numericDate(claims.exp);
    return { base, params, ...(signedBy !== undefined && { signedBy }), ...(expiresAt !== undefined && { expiresAt }) };
  }

  #fetchObject(url: string, method: string | undefined): Promise<string> {
    const headers = { accept: 'application/oauth-authz-req+jwt' };
    const expects = 'request-object';
    if (method !== 'post') return this.#client.text({ method: 'GET', url, expects, headers });
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    return this.#client.text({ method: 'POST', url, expects, headers: form, body: '' });
  }

  async #verifyObject(text: string): Promise<{ claims: JsonObject; signedBy?: string }> {
    at(['request'], () => checkDocumentSize('request-object', text));
    const jws = parseJws(text, 'The request object');
    if (timeProblems(jws.payload, { now: this.#checks.clock.now() }).exp)
      throw new DomainError('BadRequest', 'The request object has expired');
    return { claims: jws.payload, signedBy: await this.#checkSignature(jws) };
  }

  /**
   * Verifies the signature when the client is identified by a DID, and returns that DID; other clients are as
   * trustworthy as the link.
   */
  async #checkSignature(jws: ParsedJws): Promise<string | undefined> {
    const { resolver, signatures } = this.#checks;
    const clientId = String(jws.payload.client_id ?? '').replace(/^decentralized_identifier:/, '');
    if (!clientId.startsWith('did:')) return undefined;
    const { kid } = jws.header;
    const verify = (jwk: PublicJwk) => verifyJws(jws, jwk, signatures);
    const signed = { kid, signer: clientId, needsKid: true, purpose: 'verificationMethod', verify } as const;
    const check = await checkSigner(signed, resolver);
    if (check.valid) return clientId;
    throw new DomainError(
      'BadRequest',
      check.refusal === 'signature'
        ? 'The signature of the request object is not valid'
        : 'The request object is not signed by its client_id',
    );
  }

  /** A request has either a `dcql_query` or a definition, in itself or behind a URL (OpenID4VP 1.0 §5.1, draft 20 §5.4). */
  async #parseQuery(params: Map<string, string>): Promise<PresentationQuery> {
    const [inline, uri] = [params.get('presentation_definition'), params.get('presentation_definition_uri')];
    const dcql = params.get('dcql_query');
    if (isText(dcql) && (isText(inline) || isText(uri)))
      throw new DomainError('BadRequest', 'The request holds both a dcql_query and a presentation_definition');
    if (isText(dcql)) return { language: 'dcql', query: at(['dcql_query'], () => readDcqlQuery(parseJson(dcql))) };
    if (!isText(inline) && !isText(uri))
      throw new DomainError('BadRequest', 'The request holds no presentation_definition and no dcql_query');
    const definition = isText(inline)
      ? at(['presentation_definition'], () => readDefinition(parseJson(inline)))
      : readDefinition(await this.#client.json({ method: 'GET', url: uri ?? '', expects: 'presentation-definition' }));
    return { language: 'presentation-exchange', definition };
  }
}

/** How far it is proven who sent a request. */
export type ClientProof =
  | { kind: 'unproven' }
  /** The client_id is the address that receives the answer. */
  | { kind: 'redirect-uri'; host: string }
  /** A key of the DID that is the client_id signed the request. */
  | { kind: 'did-signature'; did: string };

/** Returns how far a request proves who sent it (OpenID4VP 1.0 §5.9.3, `client_id_scheme` in drafts). */
export function clientProof(request: RequestParameters): ClientProof {
  const { params, signedBy } = request;
  if (signedBy !== undefined) return { kind: 'did-signature', did: signedBy };
  const address = responseAddress(request);
  const clientId = (params.get('client_id') ?? '').replace(/^redirect_uri:/, '');
  const scheme = params.get('client_id_scheme') ?? 'redirect_uri';
  if (clientId !== address || scheme !== 'redirect_uri') return { kind: 'unproven' };
  return { kind: 'redirect-uri', host: new URL(address).host };
}

/** Creates the link of a resolved request, as existing clients parse it. @throws DomainError `BadRequest` without a response address */
export function createRequestLink(request: ResolvedRequest): string {
  responseAddress(request);
  return createDeepLink(request);
}

/** Returns the URL of the response (OpenID4VP §8.2; `redirect_uri` in drafts before 18). @throws DomainError `BadRequest` */
export function responseAddress({ params }: RequestParameters): string {
  const mode = params.get('response_mode') ?? 'direct_post';
  const address = params.get('response_uri') ?? params.get('redirect_uri');
  if (mode !== 'direct_post' && mode !== 'direct_post.jwt')
    throw new DomainError('BadRequest', `The response_mode ${mode.slice(0, 32)} is not supported`);
  if (!isText(address) || !httpUrl(address))
    throw new DomainError('BadRequest', 'The request names no http(s) response_uri');
  const clientId = params.get('client_id') ?? '';
  if (clientId.startsWith(REDIRECT_URI) && clientId !== `${REDIRECT_URI}${address}`)
    throw new DomainError('BadRequest', 'The response_uri is not that of the client_id');
  return address;
}
