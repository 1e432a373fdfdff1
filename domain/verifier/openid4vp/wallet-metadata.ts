import type { RecipientRequest } from '../../../ports/message-encryption.ts';
import { utf8Length } from '../../foundation/bytes.ts';
import { invalidField, isDomainError } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { contentEncryption, ENCRYPTION, encryptionKey } from '../../jose/encryption-algorithms.ts';
import { hasSameValues } from '../../presentation/login-requests.ts';
import type { V1Request } from '../protocol.ts';
import { parseClientId } from './client-ids.ts';
import { responseTypeOf } from './v1-requests.ts';

const MAX_BYTES = 16 * 1024;

/** What a wallet must be able to do for a request, by the members of its metadata that list it (§10, RFC 8414, RFC 9101 §9). */
const DEMANDS: Readonly<Record<string, (request: V1Request) => string | undefined>> = {
  request_object_signing_alg_values_supported: ({ signing }) => signing?.alg,
  client_id_prefixes_supported: ({ clientId }) =>
    clientId === undefined ? undefined : (parseClientId(clientId).prefix ?? 'pre-registered'),
  response_types_supported: responseTypeOf,
  response_modes_supported: ({ responseMode }) => responseMode,
  id_token_signing_alg_values_supported: ({ login }) => login?.signingAlg,
};

/**
 * Reads the metadata of a wallet that fetches a request (§5.10): whom the request is encrypted to, which needs a key by value
 * and a list of algorithms. Formats are for the wallet to compare with the query, which may offer a choice.
 * @throws DomainError `BadRequest` naming the member that the request or its encryption does not fit
 */
export function readWalletMetadata(text: string, request: V1Request): RecipientRequest | undefined {
  if (utf8Length(text) > MAX_BYTES) throw invalidField([], `may have at most ${MAX_BYTES} bytes`);
  const metadata = parseObject(text);
  for (const [name, demand] of Object.entries(DEMANDS)) {
    const [listed, wanted] = [metadata[name], demand(request)];
    if (
      listed !== undefined &&
      wanted !== undefined &&
      !(Array.isArray(listed) && listed.some((one) => hasSameValues(one, wanted)))
    )
      throw invalidField([name], `must list ${wanted}, which this request needs`);
  }
  return readRecipient(metadata);
}

function readRecipient(metadata: JsonObject): RecipientRequest | undefined {
  const { ALG, ENC } = ENCRYPTION;
  const { jwks, ...lists } = metadata;
  const [algs, encs] = ['alg', 'enc'].map((kind) => `request_object_encryption_${kind}_values_supported`) as [
    string,
    string,
  ];
  if (jwks === undefined || lists[algs] === undefined) return undefined;
  if (!Array.isArray(lists[algs]) || !lists[algs].includes(ALG)) throw invalidField([algs], `must list ${ALG}`);
  const enc = contentEncryption(lists[encs]);
  if (enc === undefined) throw invalidField([encs], `must list ${ENC.join(' or ')}`);
  const jwk = encryptionKey(jwks, ALG);
  if (!jwk) throw invalidField(['jwks'], `must have a key for ${ALG}`);
  return { jwk, enc, compresses: false, contentType: 'JWT' };
}

function parseObject(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!isDomainError(error)) throw error;
  }
  throw invalidField([], 'must be a JSON object');
}
