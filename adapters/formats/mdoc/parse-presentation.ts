import type * as Library from '@owf/mdoc';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { fromBase64url } from '../../../domain/foundation/bytes.ts';
import { badRequest, DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import type {
  HolderRefusal,
  ParsedCredential,
  ParsedPresentation,
  PresentationChallenge,
  SignatureCheck,
} from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { checkDefiniteCbor } from './cbor-bounds.ts';
import {
  checkAuthorized,
  type DeviceSigned,
  deviceAuthentication,
  membersOf,
  parseDeviceSigned,
} from './device-signed.ts';
import { MdocJson } from './mdoc-json.ts';
import { type ParsingParts, readIssuerSigned } from './parse-credential.ts';
import { sessionTranscripts } from './session-transcript.ts';
import { signedTransactionData } from './transaction-data.ts';

const VERSION = '1.0';
const OK = 0;
const MAX_DOCUMENTS = 32;

/** One document of a DeviceResponse; nothing of it is verified. */
interface PresentedDocument {
  credential: ParsedCredential;
  deviceSigned: DeviceSigned;
  /** As it is shown: what the issuer signed apart from what the device signed. */
  document: JsonObject;
}

/**
 * Parses a DeviceResponse (ISO 18013-5 §8.3.2.1.2.2) in base64url, or as a JSON string of it.
 * @throws DomainError `BadRequest` when it is none, when it reports an error or when it contradicts itself
 */
export async function parsePresentation(text: string, parts: ParsingParts): Promise<ParsedPresentation> {
  try {
    const bytes = fromBase64url(unquoted(text));
    if (!bytes) throw badRequest('it is not canonical base64url');
    checkDefiniteCbor(bytes);
    return read(bytes, await import('@owf/mdoc'), parts);
  } catch (cause) {
    // The library and its decoder throw errors of many classes for what is not a DeviceResponse.
    const why = isDomainError(cause) ? cause.message : 'it is not a DeviceResponse of ISO 18013-5';
    throw new DomainError('BadRequest', `vp_token: The presentation is not an acceptable mdoc response: ${why}`, {
      cause,
    });
  }
}

/** The text of a response that may be a JSON string. */
export const unquoted = (text: string): string => text.trim().replace(/^"([\w-]*)"$/, '$1');

function read(bytes: Uint8Array, library: typeof Library, parts: ParsingParts): ParsedPresentation {
  const members = membersOf(
    library.cborDecode(bytes),
    ['version', 'documents', 'documentErrors', 'status'],
    'DeviceResponse',
  );
  const status = members.get('status');
  if (members.get('version') !== VERSION) throw badRequest(`its version is not ${VERSION}`);
  if (status !== OK) throw badRequest(`its status is ${typeof status === 'number' ? status : 'missing'}, not ${OK}`);
  const listed = members.get('documents');
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > MAX_DOCUMENTS)
    throw badRequest(`it must have from 1 to ${MAX_DOCUMENTS} documents`);
  const documents = listed.map((item) => readDocument(item, library, parts));
  const json = new MdocJson(library, true);
  const documentErrors = members.get('documentErrors');
  if (documentErrors !== undefined && !(Array.isArray(documentErrors) && documentErrors.every(isErrorCodes)))
    throw badRequest('its documentErrors are not a list of error codes');
  const document = {
    version: VERSION,
    status,
    documents: documents.map((one) => one.document),
    ...(documentErrors !== undefined && { documentErrors: json.of(documentErrors) }),
  };
  const transactionData = signedTransactionData(documents.map(({ deviceSigned }) => deviceSigned.nameSpaces));
  return {
    format: FORMATS.mso_mdoc.name,
    type: 'DeviceResponse',
    binding: { kind: 'transcript' },
    holderFrom: 'credentials',
    ...(transactionData && { transactionData }),
    credentials: documents.map(({ credential }) => credential),
    claims: document,
    document,
    alg: documents[0]?.deviceSigned.signature.alg ?? '',
    validity: { starts: [], ends: [] },
    verifyHolder: (challenge) => verifyDevices(documents, challenge, { library, signatures: parts.signatures }),
  };
}

function readDocument(value: unknown, library: typeof Library, parts: ParsingParts): PresentedDocument {
  const members = membersOf(value, ['docType', 'issuerSigned', 'deviceSigned', 'errors'], 'Document');
  const { credential, object } = readIssuerSigned(members.get('issuerSigned'), library, parts);
  const { type: docType, claims: nameSpaces } = credential;
  if (members.get('docType') !== docType)
    throw badRequest('the docType of a document is not that of its signed object');
  const deviceSigned = parseDeviceSigned(members.get('deviceSigned'), library);
  checkAuthorized(deviceSigned.nameSpaces, object.deviceKeyInfo.keyAuthorizations);
  const errors = members.get('errors');
  if (errors !== undefined) checkErrors(errors, nameSpaces);
  const json = new MdocJson(library, true);
  const document = {
    docType,
    nameSpaces,
    deviceSigned: { nameSpaces: json.of(deviceSigned.nameSpaces) },
    ...(errors !== undefined && { errors: json.of(errors) }),
  };
  return { credential, deviceSigned, document };
}

const isErrorCodes = (value: unknown): value is Map<unknown, number> =>
  value instanceof Map && value.size > 0 && [...value.values()].every(Number.isSafeInteger);

/** An element has an error code, or it is shown (ISO 18013-5 §8.3.2.1.2.3). @throws DomainError `BadRequest` */
function checkErrors(errors: unknown, shown: JsonObject): void {
  if (!(errors instanceof Map) || ![...errors.values()].every(isErrorCodes))
    throw badRequest('the errors of a document are not error codes by namespace and element');
  for (const [nameSpace, codes] of errors) {
    const elements = shown[String(nameSpace)] ?? {};
    const both = [...codes.keys()].find((name) => Object.hasOwn(elements, String(name)));
    if (both !== undefined) throw badRequest('an element of a document has both a value and an error');
  }
}

/** Whether each document is signed with the key that its issuer bound it to, over the transcript of this exchange. */
async function verifyDevices(
  documents: readonly PresentedDocument[],
  { handover }: PresentationChallenge,
  { library, signatures }: { library: typeof Library; signatures: Signatures },
): Promise<SignatureCheck<HolderRefusal>> {
  if (!handover) return { valid: false, refusal: 'no-exchange' };
  const isSignedFor = (transcript: unknown[], { credential, deviceSigned }: PresentedDocument) => {
    const { type: docType, holder } = credential;
    const { encoded, signature } = deviceSigned;
    if (holder?.jwk === undefined) return false;
    const data = signature.signingInput(deviceAuthentication({ transcript, docType, encoded }, library));
    return signatures.verify({ alg: signature.alg, jwk: holder.jwk, data, signature: signature.signature });
  };
  for (const transcript of sessionTranscripts(handover, library)) {
    const verified = await Promise.all(documents.map((document) => isSignedFor(transcript, document)));
    if (verified.every((isSigned) => isSigned)) return { valid: true };
  }
  return { valid: false, refusal: 'signature' };
}
