import type { TokenGrant } from '../../oauth/access-tokens.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { identifierOf, itemsOf } from '../offers/item-plan.ts';
import type { IssuanceSession } from '../sessions/issuance-session.ts';
import type { IdentifiedCredentials } from './protocol.ts';

/** What authorization is checked against. */
export interface AuthorizedOffer extends Pick<CredentialIssuer, 'configurations'> {
  /** The ids of the offered configurations. */
  offered: readonly string[];
}

/** The ids of the offered configurations that scopes and authorization details permit; all when there are neither. */
export function permittedIds(
  { scopes, details }: Pick<TokenGrant, 'scopes' | 'details'>,
  { configurations, offered }: AuthorizedOffer,
): string[] {
  if (scopes === undefined && details === undefined) return [...offered];
  return offered.filter(
    (id) =>
      details?.some(({ credential_configuration_id: named }) => named === id) ||
      scopes?.some((scope) => configurations.get(id)?.scope === scope),
  );
}

/** The identifiers of the credentials of some configurations. */
export function identified(
  { plan }: Pick<IssuanceSession, 'plan'>,
  configurationIds: readonly string[],
): IdentifiedCredentials[] {
  const identifiers = new Map<string, string[]>();
  const kinds = plan.kinds.filter(({ configurationId }) => configurationIds.includes(configurationId));
  for (const item of itemsOf(plan, kinds)) {
    const { configurationId } = item.kind;
    const of = identifiers.get(configurationId) ?? [];
    of.push(identifierOf(item));
    identifiers.set(configurationId, of);
  }
  return [...identifiers].map(([configurationId, list]) => ({ configurationId, identifiers: list }));
}

/** The credentials of a session that authorization details name; none without details. */
export const identifiedBy = (
  { details }: Pick<TokenGrant, 'details'>,
  { issuer, session }: { issuer: CredentialIssuer; session: IssuanceSession },
): IdentifiedCredentials[] =>
  identified(session, details ? permittedIds({ details }, { ...issuer, offered: session.configurationIds }) : []);
