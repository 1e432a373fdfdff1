import type { Certificates } from '../../../../ports/certificates.ts';
import type { TrustAnchor } from '../../../trust/trust-anchors.ts';
import { derOfPem } from '../../../x509/pem.ts';
import type { Target } from '../../access/targets.ts';
import { RESOURCE_KINDS, type TrustedIssuerContent } from '../../tree/resource-kinds.ts';
import type { ResourceRepository, TreeResource } from '../../tree/resource-repository.ts';
import { allChildren } from '../stored-children.ts';

/** A certificate that an entry of a trust registry names, of an issuer or of the authority above it; for all types. */
interface EntryAnchor extends Pick<TrustAnchor, 'certificate'> {
  entry: TreeResource<TrustedIssuerContent>;
}

/** What entries are read with. */
interface EntryParts {
  repository: Pick<ResourceRepository, 'page'>;
  certificates: Pick<Certificates, 'parse'>;
}

/** The entries of a trust registry. @throws DomainError `Conflict` when there are more than 1,000 */
export const registryEntries = ({ repository }: Pick<EntryParts, 'repository'>, target: Target) =>
  allChildren(repository, RESOURCE_KINDS.trustedIssuers, target);

/** The certificates that entries name. */
export const anchorsOfEntries = (
  entries: readonly TreeResource<TrustedIssuerContent>[],
  { certificates }: Pick<EntryParts, 'certificates'>,
): EntryAnchor[] =>
  entries.flatMap((entry) => {
    const der = entry.type === 'certificate' ? derOfPem(entry.issuer) : undefined;
    return der ? [{ certificate: certificates.parse(der), entry }] : [];
  });
