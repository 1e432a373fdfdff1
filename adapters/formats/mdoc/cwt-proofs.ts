import type * as Library from '@owf/mdoc';
import { fromBase64url, fromUtf8 } from '../../../domain/foundation/bytes.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { CwtProof, CwtProofs } from '../../../ports/codecs/cwt-proofs.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { checkCbor } from './cbor-bounds.ts';
import { COSE_HEADER, jwkOfKey, parseSign1, untaggedSign1 } from './cose.ts';

/** The JWT names of claim keys (RFC 8392 §3.1); the nonce is that of EAT (RFC 9711 §4.1). */
const CLAIMS: readonly (readonly [number, string])[] = [
  [1, 'iss'],
  [3, 'aud'],
  [4, 'exp'],
  [5, 'nbf'],
  [6, 'iat'],
  [10, 'nonce'],
];

/** Parses proofs with @owf/mdoc, which is imported at first use. */
export class OwfCwtProofs implements CwtProofs {
  async parse(text: string): Promise<CwtProof> {
    try {
      const bytes = fromBase64url(text);
      if (!bytes) throw new DomainError('BadRequest', 'it is not canonical base64url');
      const untagged = untaggedSign1(bytes);
      checkCbor(untagged);
      return read(untagged, await import('@owf/mdoc'));
    } catch (cause) {
      // The library and its decoder throw errors of many classes for what is not a CWT.
      const why = isDomainError(cause) ? cause.message : 'it is not a COSE_Sign1 of claims';
      throw new DomainError('BadRequest', `proof: the cwt is not acceptable: ${why}`, { cause });
    }
  }
}

function read(bytes: Uint8Array, library: typeof Library): CwtProof {
  const sign1 = parseSign1(library.cborDecode(bytes), library);
  const { protectedHeader, unprotectedHeader, payload, alg, signingInput, signature } = sign1;
  if ([protectedHeader, unprotectedHeader].some((header) => header.has(COSE_HEADER.X5CHAIN)))
    throw new DomainError('BadRequest', 'x5chain is not supported, only COSE_Key');
  const claims: unknown = library.cborDecode(payload);
  if (!(claims instanceof Map)) throw new DomainError('BadRequest', 'its payload is not a map of claims');
  return {
    contentType: protectedHeader.get(COSE_HEADER.CONTENT_TYPE),
    jwk: readKey(protectedHeader.get('COSE_Key'), library),
    alg,
    claims: Object.fromEntries(CLAIMS.map(([key, name]) => [name, textOf(claims.get(key))])),
    signingInput,
    signature,
  };
}

/** The nonce is a byte string (OpenID4VCI draft 13 §7.2.1.3). */
const textOf = (claim: unknown): unknown => (claim instanceof Uint8Array ? fromUtf8(claim) : claim);

/** The key is a byte string with the COSE_Key, or the COSE_Key itself. */
function readKey(value: unknown, library: typeof Library): PublicJwk {
  if (value instanceof Uint8Array) checkCbor(value);
  const decoded: unknown = value instanceof Uint8Array ? library.cborDecode(value) : value;
  if (!(decoded instanceof Map)) throw new DomainError('BadRequest', 'its protected header needs a COSE_Key');
  return jwkOfKey(library.CoseKey.fromEncodedStructure(decoded), library);
}
