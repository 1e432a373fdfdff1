import { base64url } from '../../../domain/foundation/bytes.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { isText, type JsonObject } from '../../../domain/foundation/json.ts';
import { parseJws, verifyJws } from '../../../domain/jose/jws.ts';
import { DOCUMENTS } from '../../../domain/network/document-bounds.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { ListSignature, SignedTokenList, TokenLists } from '../../../ports/token-lists.ts';
import { checkCbor } from '../mdoc/cbor-bounds.ts';
import { parseSign1, untaggedSign1 } from '../mdoc/cose.ts';
import { certificateChain, verifySignature } from '../mdoc/parse-credential.ts';
import { parseChain } from '../mdoc/signing-chain.ts';
import { readChain } from '../sd-jwt-vc/parse-credential.ts';
import { verifyIssuer } from '../sd-jwt-vc/verify-issuer.ts';
import { CLAIM, HEADER, TYPE } from './status-list-cwt.ts';

/** What parsing needs. */
interface TokenListParts {
  certificates: Certificates;
  signatures: Signatures;
}

const BOUNDS = { maxBytes: DOCUMENTS['status-list'].maxBytes };

const refused = (why: string): DomainError => new DomainError('BadRequest', `The status list ${why}`);

/** Parses Token Status Lists: JWTs, and CWTs with @owf/mdoc, which is imported at first use. */
export class ParsedTokenLists implements TokenLists {
  readonly #parts: TokenListParts;

  constructor(parts: TokenListParts) {
    this.#parts = parts;
  }

  async parse(body: string | Uint8Array): Promise<SignedTokenList> {
    if (typeof body === 'string') return parseJwt(body, this.#parts);
    try {
      return await parseCwt(body, this.#parts);
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
async function parseCwt(bytes: Uint8Array, { certificates, signatures }: TokenListParts): Promise<SignedTokenList> {
  const library = await import('@owf/mdoc');
  const untagged = untaggedSign1(bytes);
  checkCbor(untagged, BOUNDS);
  const sign1 = parseSign1(library.cborDecode(untagged), library, BOUNDS);
  if (sign1.protectedHeader.get(HEADER.typ) !== TYPE.cwt)
    throw new DomainError('BadRequest', `its typ is not ${TYPE.cwt}`);
  const claims: unknown = library.cborDecode(sign1.payload);
  if (!(claims instanceof Map)) throw new DomainError('BadRequest', 'its payload is not a map of claims');
  const chain = parseChain(certificateChain(sign1), certificates);
  const [leaf] = chain;
  const verify = async (): Promise<ListSignature | undefined> =>
    leaf && (await verifySignature(sign1, leaf, signatures)) ? { chain } : undefined;
  return { claims: namedClaims(claims), verify };
}

function namedClaims(claims: Map<unknown, unknown>): JsonObject {
  const names = Object.entries(CLAIM).filter(([, key]) => claims.has(key) && key !== CLAIM.statusList);
  const list = claims.get(CLAIM.statusList);
  const lst = list instanceof Map ? list.get('lst') : undefined;
  return {
    ...Object.fromEntries(names.map(([name, key]) => [name, claims.get(key)])),
    ...(list instanceof Map && {
      status_list: { bits: list.get('bits'), lst: lst instanceof Uint8Array ? base64url(lst) : lst },
    }),
  };
}
