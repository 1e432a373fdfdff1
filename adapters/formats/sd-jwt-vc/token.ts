import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { SD_ALG, type SdJwtRules } from '../../../domain/credentials/sd-jwt.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { isText, type JsonObject } from '../../../domain/foundation/json.ts';
import { epochSeconds } from '../../../domain/foundation/time.ts';
import { withKid } from '../../../domain/jose/jwk.ts';
import type { CredentialContent, HolderBinding } from '../../../ports/credential-formats.ts';

/** The rules of an SD-JWT VC; both formats have the same. */
export const SD_JWT_VC_RULES: SdJwtRules = {
  name: 'The credential',
  alwaysDisclosed: FORMATS['dc+sd-jwt'].alwaysDisclosed,
};

/** The claims that the frame of a content is about: its data, the claims of its mapping, and `iat`. */
export const issuedClaims = ({ document, claims, issuedAt }: CredentialContent): JsonObject => ({
  iat: epochSeconds(issuedAt),
  ...document,
  ...claims,
});

/** Adds what the issuer states, in place of members of the data with these names. @throws DomainError `BadRequest` without a `vct` */
export function withIssuerClaims(packed: JsonObject, { type, issuer, holder, status }: CredentialContent): JsonObject {
  if (!isText(type)) throw new DomainError('BadRequest', 'The credential has no vct');
  const cnf = confirmationOf(holder);
  return {
    ...packed,
    iss: issuer,
    ...(cnf && { cnf }),
    vct: type,
    ...(status !== undefined && { status }),
    _sd_alg: SD_ALG,
  };
}

/** RFC 7800 §3.2 and §3.4. */
function confirmationOf({ jwk, did }: HolderBinding): JsonObject | undefined {
  if (jwk) return { jwk: withKid(jwk) };
  return did === undefined ? undefined : { kid: did };
}
