import type * as Library from '@owf/mdoc';
import { fieldErrors, isDomainError } from '../../../domain/foundation/errors.ts';
import { isObject } from '../../../domain/foundation/json.ts';
import { checkCbor } from './cbor-bounds.ts';
import { withNameSpaces } from './issuer-signed.ts';
import { MdocJson } from './mdoc-json.ts';

type Members = Map<unknown, unknown>;

/** Reads mdocs with @owf/mdoc, which is imported at first use. */
export class OwfMdocReader {
  /**
   * Returns an IssuerSigned, a Document, a DeviceResponse or a MobileSecurityObject as JSON.
   * @throws DomainError `BadRequest` for anything else, and for CBOR that is too large, too deep or has too many items
   */
  async parse(bytes: Uint8Array): Promise<Record<string, unknown>> {
    checkCbor(bytes);
    const library = await import('@owf/mdoc');
    try {
      const value: unknown = library.cborDecode(bytes);
      if (!(value instanceof Map)) throw notAnMdoc();
      checkStructure(value, library);
      const json = new MdocJson(library).of(value);
      if (!isObject(json)) throw notAnMdoc();
      return json;
    } catch (error) {
      // The library and its decoder throw errors of many classes for what is not an mdoc.
      throw isDomainError(error) ? error : notAnMdoc(error);
    }
  }
}

const KINDS = 'is not an IssuerSigned, a Document, a DeviceResponse or a MobileSecurityObject';

const notAnMdoc = (cause?: unknown): Error => fieldErrors([{ path: [], message: KINDS }], { cause });

/** Checks the structure with the models of the library. @throws Error */
function checkStructure(value: Members, library: typeof Library): void {
  const documents = value.get('documents') ?? [];
  if (value.has('issuerAuth')) checkIssuerSigned(value, library);
  else if (value.has('issuerSigned')) checkDocument(value, library);
  else if (value.has('status') && value.has('version') && Array.isArray(documents))
    for (const document of documents) checkDocument(document, library);
  else if (value.has('valueDigests')) library.MobileSecurityObject.fromEncodedStructure(value);
  else throw notAnMdoc();
}

function checkDocument(document: unknown, library: typeof Library): void {
  if (!(document instanceof Map) || typeof document.get('docType') !== 'string') throw notAnMdoc();
  if (document.has('deviceSigned')) library.Document.fromEncodedStructure(document);
  else checkIssuerSigned(document.get('issuerSigned'), library);
}

function checkIssuerSigned(value: unknown, library: typeof Library): void {
  if (!(value instanceof Map)) throw notAnMdoc();
  const signed = library.IssuerSigned.fromEncodedStructure(withNameSpaces(value));
  if (signed.issuerAuth.mobileSecurityObject === undefined) throw notAnMdoc();
}
