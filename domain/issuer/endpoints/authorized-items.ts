import type { TokenGrant } from '../../oauth/access-tokens.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';

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
