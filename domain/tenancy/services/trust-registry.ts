import type { Certificates } from '../../../ports/certificates.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { readHttpUrl } from '../../network/urls.ts';
import type { TrustAnchor } from '../../trust/trust-anchors.ts';
import type { TrustLists } from '../../trust/trust-lists.ts';
import type { VerifierTrust } from '../../trust/verifier-trust.ts';
import { readCertificate } from '../../x509/certificate-chain.ts';
import { derOfPem, pemOf } from '../../x509/pem.ts';
import type { Target } from '../access/targets.ts';
import { RESOURCE_KINDS, type TrustedIssuerContent } from '../tree/resource-kinds.ts';
import type { ResourceRepository } from '../tree/resource-repository.ts';
import { refusePrivateKeys } from '../tree/secrets.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { anchorsOfEntries, registryEntries } from './certificates/registry-entries.ts';
import type { TrustSources } from './certificates/trust-sources.ts';
import { ChildStore, type ServiceParts } from './child-creation.ts';
import { allChildren } from './stored-children.ts';
import type { TenantService } from './tenant-services.ts';

/**
 * Trust registries: services of the type `trust-registry`, which name issuers by certificates, DIDs or URLs. The default name of
 * an entry is the digest of that, so that a registry has an issuer once.
 */
export class TrustRegistries extends ChildStore<TrustedIssuerContent, TrustedIssuerContent> {
  constructor(
    private readonly parts: ServiceParts & {
      repository: ResourceRepository;
      certificates: Certificates;
      sources: Pick<TrustSources, 'believed'>;
      trustLists: Pick<TrustLists, 'anchorsOf'>;
      clock: Clock;
    },
  ) {
    super(parts, SERVICE_TYPES['trust-registry'].children);
  }

  protected override defaultName(wanted: TrustedIssuerContent): string {
    return fingerprint(this.read(wanted).content.issuer);
  }

  protected read({ issuer, ...wanted }: TrustedIssuerContent) {
    refusePrivateKeys({ issuer });
    const read = at(['issuer'], () => READERS[wanted.type](issuer, this.parts.certificates));
    return { content: { ...wanted, issuer: read } };
  }

  /**
   * Whom the `x509-store` and `trust-registry` services believe that a service depends on: certificates of a store without
   * a limit, those that VICALs list for their document types, and what registries name, and their lists.
   * @throws DomainError `Conflict` when one of them has more than 1,000 entries
   */
  async trustOf({ dependencies }: Pick<TenantService, 'dependencies'>): Promise<Required<VerifierTrust>> {
    const each = await Promise.all(dependencies.map((target) => this.#trustIn(target)));
    return {
      anchors: each.flatMap(({ anchors }) => anchors),
      lists: each.flatMap(({ lists }) => lists),
      issuers: each.flatMap(({ issuers }) => issuers),
    };
  }

  /** The certificates and authorities that these services believe, those of their lists too. @throws DomainError as `trustOf` */
  async anchorsOf(dependencies: readonly Target[]): Promise<readonly TrustAnchor[]> {
    const { trustLists, clock } = this.parts;
    const { anchors, lists } = await this.trustOf({ dependencies });
    return [...anchors, ...(await trustLists.anchorsOf(lists, clock.now())).anchors];
  }

  async #trustIn(target: Target): Promise<Required<VerifierTrust>> {
    const { repository } = this.parts;
    const stored = await allChildren(repository, RESOURCE_KINDS.certificates, target);
    const entries = await registryEntries(this.parts, target);
    const ofStore = stored.flatMap(({ data }) => this.#anchor(data.pem, data.complementaryMetadata?.docType));
    const named = anchorsOfEntries(entries, this.parts);
    const ofRegistry = named.map(({ certificate, entry }) => ({ certificate, docTypes: entry.credentialTypes }));
    return {
      anchors: [...ofStore, ...ofRegistry],
      lists: await this.parts.sources.believed(target),
      issuers: entries.filter(({ type }) => type !== 'certificate'),
    };
  }

  #anchor(pem: string, docTypes: string[] | undefined): TrustAnchor[] {
    const der = derOfPem(pem);
    return der ? [{ certificate: this.parts.certificates.parse(der), docTypes }] : [];
  }
}

/** How each type of entry is read, to the form in which it is stored. @throws DomainError `BadRequest` */
const READERS: Readonly<Record<TrustedIssuerContent['type'], (text: string, certificates: Certificates) => string>> = {
  certificate: (text, certificates) => pemOf(readCertificate(text, certificates).der, 'CERTIFICATE'),
  did: (text) => (DID.test(text) ? text : malformed('a DID, without a path or fragment')),
  url: (text) => readHttpUrl(text),
};

const DID = /^did:[a-z0-9]{1,32}:[A-Za-z0-9._:%-]{1,8192}$/;

function malformed(what: string): never {
  throw invalidField([], `must be ${what}`);
}
