import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type {
  ExchangeRequest,
  FetchedRequest,
  OpenSession,
  ParsedResponse,
  ReceivedParameters,
  RequestTools,
  ResponseTools,
} from '../protocol.ts';
import { parseClientId } from './client-ids.ts';
import { verifierMetadata } from './draft20-requests.ts';
import * as draft20 from './draft20-responses.ts';
import { signRequestObject, unsecuredRequestObject } from './request-object.ts';

/** How the drafts before 22 name what later are prefixes of client identifiers. */
const SCHEMES: Readonly<Partial<Record<string, string>>> = {
  redirect_uri: 'redirect_uri',
  x509_san_dns: 'x509_san_dns',
  decentralized_identifier: 'did',
  verifier_attestation: 'verifier_attestation',
  openid_federation: 'entity_id',
};

/** Who asks, as wallets of the drafts read it; an identifier that they do not know keeps its prefix. */
export function draftClient(clientId: string): Pick<ExchangeRequest, 'clientId' | 'clientIdScheme'> {
  const { prefix = 'pre-registered', name } = parseClientId(clientId);
  const scheme = prefix === 'pre-registered' ? prefix : SCHEMES[prefix];
  return scheme === undefined ? { clientId } : { clientId: name, clientIdScheme: scheme };
}

/** The definition. */
export const asked = ({ definition }: ExchangeRequest): JsonObject => ({ presentation_definition: definition });

/** The parameters of a request as JSON (OpenID4VP draft 20 §5). */
function parametersOf(request: ExchangeRequest, formats: CredentialFormats): JsonObject {
  const { vp_formats_supported: _, ...metadata } = request.clientMetadata;
  const asking = { formats: request.query.credentials.map(({ format }) => format), responseKey: request.responseKey };
  return {
    response_type: 'vp_token',
    ...(request.clientIdScheme !== undefined && { client_id_scheme: request.clientIdScheme }),
    response_mode: request.responseMode,
    response_uri: request.responseUri,
    state: request.state,
    nonce: request.nonce,
    presentation_definition: request.definition,
    client_metadata: { ...metadata, ...verifierMetadata(asking, formats) },
  };
}

/** The request of a session; a signed one is signed anew for each call. @throws as `RequestTools.signer` and `Signer.sign` */
export async function fetchedRequest(
  { request }: OpenSession<'exchange'>,
  { now, walletNonce, signer, formats }: RequestTools,
): Promise<FetchedRequest> {
  const { signing, expiresAt, clientId = '' } = request;
  const json = { client_id: clientId, ...parametersOf(request, formats) };
  const object = { parameters: json, now, expiresAt, walletNonce };
  if (signing) return { signed: await signRequestObject(object, await signer()) };
  return { json, unsecured: unsecuredRequestObject(object) };
}

/** Parses a response as that to a request of the drafts. @throws DomainError `BadRequest` naming the parameter */
export const parseResponse = (
  received: ReceivedParameters,
  { request }: OpenSession<'exchange'>,
  { encryption }: Pick<ResponseTools, 'encryption'>,
): Promise<ParsedResponse> => {
  const { state = '', clientId = '', responseUri = '', nonce, responseKey } = request;
  return draft20.parseResponse(
    received,
    { id: state, request: { clientId, responseUri, nonce, responseKey } },
    { encryption },
  );
};
