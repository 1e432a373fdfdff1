import type { Certificates } from '../../ports/certificates.ts';
import type { Credential } from '../../ports/credential-formats.ts';
import { FORMATS } from '../credentials/formats.ts';
import { isObject, isText } from '../foundation/json.ts';
import { countryNamed, countryOf } from '../x509/name-constraints.ts';

/** The namespace whose elements ISO 18013-5 defines. */
const NAMESPACE = 'org.iso.18013.5.1';

/**
 * Why a disclosed `issuing_country` is not the country of the signer's certificate, as it must be (ISO 18013-5
 * Annex B.1.4); undefined where one of them names no country. The certificates are those of a verified signature.
 */
export function countryViolation(
  { format, claims, issuer }: Pick<Credential, 'format' | 'claims' | 'issuer'>,
  certificates: Pick<Certificates, 'parse'>,
): string | undefined {
  if (format !== FORMATS.mso_mdoc.name || issuer.kind !== 'certificates') return undefined;
  const elements = claims[NAMESPACE];
  const named = isObject(elements) ? elements.issuing_country : undefined;
  const [leaf] = issuer.chain;
  if (named === undefined || !leaf) return undefined;
  const own = countryOf(certificates.parse(leaf).subject);
  if (own === undefined || (isText(named) && own === countryNamed(named))) return undefined;
  return 'the issuing_country is not the country of the certificate that signed it';
}
