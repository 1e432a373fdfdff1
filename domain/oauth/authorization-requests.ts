import { fromBase64url } from '../foundation/bytes.ts';
import { DomainError, invalidField, isDomainError, oauthError } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { readLocation } from '../network/urls.ts';
import { type AuthorizationPolicy, checkPushingClient } from './authorization-policy.ts';
import type { ReturnAddress } from './authorization-responses.ts';
import { readCodeChallenge } from './pkce.ts';
import { oneValueOf, type Parameters, readDetails, readResources, readScopes } from './request-parameters.ts';
import type { ProvenKeys } from './sender-constraints.ts';

/** A checked authorization request (RFC 6749 §4.1.1). */
export interface AuthorizationRequest extends ReturnAddress, ProvenKeys {
  clientId: string;
  /** Each once; whether the issuer knows them is not checked. */
  scopes?: string[];
  details?: JsonObject[];
  /** Of the method S256. */
  codeChallenge?: string;
  /** What the offer named (OpenID4VCI 1.0 §5.1.3). */
  issuerState?: string;
  resources?: string[];
  /** Where the client takes requests of this server (SIOPv2 draft 13 §7.1). */
  walletUrl?: string;
}

/** What a request is checked against. */
export interface RequestContext {
  policy: AuthorizationPolicy;
  /** Whether it came to the endpoint for pushed requests. */
  isPushed: boolean;
  /** The `type`s of authorization details that the issuer understands. */
  detailTypes: readonly string[];
  /** The redirect URIs of a client that the issuer knows; undefined for any other. */
  redirectUrisOf(clientId: string): readonly string[] | undefined;
  /** Whether clients that the issuer does not know may ask too, with a redirect URI of their own (RFC 9126 §2.4). */
  acceptsUnknownClients: boolean;
  /** Whether the client may have to answer requests of this server, so that its metadata matters. */
  asksClients?: boolean;
  /** The keys that the client proved with the request, and the name it authenticated with. */
  proven: ProvenKeys & { clientId?: string };
}

/** A request, or why it is refused: with `returnTo` the client is informed by a redirect, otherwise the user (RFC 6749 §4.1.2.1). */
export type ReadRequest = { request: AuthorizationRequest } | { refusal: DomainError; returnTo?: ReturnAddress };

/** Reads the parameters of an authorization request; those that are not known are ignored. */
export function readAuthorizationRequest(parameters: Parameters, context: RequestContext): ReadRequest {
  const client = attempt(() => readClient(parameters, context));
  if ('refusal' in client) return client;
  const { clientId, redirectUri } = client.value;
  const state = attempt(() => oneValueOf(parameters, 'state'));
  const returnTo = { redirectUri, ...('value' in state && state.value !== undefined && { state: state.value }) };
  if ('refusal' in state) return { ...state, returnTo };
  const wanted = attempt(() => readAuthorization(parameters, context));
  return 'refusal' in wanted ? { ...wanted, returnTo } : { request: { clientId, ...returnTo, ...wanted.value } };
}

function attempt<T>(read: () => T): { value: T } | { refusal: DomainError } {
  try {
    return { value: read() };
  } catch (error) {
    if (isDomainError(error)) return { refusal: error };
    throw error;
  }
}

const invalid = (text: string): DomainError => oauthError('invalid_request', text);

function readClient(parameters: Parameters, context: RequestContext): { clientId: string; redirectUri: string } {
  const clientId = oneValueOf(parameters, 'client_id');
  if (clientId === undefined) throw invalid('client_id: is required');
  if (context.isPushed) checkPushingClient(context.policy, context.proven);
  if (context.proven.clientId !== undefined && context.proven.clientId !== clientId)
    throw oauthError('invalid_client', 'client_id: is not the client of the attestation');
  const known = context.redirectUrisOf(clientId);
  if (!known && !context.acceptsUnknownClients) throw oauthError('invalid_client', 'client_id: is not known');
  const redirectUri = oneValueOf(parameters, 'redirect_uri');
  if (redirectUri === undefined) throw invalid('redirect_uri: is required');
  if (known && !known.includes(redirectUri)) throw invalid('redirect_uri: is not one of the client');
  return { clientId, redirectUri: known ? redirectUri : readUnknownUri(redirectUri) };
}

/** What the answer adds to the query of a redirect URI, where each parameter may be once only (RFC 6749 §3.1). */
const ANSWERED = ['code', 'state', 'iss', 'error', 'error_description'];

function readUnknownUri(text: string): string {
  try {
    const uri = readLocation(text);
    const { searchParams } = new URL(uri);
    const taken = ANSWERED.find((name) => searchParams.has(name));
    if (taken !== undefined) throw invalidField([], `may not have the parameter ${taken}, which is of the answer`);
    return uri;
  } catch (cause) {
    throw invalid(`redirect_uri: ${cause instanceof DomainError ? cause.message : 'is not acceptable'}`);
  }
}

type RequestedAuthorization = Omit<AuthorizationRequest, 'clientId' | keyof ReturnAddress>;

function readAuthorization(parameters: Parameters, context: RequestContext): RequestedAuthorization {
  const { policy, isPushed, detailTypes, proven } = context;
  checkForm(parameters);
  if (policy.requiresPar && !isPushed) throw invalid('The request must be pushed first (RFC 9126)');
  const codeChallenge = readCodeChallenge({
    challenge: oneValueOf(parameters, 'code_challenge'),
    method: oneValueOf(parameters, 'code_challenge_method'),
  });
  if (policy.requiresPkce && codeChallenge === undefined) throw invalid('code_challenge: is required');
  return {
    scopes: readScopes(oneValueOf(parameters, 'scope')),
    details: readDetails(oneValueOf(parameters, 'authorization_details'), detailTypes),
    codeChallenge,
    issuerState: oneValueOf(parameters, 'issuer_state'),
    resources: readResources(parameters),
    ...(context.asksClients && { walletUrl: readWalletEndpoint(oneValueOf(parameters, 'client_metadata')) }),
    dpopThumbprint: readThumbprint(oneValueOf(parameters, 'dpop_jkt'), proven.dpopThumbprint),
    instanceThumbprint: proven.instanceThumbprint,
  };
}

/** The `authorization_endpoint` of the client's metadata, which nothing else is read from; the answer is sent below it. */
function readWalletEndpoint(text: string | undefined): string | undefined {
  const metadata = text === undefined ? undefined : attempt(() => parseJson(text));
  const { authorization_endpoint: endpoint } =
    metadata && 'value' in metadata && isObject(metadata.value) ? metadata.value : {};
  if (endpoint === undefined) return undefined;
  const url = attempt(() => readLocation(endpoint));
  if ('value' in url && !url.value.includes('?')) return url.value;
  throw invalid('client_metadata: the authorization_endpoint must be a URL without query and fragment');
}

function checkForm(parameters: Parameters): void {
  const responseType = oneValueOf(parameters, 'response_type');
  if (responseType === undefined) throw invalid('response_type: is required');
  if (responseType !== 'code') throw oauthError('unsupported_response_type', 'response_type: must be code');
  const responseMode = oneValueOf(parameters, 'response_mode') ?? 'query';
  if (responseMode !== 'query') throw invalid('response_mode: must be query');
  if (oneValueOf(parameters, 'request') !== undefined)
    throw oauthError('request_not_supported', 'request: request objects are not supported');
  if (oneValueOf(parameters, 'request_uri') !== undefined)
    throw invalid('request_uri: is not possible here (RFC 9126 §2.1)');
}

const THUMBPRINT_BYTES = 32;

/** The key of the code (RFC 9449 §10): of `dpop_jkt` or of the proof that came with a pushed request; both must be the same. */
function readThumbprint(stated: string | undefined, proven: string | undefined): string | undefined {
  if (stated === undefined) return proven;
  if (fromBase64url(stated)?.length !== THUMBPRINT_BYTES) throw invalid('dpop_jkt: must be a SHA-256 JWK thumbprint');
  if (proven !== undefined && proven !== stated)
    throw oauthError('invalid_dpop_proof', 'dpop_jkt: is not the thumbprint of the key of the DPoP proof');
  return stated;
}
