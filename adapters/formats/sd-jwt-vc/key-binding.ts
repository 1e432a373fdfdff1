import { fingerprint } from '../../../domain/foundation/bytes.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { epochSeconds } from '../../../domain/foundation/time.ts';
import { isSameKey } from '../../../domain/jose/jwk.ts';
import { type ParsedJws, signJws, verifyJws } from '../../../domain/jose/jws.ts';
import { HOLDER_SKEW_MS, timeProblems } from '../../../domain/jose/jwt-claims.ts';
import { checkSigner, type SignedToken } from '../../../domain/jose/signer-keys.ts';
import type {
  HolderBinding,
  HolderRefusal,
  PresentationChallenge,
  PresentationContent,
  SignatureCheck,
  SignedTransactionData,
} from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';

/** The type of a Key Binding JWT (RFC 9901 §4.3). */
const TYPE = 'kb+jwt';

/** The SHA-256 hash over what is presented, up to its last `~` (RFC 9901 §4.3.1). */
const presentedHash = (sdJwt: string): string => fingerprint(sdJwt);

/** Signs the Key Binding JWT of an SD-JWT that shows only what is to be presented. @throws DomainError `BadRequest` for another key */
export async function bindKey(
  { sdJwt, holder }: { sdJwt: string; holder: HolderBinding | undefined },
  content: PresentationContent,
  signer: Signer,
): Promise<string> {
  const isBound = holder?.jwk ? isSameKey(holder.jwk, signer.publicJwk) : holder?.did === content.holder.did;
  if (!isBound)
    throw new DomainError('BadRequest', 'The credential is bound to another key than the one to present with');
  const { nonce, audience: aud, transactionData: { hashes, algorithm } = {} } = content;
  const payload = {
    ...{ iat: epochSeconds(content.now), aud, nonce, sd_hash: presentedHash(sdJwt) },
    ...(hashes && { transaction_data_hashes: hashes }),
    ...(algorithm !== undefined && { transaction_data_hashes_alg: algorithm }),
  };
  const header = { typ: TYPE, ...(holder?.jwk === undefined && { kid: content.holder.kid }) };
  return `${sdJwt}${await signJws(header, payload, signer)}`;
}

/** The transaction data that a Key Binding JWT signs (OpenID4VP 1.0 §B.3.3.1). */
export function transactionDataIn(payload: JsonObject): SignedTransactionData | undefined {
  const { transaction_data_hashes: hashes, transaction_data_hashes_alg: algorithm } = payload;
  return hashes === undefined && algorithm === undefined ? undefined : { hashes, algorithm };
}

/** A Key Binding JWT and what it is bound to. */
interface BoundKey {
  keyBinding: ParsedJws;
  sdJwt: string;
  holder: HolderBinding | undefined;
}

/** Checks everything of a Key Binding JWT but nonce and audience (RFC 9901 §7.3 step 5). @throws DomainError as `DidKeys.key` */
export async function verifyKeyBinding(
  { keyBinding, sdJwt, holder }: BoundKey,
  { dids, now, maxAgeMs }: PresentationChallenge,
  signatures: Signatures,
): Promise<SignatureCheck<HolderRefusal>> {
  const { header, payload } = keyBinding;
  if (header.typ !== TYPE) return { valid: false, refusal: 'type' };
  const problems = timeProblems(payload, { now, skewMs: HOLDER_SKEW_MS, maxAgeMs, required: ['iat'] });
  if (Object.keys(problems).length > 0) return { valid: false, refusal: 'issued-at' };
  if (payload.sd_hash !== presentedHash(sdJwt)) return { valid: false, refusal: 'digest' };
  const verify: SignedToken['verify'] = (jwk) => verifyJws(keyBinding, jwk, signatures);
  if (holder?.jwk) return (await verify(holder.jwk)) ? { valid: true } : { valid: false, refusal: 'signature' };
  if (holder?.did === undefined) return { valid: false, refusal: 'no-signer' };
  const { did: signer, keyId: kid = header.kid } = holder;
  return checkSigner({ kid, signer, purpose: 'authentication', verify }, dids);
}
