import type { Certificates } from '../../ports/certificates.ts';
import { decideChain } from './chain-trust.ts';
import type { ListedAnchor, TrustedList } from './list-anchors.ts';

/** The statuses of services that may issue (ETSI TS 119 612 §5.5.4, ETSI TS 119 602 annexes). */
const GRANTED: ReadonlySet<string> = new Set([
  'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted',
  'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/recognisedatnationallevel',
  'http://uri.etsi.org/19602/Status/granted',
  'http://uri.etsi.org/19602/PubEAAProvidersList/SvcStatus/notified',
]);

/** The services that issue: authorities and attestations of ETSI TS 119 612, issuance of ETSI TS 119 602. */
const ISSUING = [
  /^http:\/\/uri\.etsi\.org\/TrstSvc\/Svctype\/(?:CA|EAA)\//,
  /^http:\/\/uri\.etsi\.org\/19602\/SvcType\/\w+\/Issuance$/,
];

/** The services that provide validity status information on what the entity issued (ETSI TS 119 602 annexes D to H). */
const REVOKING = /^http:\/\/uri\.etsi\.org\/19602\/SvcType\/\w+\/Revocation$/;

/** What a service must be; `now` in milliseconds since the epoch. */
interface WantedService {
  now: number;
  /** Only services of this kind; those that issue when absent. */
  serviceType?: string;
}

/**
 * Whether a listed service issues credentials now: it is of the wanted kind, and its status, if the list has statuses, was
 * granted and has begun. An entry of a list without kinds and statuses, such as a VICAL, counts by being listed.
 */
export function isIssuing(anchor: ListedAnchor, wanted: WantedService): boolean {
  const { serviceType } = anchor;
  const isOfType =
    wanted.serviceType === undefined
      ? serviceType === undefined || ISSUING.some((type) => type.test(serviceType))
      : serviceType === wanted.serviceType;
  return isOfType && isGranted(anchor, wanted.now);
}

const isGranted = ({ status, statusSince }: ListedAnchor, now: number): boolean =>
  (status === undefined || GRANTED.has(status)) && (statusSince === undefined || statusSince <= now);

/** The certificates, DER, leaf first, of an issuer and of one who may say what of it is revoked; `now` in milliseconds since the epoch. */
interface RevocationQuestion {
  issuer: readonly Uint8Array[];
  revoker: readonly Uint8Array[];
  now: number;
}

/** Whether a list has one entity with an issuing service of the issuer and a revocation service of the other. */
export function sharesEntity(
  { anchors }: Pick<TrustedList, 'anchors'>,
  { issuer, revoker, now }: RevocationQuestion,
  certificates: Certificates,
): boolean {
  const isBelow = (chain: readonly Uint8Array[], ofService: readonly ListedAnchor[]): boolean =>
    decideChain({ chain, anchors: ofService, purpose: 'listed', now }, certificates).trusted;
  const revoking = anchors.filter((anchor) => REVOKING.test(anchor.serviceType ?? '') && isGranted(anchor, now));
  const entities = [...new Set(revoking.flatMap(({ entity }) => entity ?? []))];
  return entities.some((entity) => {
    const isOfEntity = (anchor: ListedAnchor): boolean => anchor.entity === entity;
    const issuing = anchors.filter((anchor) => isOfEntity(anchor) && isIssuing(anchor, { now }));
    return isBelow(revoker, revoking.filter(isOfEntity)) && isBelow(issuer, issuing);
  });
}
