import { fromBase64url, utf8Text } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type {
  DecryptedResponse,
  Draft20Request,
  ParsedResponse,
  ReceivedParameters,
  ResponseTools,
} from '../protocol.ts';

/** The names of the parameters of a response (OpenID4VP draft 20 §6.1, §6.4). */
const TEXTS = ['state', 'error', 'error_description', 'error_uri'] as const;
const DOCUMENTS = ['vp_token', 'presentation_submission'] as const;

type Parameters = Partial<Record<(typeof TEXTS)[number] | (typeof DOCUMENTS)[number], string>>;

/** The request that a response answers; its id is the `state`. */
interface AnsweredRequest {
  id: string;
  request: Pick<Draft20Request, 'clientId' | 'responseUri' | 'nonce' | 'responseKey'>;
}

/**
 * Parses a response (§6.2, §6.3.1). One that was to be encrypted is refused in the clear, but for errors, which a wallet
 * may send before it can encrypt. @throws DomainError `BadRequest` naming the parameter
 */
export async function parseResponse(
  received: ReceivedParameters,
  { id: state, request }: AnsweredRequest,
  { encryption }: Pick<ResponseTools, 'encryption'>,
): Promise<ParsedResponse> {
  const { response } = received;
  const { responseKey: key, clientId, responseUri, nonce } = request;
  // What session transcripts are made for (ISO/IEC TS 18013-7 B.4.4); none when an encrypted response has no `apu`.
  const handover = { kind: 'draft', clientId, responseUri, nonce } as const;
  const plain = readParameters(received);
  if (!key) {
    if (response !== undefined) throw invalidField(['response'], 'was not asked for: the request is for direct_post');
    return { handover, ...parseParameters(plain, state) };
  }
  if (!isText(response)) {
    if (plain.error === undefined) throw invalidField(['response'], 'is required: the request is for direct_post.jwt');
    return parseParameters(plain, state);
  }
  if (plain.state !== undefined && plain.state !== state) throw invalidField(['state'], 'is that of another session');
  const decrypted = await at(['response'], () => encryption.decrypt(response, key));
  const parsed = at(['response'], () => parseParameters(readParameters(decrypted.payload), state));
  const mdocNonce = mdocNonceOf(decrypted);
  if ('refusal' in parsed || mdocNonce === undefined) return parsed;
  return { ...parsed, handover: { ...handover, mdocNonce } };
}

/** Encrypted parameters are JSON: documents that are no text are written as one, as they stand in a form. */
function readParameters(payload: Readonly<JsonObject>): Parameters {
  const parameters: Parameters = {};
  for (const name of TEXTS) {
    const value = payload[name] ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw invalidField([name], 'must be a text');
    if (value !== undefined) parameters[name] = value;
  }
  for (const name of DOCUMENTS) {
    const value = payload[name] ?? undefined;
    if (value !== undefined) parameters[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return parameters;
}

/** The nonce of the wallet; undefined for an `apu` that is no text, which only other formats can have. */
function mdocNonceOf({ header: { apu } }: DecryptedResponse): string | undefined {
  const bytes = isText(apu) ? fromBase64url(apu) : undefined;
  return bytes?.length ? utf8Text(bytes) : undefined;
}

function parseParameters(form: Parameters, state: string): ParsedResponse {
  if (form.state !== undefined && form.state !== state) throw invalidField(['state'], 'is that of another session');
  const { error, error_description: description, error_uri: uri } = form;
  if (error !== undefined) return { refusal: { error, description, uri } };
  const { vp_token: vpToken, presentation_submission: submission } = form;
  if (vpToken === undefined) throw invalidField(['vp_token'], 'is required');
  if (submission === undefined) throw invalidField(['presentation_submission'], 'is required');
  return { vpToken, submission };
}
