import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { catching, oauthError, replacing } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { TokenGrant } from '../../oauth/access-tokens.ts';
import { requestedKinds } from '../configurations/requested-kinds.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IdentifiedCredentials } from '../protocol.ts';
import type { ActiveSession, IssuanceSession } from '../sessions/issuance-session.ts';
import { identifierOf, itemsOf } from '../sessions/item-plan.ts';
import { VERSIONS } from '../versions.ts';

/** What authorization is checked against. */
interface AuthorizedOffer extends Pick<CredentialIssuer, 'configurations'> {
  /** The ids of the offered configurations. */
  offered: readonly string[];
}

/** Limits of what is permitted; without any, all of it is. */
export type RequestedAccess = Pick<TokenGrant, 'scopes' | 'details'>;

/** The ids of the offered configurations that scopes and authorization details permit; all when there are neither. */
export function permittedIds(
  { scopes, details }: RequestedAccess,
  { configurations, offered }: AuthorizedOffer,
): string[] {
  if (scopes === undefined && details === undefined) return [...offered];
  return offered.filter(
    (id) =>
      details?.some(({ credential_configuration_id: named }) => named === id) ||
      scopes?.some((scope) => configurations.get(id)?.scope === scope),
  );
}

/**
 * What a request wants of an offer, in scopes and details that name its configurations.
 * @throws DomainError `invalid_scope`, `invalid_authorization_details`
 */
export function requestedAccess(
  {
    version,
    configurations,
    formats,
  }: Pick<CredentialIssuer, 'version' | 'configurations'> & { formats: CredentialFormats },
  { scopes = [], details = [] }: RequestedAccess,
  { plan, configurationIds: offered }: Pick<ActiveSession, 'plan' | 'configurationIds'>,
): RequestedAccess {
  const { unknownScopes, detailsByFormat } = VERSIONS[version];
  const wanted = details.flatMap((detail) => {
    const { credential_configuration_id: id, format } = detail;
    if (detailsByFormat && id === undefined && format !== undefined) return ofFormat(detail, plan.kinds, formats);
    if (offered.some((one) => one === id)) return [detail];
    throw notOffered();
  });
  const known = permittedIds({ scopes }, { configurations, offered });
  const found = scopes.filter((scope) => known.some((id) => configurations.get(id)?.scope === scope));
  if (unknownScopes === 'refused' && found.length < scopes.length)
    throw oauthError('invalid_scope', 'scope: must name configurations of the offer');
  return { scopes: found.length > 0 ? found : undefined, details: wanted.length > 0 ? wanted : undefined };
}

function ofFormat(detail: JsonObject, kinds: ActiveSession['plan']['kinds'], formats: CredentialFormats): JsonObject[] {
  const requested = catching(replacing(undefined, notOffered), () => requestedKinds(kinds, detail, formats));
  const ids = new Set(requested.map(({ configurationId }) => configurationId));
  return [...ids].map((id) => ({ type: detail.type, credential_configuration_id: id }));
}

const notOffered = () =>
  oauthError('invalid_authorization_details', 'authorization_details: must name configurations of the offer');

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
