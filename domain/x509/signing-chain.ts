import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import { invalidField } from '../foundation/errors.ts';

/**
 * Returns the certificates of a signing key, leaf first, without the trust anchor (HAIP 1.0 §6.1.1, ISO 18013-5
 * §9.1.2.4).
 * @throws DomainError `BadRequest` naming the leaf when it is self-signed
 */
export function withoutAnchor(
  chain: readonly ParsedCertificate[],
  certificates: Pick<Certificates, 'signedBy'>,
): readonly ParsedCertificate[] {
  const [leaf, last] = [chain[0], chain.at(-1)];
  if (leaf && certificates.signedBy(leaf, leaf))
    throw invalidField([0], 'is self-signed; this format needs a certified key');
  return last && certificates.signedBy(last, last) ? chain.slice(0, -1) : chain;
}
