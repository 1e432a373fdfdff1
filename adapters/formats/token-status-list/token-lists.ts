import { base64url } from '../../../domain/foundation/bytes.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { isText, type JsonObject } from '../../../domain/foundation/json.ts';
import { parseJws, verifyJws } from '../../../domain/jose/jws.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { ListSignature, SignedTokenList, TokenListKind, TokenLists } from '../../../ports/codecs/token-lists.ts';
import { DOCUMENTS } from '../../../ports/documents.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { type CborBounds, checkCbor } from '../mdoc/cbor-bounds.ts';
import { type CoseSign1, parseSign1, untaggedSign1 } from '../mdoc/cose.ts';
import { certificateChain, verifySignature } from '../mdoc/parse-credential.ts';
import { parseChain } from '../mdoc/signing-chain.ts';
import { readChain } from '../sd-jwt-vc/parse-credential.ts';
import { verifyIssuer } from '../sd-jwt-vc/verify-issuer.ts';
import { CLAIM, HEADER, TYPE } from './status-list-cwt.ts';

/** What parsing needs. */
export interface TokenListParts {
  certificates: Certificates;
  signatures: Signatures;
}

const { maxBytes } = DOCUMENTS['status-list'];

/** The type of a CWT by the kind of its list, and its bounds: an identifier list is a map with byte strings for names. */
const CWTS: Readonly<Record<TokenListKind, { type: string; bounds: CborBounds }>> = {
  status_list: { type: TYPE.cwt, bounds: { maxBytes } },
  identifier_list: { type: TYPE.identifiers, bounds: { maxBytes, maxItems: 300_000, byteNames: true } },
};

const refused = (why: string): DomainError => new DomainError('BadRequest', `The status list ${why}`);

/** Parses Token Status Lists: JWTs, and CWTs with @owf/mdoc, which is imported at first use. */
export class ParsedTokenLists implements TokenLists {
  constructor(private readonly parts: TokenListParts) {}

  async parse(body: string | Uint8Array, kind: TokenListKind): Promise<SignedTokenList> {
    if (typeof body === 'string' && kind === 'identifier_list') throw refused('is not a CWT');
    if (typeof body === 'string') return parseJwt(body, this.parts);
    try {
      return await parseCwt(body, kind, this.parts);
    } catch (cause) {
      // The decoder throws errors of many classes for what is not CBOR.
      throw refused(`is not an acceptable CWT: ${isDomainError(cause) ? cause.message : 'it is not a COSE_Sign1'}`);
    }
  }
}

/** §5.1: the type is stated. A certificate counts by itself, unless a DID is named: then both must hold. */
function parseJwt(text: string, { certificates, signatures }: TokenListParts): SignedTokenList {
  const jws = parseJws(text, 'The status list');
  const { header, payload: claims } = jws;
  if (header.typ !== TYPE.jwt) throw refused(`has another typ than ${TYPE.jwt}`);
  const { iss } = claims;
  if (iss !== undefined && !isText(iss)) throw refused('has an iss that is not a text');
  const chain = readChain(header.x5c, certificates);
  const [leaf] = chain;
  const byCertificate = async ({ publicKey: { jwk } }: ParsedCertificate): Promise<ListSignature | undefined> =>
    jwk && (await verifyJws(jws, jwk, signatures)) ? { chain } : undefined;
  return {
    claims,
    verify: async (keys) => {
      if (leaf && !iss?.startsWith('did:')) return byCertificate(leaf);
      const { valid } = await verifyIssuer({ sdJwt: { ...jws, claims }, leaf, keys, signatures });
      return valid ? { issuer: iss, chain } : undefined;
    },
  };
}

/** §5.2; the signer is named by its certificate. */
async function parseCwt(
  bytes: Uint8Array,
  kind: TokenListKind,
  { certificates, signatures }: TokenListParts,
): Promise<SignedTokenList> {
  const library = await import('@owf/mdoc');
  const { type, bounds } = CWTS[kind];
  const untagged = untaggedSign1(bytes);
  checkCbor(untagged, bounds);
  const sign1 = parseSign1(library.cborDecode(untagged), library, bounds);
  if (sign1.protectedHeader.get(HEADER.typ) !== type) throw new DomainError('BadRequest', `its typ is not ${type}`);
  const claims: unknown = library.cborDecode(sign1.payload);
  if (!(claims instanceof Map)) throw new DomainError('BadRequest', 'its payload is not a map of claims');
  if (kind === 'identifier_list' && claims.has(CLAIM.statusList))
    throw new DomainError('BadRequest', 'it has a status list besides the identifiers');
  const chain = parseChain(chainIn(sign1), certificates);
  const [leaf] = chain;
  const verify = async (): Promise<ListSignature | undefined> =>
    leaf && (await verifySignature(sign1, leaf, signatures)) ? { chain } : undefined;
  return { claims: namedClaims(claims), verify };
}

/** The certificates of either header (RFC 9360 §2): the signature covers them in both, as that of their key. */
function chainIn({ protectedHeader, unprotectedHeader }: CoseSign1): Uint8Array[] {
  const headers = [protectedHeader, unprotectedHeader].filter((header) => header.has(HEADER.x5chain));
  if (headers.length > 1) throw new DomainError('BadRequest', 'it has x5chain twice');
  return headers.flatMap((header) => certificateChain({ unprotectedHeader: header }));
}

function namedClaims(claims: Map<unknown, unknown>): JsonObject {
  const names = Object.entries(CLAIM).filter(([, key]) => claims.has(key) && !LISTS.includes(key));
  const [statuses, identifiers] = LISTS.map((key) => claims.get(key));
  const lst = statuses instanceof Map ? statuses.get('lst') : undefined;
  const ids: unknown = identifiers instanceof Map ? identifiers.get('identifiers') : undefined;
  return {
    ...Object.fromEntries(names.map(([name, key]) => [name, claims.get(key)])),
    ...(statuses instanceof Map && {
      status_list: { bits: statuses.get('bits'), lst: lst instanceof Uint8Array ? base64url(lst) : lst },
    }),
    ...(ids instanceof Map && { identifier_list: { identifiers: [...ids.keys()].map(bytesText) } }),
  };
}

const LISTS: readonly number[] = [CLAIM.statusList, CLAIM.identifierList];

/** Bytes in base64url; undefined for what is no identifier. */
const bytesText = (id: unknown): string | undefined => (id instanceof Uint8Array ? base64url(id) : undefined);
