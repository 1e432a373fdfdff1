import type { Certificates } from '../../../ports/certificates.ts';
import { at, catching, invalidField, replacing } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { readVerificationKey } from '../../jose/verification-keys.ts';
import type { TrustedAttesters, TrustedKey } from '../../oauth/attesters.ts';
import { readCertificate } from '../../x509/certificate-chain.ts';

/** An attester as the operator writes it, with keys of its own, authorities that certify its keys, or both. */
export interface WrittenAttester {
  /** The `iss` of its statements; without one `iss` says nothing. */
  issuer?: string;
  jwks?: { keys: JsonObject[] };
  /** PEM. */
  certificates?: string[];
}

/** Reads attesters; undefined when there are none. @throws DomainError `BadRequest` naming the member that is wrong */
export function readAttesters(
  attesters: readonly WrittenAttester[],
  certificates: Certificates,
): TrustedAttesters | undefined {
  if (attesters.length === 0) return undefined;
  return {
    keys: attesters.flatMap((attester, index) => at([index, 'jwks', 'keys'], () => keysOf(attester))),
    anchors: attesters.flatMap(({ certificates: pems = [] }, index) =>
      pems.map((pem, number) => at([index, 'certificates', number], () => readCertificate(pem, certificates))),
    ),
  };
}

const keysOf = ({ issuer, jwks }: WrittenAttester): TrustedKey[] =>
  (jwks?.keys ?? []).map((jwk, index) => ({ ...at([index], () => readAttesterKey(jwk)), issuer }));

/** Reads a public key of an attester. @throws DomainError `BadRequest` */
export const readAttesterKey = (jwk: JsonObject): TrustedKey => ({
  jwk: catching(asField, () => readVerificationKey(jwk)),
  ...(isText(jwk.kid) && { kid: jwk.kid }),
});

const asField = replacing(undefined, ({ message }) => invalidField([], message));
