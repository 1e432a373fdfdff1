import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { IssuerReference } from '../../ports/credential-formats.ts';
import { at, invalidField, isDomainError } from '../foundation/errors.ts';
import type { DcqlQuery } from '../presentation/dcql/query.ts';
import type { TrustedAuthority } from '../presentation/dcql/trusted-authorities.ts';
import { decideChain } from './chain-trust.ts';
import type { TrustAnchor } from './trust-anchors.ts';

/** What authorities are looked up with. */
export interface AuthorityParts {
  certificates: Certificates;
  /** The anchors of the trust lists that were loaded, by their URLs. */
  lists: ReadonlyMap<string, readonly TrustAnchor[]>;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Whether the chain of an issuer is below one of the authorities (OpenID4VP 1.0 §6.1.1): `aki` is the authority key
 * identifier of any of its certificates, `etsi_tl` the URL of a list with an entry that the chain ends at. An authority of
 * another kind has no issuers. Nothing is said of the chain's own validity: see `IssuerTrust`.
 */
export function isBelowAuthority(
  issuer: IssuerReference,
  authorities: readonly TrustedAuthority[],
  parts: AuthorityParts,
): boolean {
  if (issuer.kind !== 'certificates') return false;
  return authorities.some(({ type, values }) => matcherOf(type)?.(issuer.chain, values, parts) === true);
}

type Matcher = (chain: readonly Uint8Array[], values: readonly string[], parts: AuthorityParts) => boolean;

const byKeyIdentifier: Matcher = (chain, values, { certificates }) =>
  parsed(chain, certificates).some(({ authorityKeyId: id }) => id !== undefined && values.includes(id));

const byList: Matcher = (chain, values, { certificates, lists, now }) => {
  const anchors = values.flatMap((url) => lists.get(url) ?? []);
  return decideChain({ chain, anchors, now, purpose: 'listed' }, certificates).trusted;
};

/** The kinds of authorities that are supported. */
const MATCHERS: Readonly<Record<string, Matcher>> = { aki: byKeyIdentifier, etsi_tl: byList };

const matcherOf = (type: string): Matcher | undefined => (Object.hasOwn(MATCHERS, type) ? MATCHERS[type] : undefined);

function parsed(chain: readonly Uint8Array[], certificates: Certificates): ParsedCertificate[] {
  try {
    return chain.map((der) => certificates.parse(der));
  } catch (error) {
    if (isDomainError(error, 'BadRequest')) return [];
    throw error;
  }
}

/**
 * Checks at the creation of a request that every authority it names can be judged here: `openid_federation` and kinds that
 * are not known cannot, and a trust list must be a configured one. @throws DomainError `BadRequest` naming the value
 */
export function checkAuthorities({ credentials }: DcqlQuery, configuredLists: readonly string[]): void {
  for (const [index, { trustedAuthorities = [] }] of credentials.entries())
    for (const [place, authority] of trustedAuthorities.entries())
      at(['credentials', index, 'trusted_authorities', place], () => checkAuthority(authority, configuredLists));
}

function checkAuthority({ type, values }: TrustedAuthority, configuredLists: readonly string[]): void {
  if (!matcherOf(type))
    throw invalidField(['type'], `the only kinds that are supported are ${Object.keys(MATCHERS).join(' and ')}`);
  if (type !== 'etsi_tl') return;
  const unknown = values.findIndex((url) => !configuredLists.includes(url));
  if (unknown >= 0) throw invalidField(['values', unknown], 'is not the URL of a trust list of trusted-issuers.conf');
}
