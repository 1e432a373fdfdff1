import { DomainError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import type { ParsedOffer } from './credential-offer.ts';

/** Credentials of one offer. */
export const MAX_CREDENTIALS = 128;

/** One credential to ask for. */
export interface Wanted {
  configurationId: string;
  /** The issuer's name for it, when it gave one (draft 13 §6.2). */
  identifier?: string;
}

/** The details that ask for everything an offer names (OpenID4VCI draft 13 §5.1.1). */
export function detailsOf({ configurationIds, issuer }: ParsedOffer, metadata: JsonObject): string {
  const locations = metadata.authorization_servers === undefined ? {} : { locations: [issuer] };
  const detail = { type: 'openid_credential', ...locations };
  return JSON.stringify(configurationIds.map((id) => ({ ...detail, credential_configuration_id: id })));
}

/** The issuer's names for its credentials, by configuration (draft 13 §6.2). */
export function readIdentifiers(details: unknown): Map<string, string[]> {
  const identifiers = new Map<string, string[]>();
  for (const { credential_configuration_id: id, credential_identifiers: listed } of asList(details).filter(isObject))
    if (isText(id)) identifiers.set(id, [...(identifiers.get(id) ?? []), ...asList(listed).filter(isText)]);
  return identifiers;
}

/** Every credential to be asked for, in the order of the offer. @throws DomainError `BadRequest` for too many */
export function wantedOf(identifiers: Map<string, string[]>, { configurationIds }: ParsedOffer): Wanted[] {
  const wanted = configurationIds.flatMap((configurationId): Wanted[] => {
    const named = [...new Set(identifiers.get(configurationId))];
    return named.length === 0 ? [{ configurationId }] : named.map((identifier) => ({ configurationId, identifier }));
  });
  if (wanted.length <= MAX_CREDENTIALS) return wanted;
  throw new DomainError('BadRequest', `The issuer has more than ${MAX_CREDENTIALS} credentials in one offer`);
}
