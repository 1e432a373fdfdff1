import { topClaims } from '../../../domain/credentials/always-disclosed.ts';
import type { ClaimPath } from '../../../domain/credentials/disclosure.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import {
  discloseClaims,
  isSdJwt,
  type PackedClaims,
  parseSdJwt,
  SD_ALG,
  type SdJwtRules,
  showOnly,
} from '../../../domain/credentials/sd-jwt.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import { type ParsedJws, parseJws } from '../../../domain/jose/jws.ts';
import type { CredentialToPresent, DisclosureFrame } from '../../../ports/credential-formats.ts';
import type { DisclosurePacker } from '../sd-jwt/disclosure-packer.ts';

const { alwaysDisclosed } = FORMATS.jwt_vc_json;

/**
 * The rules of a W3C credential that is an SD-JWT: what is always disclosed of its document, which is the payload or its
 * member `vc`, and the claims beside the document that say the same or the status.
 */
export const JWT_VC_RULES: SdJwtRules = {
  name: 'The credential',
  alwaysDisclosed: [
    ...topClaims(['iss', 'sub', 'nbf', 'exp', 'status']),
    ...alwaysDisclosed,
    ...alwaysDisclosed.map((claim) => ['vc', ...claim]),
  ],
};

/** The members that the data model 2.0 renamed. */
const RENAMED: Readonly<Record<string, string>> = { issuanceDate: 'validFrom', expirationDate: 'validUntil' };

/** Makes the members of a credential selectively disclosable: those of `vc` (1.1), or of the payload (2.0). */
export async function packCredential(
  { payload, frame }: { payload: JsonObject; frame: DisclosureFrame },
  packer: DisclosurePacker,
): Promise<PackedClaims> {
  const { vc } = payload;
  if (!isObject(vc)) {
    const packed = await packer.pack(renamed(frame), {
      document: payload,
      alwaysDisclosed: JWT_VC_RULES.alwaysDisclosed,
    });
    return { ...packed, payload: { ...packed.payload, _sd_alg: SD_ALG } };
  }
  const packed = await packer.pack(frame, { document: vc, alwaysDisclosed });
  return { ...packed, payload: { ...payload, vc: packed.payload, _sd_alg: SD_ALG } };
}

const renamed = ({ fields, ...frame }: DisclosureFrame): DisclosureFrame => ({
  ...frame,
  fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [RENAMED[name] ?? name, field])),
});

/** A credential as a JWT; `withholdable` as in `Credential`. */
interface ParsedToken extends ParsedJws {
  withholdable?: ClaimPath[];
}

/** A credential that shows the claims at these paths; as it is when it has no disclosures. @throws DomainError `BadRequest` */
export const shownToken = ({ document, disclosed }: CredentialToPresent): string =>
  isSdJwt(document) ? showOnly(document, disclosed, JWT_VC_RULES) : document;

/**
 * Parses a credential as a JWT, or as an SD-JWT whose disclosures are put in their places. An SD-JWT VC is neither. A JWT
 * without disclosures is read by the same rules: its holder may have cut them off.
 * @throws DomainError `BadRequest`; its message begins with `name`
 */
export function parseToken(text: string, name = JWT_VC_RULES.name): ParsedToken {
  const rules = { ...JWT_VC_RULES, name };
  if (!isSdJwt(text)) {
    const jws = parseJws(text, name);
    return { ...jws, payload: discloseClaims({ payload: jws.payload, disclosures: [] }, rules).claims };
  }
  const { claims: payload, ...jws } = parseSdJwt(text, rules);
  const isOther = typeof payload.vct === 'string' && /^[vd]c\+sd-jwt$/.test(String(jws.header.typ));
  if (isOther) throw new DomainError('BadRequest', `${name} is an SD-JWT VC`);
  return { ...jws, payload };
}
