import { X509Certificate } from 'node:crypto';
import type * as Library from '@owf/mdoc';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { mechanismsOf } from '../../../domain/credentials/token-facts.ts';
import { fingerprint, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { DateBound, ParsedCredential, SignatureCheck, ValidityBounds } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { checkCbor } from './cbor-bounds.ts';
import { COSE_HEADER, type CoseSign1, jwkOfKey, parseSign1 } from './cose.ts';
import { checkItems, hasDigests, withNameSpaces } from './issuer-signed.ts';
import { jsonObject, MdocJson } from './mdoc-json.ts';
import { parseChain } from './signing-chain.ts';

/** What parsing needs. */
export interface ParsingParts {
  certificates: Certificates;
  signatures: Signatures;
}

const MEMBERS: readonly unknown[] = ['nameSpaces', 'issuerAuth'];

/** `signed` is read from the clock of another machine, which may be ahead of ours. */
const SIGNED_TOLERANCE_MS = 60_000;

/** Parses an IssuerSigned in base64url. @throws DomainError `BadRequest` when it is none or contradicts itself */
export async function parseCredential(text: string, parts: ParsingParts): Promise<ParsedCredential> {
  try {
    const bytes = fromBase64url(text);
    if (!bytes) throw new DomainError('BadRequest', 'it is not canonical base64url');
    checkCbor(bytes);
    const library = await import('@owf/mdoc');
    return readIssuerSigned(library.cborDecode(bytes), library, parts).credential;
  } catch (cause) {
    // The library and its decoder throw errors of many classes for what is not an mdoc.
    const why = isDomainError(cause) ? cause.message : 'it is not an IssuerSigned of ISO 18013-5';
    throw new DomainError('BadRequest', `The credential is not an acceptable mdoc: ${why}`, { cause });
  }
}

/** An mdoc without device signature, and what its issuer says of the device and of the digests. */
interface IssuerSignedMdoc {
  credential: ParsedCredential;
  object: Library.MobileSecurityObject;
}

/** Reads a decoded IssuerSigned. @throws DomainError `BadRequest`, and errors of the library */
export function readIssuerSigned(
  decoded: unknown,
  library: typeof Library,
  { certificates, signatures }: ParsingParts,
): IssuerSignedMdoc {
  if (!(decoded instanceof Map) || [...decoded.keys()].some((name) => !MEMBERS.includes(name)))
    throw new DomainError('BadRequest', 'it is not an IssuerSigned of ISO 18013-5');
  const encoded = withNameSpaces(decoded);
  const sign1 = parseSign1(encoded.get('issuerAuth'), library);
  const { issuerNamespaces, issuerAuth } = library.IssuerSigned.fromEncodedStructure(encoded);
  const { issuerNamespaces: namespaces } = issuerNamespaces;
  for (const items of namespaces.values()) checkItems(items);
  const object = issuerAuth.mobileSecurityObject;
  const chain = parseChain(certificateChain(sign1), certificates);
  const [leaf] = chain;
  if (!leaf) throw new DomainError('BadRequest', 'it has no x5chain');
  const json = new MdocJson(library, true);
  const claims = claimsOf(namespaces, json);
  const { docType, deviceKeyInfo } = object;
  const validityInfo = json.of(object.validityInfo.encodedStructure);
  const verify = async (): Promise<SignatureCheck> => {
    if (!(await verifySignature(sign1, leaf, signatures))) return { valid: false, refusal: 'signature' };
    if (!wasValid(leaf, object.validityInfo)) return { valid: false, refusal: 'certificate-period' };
    const isWhole = hasDigests(encoded.get('nameSpaces'), object, library);
    return isWhole ? { valid: true } : { valid: false, refusal: 'digest' };
  };
  const credential: ParsedCredential = {
    format: FORMATS.mso_mdoc.name,
    type: docType,
    digest: fingerprint(sign1.payload),
    issuer: { kind: 'certificates', id: subjectOf(leaf), chain: chain.map(({ der }) => der) },
    holder: { jwk: jwkOfKey(deviceKeyInfo.deviceKey, library) },
    claims,
    document: { docType, nameSpaces: claims, validityInfo },
    alg: sign1.alg,
    validity: validityOf(object.validityInfo),
    status: mechanismsOf(statusOf(sign1, json, library)),
    withholdable: pathsOf(namespaces),
    verifyIssuer: verify,
  };
  return { credential, object };
}

/** Whether the document signer certificate was valid when it signed (ISO 18013-5 §9.3.1). */
const wasValid = ({ notBefore, notAfter }: ParsedCertificate, { signed }: Library.ValidityInfo): boolean =>
  signed.getTime() >= notBefore && signed.getTime() <= notAfter;

/** A holder shows or withholds each element as a whole. */
const pathsOf = (namespaces: Map<string, Library.IssuerSignedItem[]>): string[][] =>
  [...namespaces].flatMap(([namespace, items]) => items.map((item) => [namespace, item.elementIdentifier]));

/** The `x5chain`: one certificate, or several leaf first (RFC 9360 §2). @throws DomainError `BadRequest` */
export function certificateChain({ unprotectedHeader }: Pick<CoseSign1, 'unprotectedHeader'>): Uint8Array[] {
  const chain: unknown[] = [unprotectedHeader.get(COSE_HEADER.X5CHAIN) ?? []].flat();
  if (chain.every((der) => der instanceof Uint8Array)) return chain;
  throw new DomainError('BadRequest', 'its x5chain is not a list of certificates');
}

const claimsOf = (namespaces: Map<string, Library.IssuerSignedItem[]>, json: MdocJson): JsonObject =>
  jsonObject(
    [...namespaces].map(([namespace, items]) => [
      namespace,
      jsonObject(items.map((item) => [item.elementIdentifier, json.of(item.elementValue)])),
    ]),
  );

/** Whether the key of a certificate made the signature. */
export const verifySignature = (
  { alg, signingInput: data, signature }: CoseSign1,
  { publicKey: { jwk } }: ParsedCertificate,
  signatures: Signatures,
): Promise<boolean> => (jwk === undefined ? Promise.resolve(false) : signatures.verify({ alg, jwk, data, signature }));

function validityOf({ signed, validFrom, validUntil }: Library.ValidityInfo): ValidityBounds {
  const bound = (key: string, date: Date, toleranceMs = 0): DateBound => ({ key, ms: date.getTime(), toleranceMs });
  return {
    starts: [bound('validFrom', validFrom), bound('signed', signed, SIGNED_TOLERANCE_MS)],
    ends: [bound('validUntil', validUntil)],
  };
}

/** The model of the library has no member for the status. */
function statusOf({ payload }: CoseSign1, json: MdocJson, { cborDecode }: typeof Library): unknown {
  const object: unknown = cborDecode(payload);
  return object instanceof Map && object.has('status') ? json.of(object.get('status')) : undefined;
}

/** The subject of a certificate in one line, such as `C=DE, O=Issuer, CN=Document Signer`. */
const subjectOf = ({ der }: ParsedCertificate): string => new X509Certificate(der).subject.replaceAll('\n', ', ');
