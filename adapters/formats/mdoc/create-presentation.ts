import type * as Library from '@owf/mdoc';
import { base64url, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { at, DomainError, invalidField } from '../../../domain/foundation/errors.ts';
import { isSameKey } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { CredentialToPresent, PresentationContent } from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { checkCbor, checkDefiniteCbor } from './cbor-bounds.ts';
import { COSE_HEADER, coseAlgorithm, signingInput } from './cose.ts';
import { checkAuthorized, type DeviceNameSpaces, deviceAuthentication } from './device-signed.ts';
import { type ParsingParts, readIssuerSigned } from './parse-credential.ts';
import { sessionTranscript } from './session-transcript.ts';
import { transactionElements } from './transaction-data.ts';

/** What the documents of one response have in common. */
interface Response {
  transcript: unknown[];
  elements: DeviceNameSpaces;
  /** The encoded protected header of the device signatures. */
  header: Uint8Array;
  signer: Signer;
  library: typeof Library;
}

/**
 * Creates a DeviceResponse (ISO 18013-5 §8.3.2.1.2.2) in base64url, with one document for each credential, in their
 * order. @throws DomainError `BadRequest` naming `credentials`, `handover` or `transactionData`, and as the signer
 */
export async function createPresentation(
  content: PresentationContent,
  signer: Signer,
  parts: ParsingParts,
): Promise<string> {
  const library = await import('@owf/mdoc');
  const { handover, credentials } = content;
  if (!handover)
    throw invalidField(['handover'], 'is required: an mdoc is presented to a verifier by a session transcript');
  const algorithm = coseAlgorithm(KEY_TYPES[signer.keyType].alg);
  if (algorithm === undefined) throw new DomainError('BadRequest', `A key of the type ${signer.keyType} signs no mdoc`);
  const response: Response = {
    transcript: sessionTranscript(handover, library),
    elements: at(['transactionData'], () => transactionElements(content)),
    header: library.cborEncode(new Map([[COSE_HEADER.ALG, algorithm]])),
    signer,
    library,
  };
  const documents: unknown[] = [];
  for (const [index, credential] of credentials.entries())
    documents.push(await at(['credentials', index], () => createDocument(credential, response, parts)));
  const members: [string, unknown][] = [
    ['version', '1.0'],
    ['documents', documents],
    ['status', 0],
  ];
  const bytes = library.cborEncode(new Map(members));
  at(['credentials'], () => checkDefiniteCbor(bytes));
  return base64url(bytes);
}

async function createDocument(
  { document, disclosed }: CredentialToPresent,
  { transcript, elements, header, signer, library }: Response,
  parts: ParsingParts,
): Promise<Map<string, unknown>> {
  const { cborDecode, DataItem } = library;
  const bytes = fromBase64url(document);
  if (!bytes) throw new DomainError('BadRequest', 'The credential is not an mdoc in base64url');
  checkCbor(bytes);
  const issuerSigned: Map<unknown, unknown> = cborDecode(bytes);
  const { credential, object } = readIssuerSigned(issuerSigned, library, parts);
  const { type: docType, holder } = credential;
  if (!holder?.jwk || !isSameKey(holder.jwk, signer.publicJwk))
    throw new DomainError('BadRequest', 'The mdoc is bound to another key than the one to sign with');
  checkAuthorized(elements, object.deviceKeyInfo.keyAuthorizations);
  const encoded = DataItem.fromData(elements);
  const input = signingInput(header, deviceAuthentication({ transcript, docType, encoded }, library), library);
  const deviceSignature = [header, new Map(), null, await signer.sign(input)];
  const deviceSigned: [string, unknown][] = [
    ['nameSpaces', encoded],
    ['deviceAuth', new Map([['deviceSignature', deviceSignature]])],
  ];
  return new Map<string, unknown>([
    ['docType', docType],
    ['issuerSigned', limited(issuerSigned, disclosed)],
    ['deviceSigned', new Map(deviceSigned)],
  ]);
}

type Items = Library.DataItem<Map<string, unknown>>[];

/** The IssuerSigned with the elements to show alone; what is left empty is left out (ISO 18013-5 §8.3.2.1.2.2). */
function limited(
  issuerSigned: Map<unknown, unknown>,
  disclosed: CredentialToPresent['disclosed'],
): Map<unknown, unknown> {
  if (!disclosed) return issuerSigned;
  const isShown = (path: readonly unknown[]) =>
    disclosed.some((shown) => path.every((part, place) => place >= shown.length || shown[place] === part));
  const { nameSpaces, ...others } = Object.fromEntries(issuerSigned) as { nameSpaces?: Map<string, Items> };
  const shown = [...(nameSpaces ?? [])].map(([nameSpace, items]): [string, Items] => [
    nameSpace,
    items.filter(({ data }) => isShown([nameSpace, data.get('elementIdentifier')])),
  ]);
  const left = shown.filter(([, items]) => items.length > 0);
  return new Map(Object.entries({ ...(left.length > 0 && { nameSpaces: new Map(left) }), ...others }));
}
