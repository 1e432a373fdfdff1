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

/** What the URIs that ETSI registered begin with. */
const REGISTERED = 'http://uri.etsi.org/';

/** The services that issue: authorities and attestations of ETSI TS 119 612, issuance of ETSI TS 119 602. */
const ISSUING = [
  /^http:\/\/uri\.etsi\.org\/TrstSvc\/Svctype\/(?:CA|EAA)\//,
  /^http:\/\/uri\.etsi\.org\/19602\/SvcType\/\w+\/Issuance$/,
];

/** The services that provide validity status information on what the entity issued (ETSI TS 119 602 annexes D to H). */
const REVOKING = /^http:\/\/uri\.etsi\.org\/19602\/SvcType\/\w+\/Revocation$/;

/** The lists whose entities issue credentials, so that their services of kinds that ETSI did not register count (annexes D, H). */
const OF_ISSUERS: ReadonlySet<string> = new Set(['EUPIDProvidersList', 'EUPubEAAProvidersList']);

/** Words of the reference for kinds of entities, with the last part of the URI of the lists that have them. */
const ENTITY_TYPES: Readonly<Record<string, string>> = {
  PID_PROVIDER: 'EUPIDProvidersList',
  WALLET_PROVIDER: 'EUWalletProvidersList',
  ACCESS_CERTIFICATE_PROVIDER: 'EUWRPACProvidersList',
  RELYING_PARTY_PROVIDER: 'EUWRPRCProvidersList',
  ATTESTATION_PROVIDER: 'EUPubEAAProvidersList',
};

/** Such a word for the entities of every list of ETSI TS 119 612. */
const TRUST_SERVICE_PROVIDER = { word: 'TRUST_SERVICE_PROVIDER', lists: `${REGISTERED}TrstSvc/` };

const lastPartOf = (type = ''): string => type.slice(type.lastIndexOf('/') + 1);

/** Whether a list has entities of a type: the URI of its own type, the last part of that, or a word for its entities. */
function isOfType({ type = '' }: Pick<TrustedList, 'type'>, expected: string): boolean {
  if (expected === TRUST_SERVICE_PROVIDER.word) return type.startsWith(TRUST_SERVICE_PROVIDER.lists);
  const wanted = Object.hasOwn(ENTITY_TYPES, expected) ? ENTITY_TYPES[expected] : expected;
  return type === wanted || lastPartOf(type) === wanted;
}

/** What services are asked for; `now` in milliseconds since the epoch. */
interface WantedServices {
  now: number;
  /** Only of a list of this type: its URI, the last part of that, or a word of the reference for its entities. */
  entityType?: string;
  /** Only services of this kind; those that issue when absent. */
  serviceType?: string;
}

/**
 * The authorities of a list that issue credentials now; undefined when it is a list of another type. Their service is of the
 * wanted kind, and its status, if the list has statuses, was granted and has begun. An entry of a list without kinds and
 * statuses, such as a VICAL, counts by being listed, and a service of a kind that ETSI did not register by the type of its list.
 */
export function issuingAnchors(
  list: TrustedList,
  { entityType, ...wanted }: WantedServices,
): ListedAnchor[] | undefined {
  if (entityType !== undefined && !isOfType(list, entityType)) return undefined;
  return list.anchors.filter((anchor) => isWanted(list, anchor, wanted) && isGranted(anchor, wanted.now));
}

function isWanted(list: TrustedList, { serviceType }: ListedAnchor, wanted: WantedServices): boolean {
  if (wanted.serviceType !== undefined) return serviceType === wanted.serviceType;
  if (serviceType === undefined || ISSUING.some((type) => type.test(serviceType))) return true;
  return !serviceType.startsWith(REGISTERED) && OF_ISSUERS.has(lastPartOf(list.type));
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
  list: TrustedList,
  { issuer, revoker, now }: RevocationQuestion,
  certificates: Certificates,
): boolean {
  const isBelow = (chain: readonly Uint8Array[], ofService: readonly ListedAnchor[]): boolean =>
    decideChain({ chain, anchors: ofService, purpose: 'listed', now }, certificates).trusted;
  const issuing = issuingAnchors(list, { now }) ?? [];
  const revoking = list.anchors.filter((anchor) => REVOKING.test(anchor.serviceType ?? '') && isGranted(anchor, now));
  const entities = [...new Set(revoking.flatMap(({ entity }) => entity ?? []))];
  return entities.some((entity) => {
    const isOfEntity = (anchor: ListedAnchor): boolean => anchor.entity === entity;
    return isBelow(revoker, revoking.filter(isOfEntity)) && isBelow(issuer, issuing.filter(isOfEntity));
  });
}
