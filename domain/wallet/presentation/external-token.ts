import type { Signer } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { invalidField } from '../../foundation/errors.ts';
import { isSameJson, type JsonObject } from '../../foundation/json.ts';
import { parseJws, verifyJws } from '../../jose/jws.ts';
import { checkSigner } from '../../jose/signer-keys.ts';
import type { UnsignedPresentation } from './presentation-plan.ts';

/** A JWT before it is signed. */
export interface UnsignedToken {
  header: JsonObject;
  payload: JsonObject;
}

/** How long what was prepared can be submitted, in milliseconds. */
export const PREPARED_MS = 10 * 60 * 1000;

/** Returns what a format would sign for a presentation. */
export async function unsignedPresentation({ format, content, holder }: UnsignedPresentation): Promise<UnsignedToken> {
  const { keyType, publicJwk } = holder.signer;
  const unsigning: Signer = { keyType, publicJwk, sign: async () => new Uint8Array() };
  const { header, payload } = parseJws(await format.presentations.present(content, unsigning));
  return { header, payload };
}

/** What a token from outside must be. */
interface ExpectedToken {
  token: UnsignedToken;
  /** The DID that signs. */
  did: string;
  resolver: DidResolver;
  signatures: Signatures;
}

/**
 * Checks that a compact JWS is the token that was prepared, signed with a key of the DID. Members may be in any order; a
 * header without `alg` gets the one that its signer writes.
 * @throws DomainError `BadRequest`
 */
export async function checkExternalToken(
  text: string,
  { token, did, resolver, signatures }: ExpectedToken,
): Promise<void> {
  const jws = parseJws(text, 'The token');
  const isPrepared =
    isSameJson({ ...token.header, alg: jws.header.alg }, jws.header) && isSameJson(token.payload, jws.payload);
  if (!isPrepared) throw invalidField([], 'is not what was prepared');
  const { kid = did } = jws.header;
  const verify = (jwk: Parameters<typeof verifyJws>[1]) => verifyJws(jws, jwk, signatures);
  const check = await checkSigner({ kid, signer: did, purpose: 'authentication', verify }, resolver);
  if (!check.valid) throw invalidField([], `is not signed with the key of ${did.slice(0, 80)}`);
}
