import type { Certificates } from '../../ports/certificates.ts';
import type { Credential } from '../../ports/credential-formats.ts';
import type { FormatFacts } from '../credentials/formats/facts.ts';
import { isObject, isText } from '../foundation/json.ts';
import { countryNamed, countryOf } from '../x509/name-constraints.ts';

/**
 * Why a disclosed `issuing_country` is not the country of the signer's certificate, as it must be (ISO 18013-5
 * Annex B.1.4); undefined where one of them names no country. The certificates are those of a verified signature.
 */
export function countryViolation(
  { claims, issuer }: Pick<Credential, 'claims' | 'issuer'>,
  format: Pick<FormatFacts, 'issuingCountry'>,
  certificates: Pick<Certificates, 'parse'>,
): string | undefined {
  if (!format.issuingCountry || issuer.kind !== 'certificates') return undefined;
  const [nameSpace, element] = format.issuingCountry;
  const elements = claims[nameSpace];
  const named = isObject(elements) ? elements[element] : undefined;
  const [leaf] = issuer.chain;
  if (named === undefined || !leaf) return undefined;
  const own = countryOf(certificates.parse(leaf).subject);
  if (own === undefined || (isText(named) && own === countryNamed(named))) return undefined;
  return 'the issuing_country is not the country of the certificate that signed it';
}
