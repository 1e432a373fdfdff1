import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { isText } from '../../../domain/foundation/json.ts';
import { MAX_VICAL_ENTRIES } from '../../../domain/network/document-bounds.ts';
import type {
  ListedCertificate,
  SignedTrustList,
  TrustListContent,
  TrustListReader,
} from '../../../ports/codecs/trust-lists.ts';
import { DOCUMENTS } from '../../../ports/documents.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { checkCbor } from '../mdoc/cbor-bounds.ts';
import { COSE_HEADER, type CoseSign1, parseSign1, untaggedSign1 } from '../mdoc/cose.ts';

/** The tag of serial numbers: an unsigned bignum (RFC 8949 §3.4.3). */
const BIGNUM = 2;

/** An entry consists of ten items and one for each of its document types. */
const MAX_ITEMS = 131_072;

const BOUNDS = { maxBytes: DOCUMENTS['trust-list'].maxBytes, maxItems: MAX_ITEMS, moreTags: [BIGNUM] };

/** ISO 18013-5 C.1.7.1. */
const VERSION = /^1\./;

const refused = (why: string): DomainError => new DomainError('BadRequest', `The VICAL is not acceptable: ${why}`);

/** Parses Verified Issuer Certificate Authority Lists (ISO 18013-5 Annex C) with @owf/mdoc, which is imported at first use. */
export class Vicals implements TrustListReader {
  readonly #signatures: Signatures;

  constructor({ signatures }: { signatures: Signatures }) {
    this.#signatures = signatures;
  }

  async parse(bytes: Uint8Array): Promise<SignedTrustList> {
    try {
      const library = await import('@owf/mdoc');
      const message = untaggedSign1(bytes);
      checkCbor(message, BOUNDS);
      const sign1 = parseSign1(library.cborDecode(message), library, BOUNDS);
      return this.#signed(sign1, contentOf(library.cborDecode(sign1.payload)));
    } catch (cause) {
      // The library and its decoder throw errors of many classes for what is no COSE_Sign1.
      throw refused(isDomainError(cause) ? cause.message : 'it is not a COSE_Sign1');
    }
  }

  #signed(sign1: CoseSign1, content: TrustListContent): SignedTrustList {
    const { alg, signingInput: data, signature } = sign1;
    return {
      chain: chainOf(sign1),
      content: () => content,
      verify: async (jwk) => ((await this.#signatures.verify({ alg, jwk, data, signature })) ? content : undefined),
    };
  }
}

/** The header may be protected or not (RFC 9360 §2); one certificate stands alone. */
function chainOf({ protectedHeader, unprotectedHeader }: CoseSign1): Uint8Array[] {
  const header = protectedHeader.get(COSE_HEADER.X5CHAIN) ?? unprotectedHeader.get(COSE_HEADER.X5CHAIN) ?? [];
  const chain: unknown[] = [header].flat();
  if (chain.every((der) => der instanceof Uint8Array)) return chain;
  throw new DomainError('BadRequest', 'its x5chain is not a list of certificates');
}

function contentOf(payload: unknown): TrustListContent {
  const list = mapOf(payload, 'its payload');
  const version = list.get('version');
  if (!isText(version) || !VERSION.test(version)) throw new DomainError('BadRequest', 'its version is not 1.x');
  const provider = list.get('vicalProvider');
  if (!isText(provider)) throw new DomainError('BadRequest', 'it names no vicalProvider');
  const infos = list.get('certificateInfos');
  if (!Array.isArray(infos)) throw new DomainError('BadRequest', 'its certificateInfos are not a list');
  if (infos.length > MAX_VICAL_ENTRIES)
    throw new DomainError('BadRequest', `it has more than ${MAX_VICAL_ENTRIES} certificateInfos`);
  const nextUpdate = earliest(dateOf(list, 'nextUpdate'), dateOf(list, 'notAfter'));
  return {
    type: provider,
    issuedAt: dateOf(list, 'date') ?? noDate(),
    ...(nextUpdate !== undefined && { nextUpdate }),
    entries: infos.map((info, index) => entryOf(mapOf(info, `certificateInfos[${index}]`), index)),
  };
}

function entryOf(info: Map<unknown, unknown>, index: number): ListedCertificate {
  const [certificate, docTypes] = [info.get('certificate'), info.get('docType')];
  if (!(certificate instanceof Uint8Array))
    throw new DomainError('BadRequest', `certificateInfos[${index}] has no certificate`);
  if (!Array.isArray(docTypes) || docTypes.length === 0 || !docTypes.every(isText))
    throw new DomainError('BadRequest', `certificateInfos[${index}] has no list of document types`);
  return { certificate, docTypes };
}

function mapOf(value: unknown, name: string): Map<unknown, unknown> {
  if (value instanceof Map) return value;
  throw new DomainError('BadRequest', `${name} is not a map`);
}

function dateOf(list: Map<unknown, unknown>, name: string): number | undefined {
  const value = list.get(name);
  if (value === undefined) return undefined;
  const ms = value instanceof Date ? value.getTime() : Number.NaN;
  if (Number.isNaN(ms)) throw new DomainError('BadRequest', `its ${name} is not a date`);
  return ms;
}

function noDate(): never {
  throw new DomainError('BadRequest', 'it has no date');
}

const earliest = (...dates: (number | undefined)[]): number | undefined => {
  const known = dates.filter((date) => date !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};
