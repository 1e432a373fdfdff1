import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { IssuerReference } from '../../ports/credential-formats.ts';
import { at, invalidField, isDomainError } from '../foundation/errors.ts';
import type { DcqlQuery } from '../presentation/dcql/query.ts';
import type { TrustedAuthority } from '../presentation/matching/compiled-query.ts';
import { decideChain } from './chain-trust.ts';
import type { IssuerPaths } from './federation/issuer-paths.ts';
import type { TrustAnchor } from './trust-anchors.ts';

interface AuthorityParts {
  certificates: Certificates;
  /** The anchors of the trust lists that were loaded, by their URLs. */
  lists: ReadonlyMap<string, readonly TrustAnchor[]>;
  entities: IssuerPaths['entities'];
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Whether an issuer is below one of the authorities (OpenID4VP 1.0 §6.1.1): `aki` is the authority key identifier of any of
 * its certificates, `etsi_tl` the URL of a list with an entry that they end at, `openid_federation` an entity of one of its
 * trust chains. An authority of another kind has no issuers. Nothing is said of the certificates' validity: see `IssuerTrust`.
 */
export function isBelowAuthority(
  issuer: IssuerReference,
  authorities: readonly TrustedAuthority[],
  parts: AuthorityParts,
): boolean {
  return authorities.some(({ type, values }) => matcherOf(type)?.(issuer, values, parts) === true);
}

type Matcher = (issuer: IssuerReference, values: readonly string[], parts: AuthorityParts) => boolean;

const byKeyIdentifier: Matcher = (issuer, values, { certificates }) =>
  issuer.kind === 'certificates' &&
  parsed(issuer.chain, certificates).some(({ authorityKeyId: id }) => id !== undefined && values.includes(id));

const byList: Matcher = (issuer, values, { certificates, lists, now }) => {
  if (issuer.kind !== 'certificates') return false;
  const anchors = values.flatMap((url) => lists.get(url) ?? []);
  return decideChain({ chain: issuer.chain, anchors, now, purpose: 'listed' }, certificates).trusted;
};

const byFederation: Matcher = (issuer, values, { entities }) =>
  values.some((entity) => entities.get(issuer)?.has(entity));

/** The kinds of authorities that are supported. */
const MATCHERS: Readonly<Record<string, Matcher>> = {
  aki: byKeyIdentifier,
  etsi_tl: byList,
  openid_federation: byFederation,
};

const matcherOf = (type: string): Matcher | undefined => (Object.hasOwn(MATCHERS, type) ? MATCHERS[type] : undefined);

function parsed(chain: readonly Uint8Array[], certificates: Certificates): ParsedCertificate[] {
  try {
    return chain.map((der) => certificates.parse(der));
  } catch (error) {
    if (isDomainError(error, 'BadRequest')) return [];
    throw error;
  }
}

/** What of the configuration authorities are judged by: the URLs of its trust lists, and whether it has anchors of federations. */
interface KnownAuthorities {
  lists: readonly string[];
  hasFederations: boolean;
}

/**
 * Checks at the creation of a request that every authority it names can be judged here: kinds that are not known cannot, a
 * trust list must be a configured one, and an entity needs a trust anchor. Whether the entity is below one is only found with
 * the chain of an issuer. @throws DomainError `BadRequest` naming the value
 */
export function checkAuthorities({ credentials }: DcqlQuery, known: KnownAuthorities): void {
  for (const [index, { trustedAuthorities = [] }] of credentials.entries())
    for (const [place, authority] of trustedAuthorities.entries())
      at(['credentials', index, 'trusted_authorities', place], () => checkAuthority(authority, known));
}

function checkAuthority({ type, values }: TrustedAuthority, { lists, hasFederations }: KnownAuthorities): void {
  if (!matcherOf(type))
    throw invalidField(['type'], `the only kinds that are supported are ${Object.keys(MATCHERS).join(', ')}`);
  if (type === 'openid_federation' && !hasFederations)
    throw invalidField(['type'], 'needs a trust anchor of a federation in trusted-issuers.conf');
  const unknown = type === 'etsi_tl' ? values.findIndex((url) => !lists.includes(url)) : -1;
  if (unknown >= 0) throw invalidField(['values', unknown], 'is not the URL of a trust list of trusted-issuers.conf');
}
