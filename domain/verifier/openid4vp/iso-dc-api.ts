import type { MdocExchange, MdocRequests } from '../../../ports/codecs/mdoc-requests.ts';
import { fromBase64 } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type {
  FetchedRequest,
  IsoRequest,
  OpenSession,
  ParsedResponse,
  ReceivedParameters,
  RequestTools,
  ResponseTools,
} from '../protocol.ts';
import { membersAt, parseRefusal, placeOfData } from './v1-responses.ts';

const PROTOCOL = 'org-iso-mdoc';

/** The documents and the key of the session. */
export const asked = ({ mdocs }: IsoRequest): JsonObject => ({ ...mdocs });

/** What a page passes to the browser (ISO/IEC TS 18013-7:2025 annex C). @throws as `RequestTools.signer` and `Signer.sign` */
export async function fetchedRequest(
  { request }: OpenSession<'iso-dc-api'>,
  { signer, mdocRequests }: RequestTools,
): Promise<FetchedRequest> {
  const { documents, encryptionInfo } = request.mdocs;
  const signed = request.signing && { reader: await readerOf(signer), exchange: exchangeOf(request) };
  const deviceRequest = await mdocRequests.deviceRequest(documents, signed);
  return { json: { protocol: PROTOCOL, data: { deviceRequest, encryptionInfo } } };
}

async function readerOf(signer: RequestTools['signer']) {
  const { signer: own, header } = await signer();
  return { signer: own, chain: (header.x5c ?? []).flatMap((text) => fromBase64(text) ?? []) };
}

/**
 * Parses what the browser gave the page, as the `vp_token` of the session's query.
 * @throws DomainError `BadRequest` naming the parameter
 */
export async function parseResponse(
  received: ReceivedParameters,
  { request }: OpenSession<'iso-dc-api'>,
  { mdocRequests }: Pick<ResponseTools, 'mdocRequests'>,
): Promise<ParsedResponse> {
  if (received.error !== undefined) return { refusal: parseRefusal(received, request) };
  const handover = exchangeOf(request);
  const { origin } = handover;
  if (received.origin !== undefined && received.origin !== origin)
    throw invalidField(['origin'], 'is not the origin that the session expects');
  const place = placeOfData(received);
  const data = membersAt(received, place);
  return at([...place, 'response'], async () => {
    const response = isObject(data) ? data.response : undefined;
    const { responseKey: key } = request;
    if (!isText(response) || !key) throw invalidField([], 'is required');
    const documents = await mdocRequests.open(response, { exchange: handover, key }).catch(asField);
    return { vpToken: JSON.stringify(vpTokenOf(documents)), handover, origin };
  });
}

function vpTokenOf(documents: Awaited<ReturnType<MdocRequests['open']>>): JsonObject {
  const token = new Map<string, string[]>();
  for (const { docType, presentation } of documents) token.set(docType, [...(token.get(docType) ?? []), presentation]);
  return Object.fromEntries(token);
}

function asField(error: unknown): never {
  throw error instanceof DomainError && !error.details ? invalidField([], error.message) : error;
}

/** The exchange of a session with the page of its one origin. */
const exchangeOf = ({ mdocs: { encryptionInfo }, expectedOrigins: [origin = ''] = [] }: IsoRequest): MdocExchange => ({
  kind: 'iso-dc-api',
  origin,
  encryptionInfo,
});
