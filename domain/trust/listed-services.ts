import type { ListedAnchor } from './list-anchors.ts';

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

/** What a service must be; `now` in milliseconds since the epoch. */
export interface WantedService {
  now: number;
  /** Only services of this kind; those that issue when absent. */
  serviceType?: string;
}

/**
 * Whether a listed service issues credentials now: it is of the wanted kind, and its status, if the list has statuses, was
 * granted and has begun. An entry of a list without kinds and statuses, such as a VICAL, counts by being listed.
 */
export function isIssuing({ serviceType, status, statusSince }: ListedAnchor, wanted: WantedService): boolean {
  const isOfType =
    wanted.serviceType === undefined
      ? serviceType === undefined || ISSUING.some((type) => type.test(serviceType))
      : serviceType === wanted.serviceType;
  const isGranted = status === undefined || GRANTED.has(status);
  return isOfType && isGranted && (statusSince === undefined || statusSince <= wanted.now);
}
