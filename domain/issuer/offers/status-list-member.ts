import type { FormatFacts } from '../../credentials/formats/facts.ts';
import { readStatusList, type StatusListMember } from '../../credentials/formats/status-list-kinds.ts';
import type { StatusListChoice } from '../../credentials/status-entries.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { CredentialConfigurations } from '../credential-configuration.ts';
import { type CredentialIssuer, listOwner } from '../credential-issuer.ts';
import type { IssuableContent } from '../sessions/issuable-content.ts';

/** What decides which status list a credential gets an entry of. */
interface StatusListSources {
  /** The member `statusList` of the request. */
  member: StatusListMember | undefined;
  content: Pick<IssuableContent, 'configurationId' | 'credentialData' | 'credentialStatus' | 'claims'>;
  format: FormatFacts;
}

/**
 * The status list that a request names, or else the one of its configuration; a status of the credential's own stands
 * instead of the configured one. @throws DomainError `BadRequest` naming `statusList` when it does not fit the credential
 */
export function statusListOf(
  issuer: CredentialIssuer,
  { member, content, format }: StatusListSources,
): IssuableContent['statusList'] {
  const { credentialStatus, claims, credentialData } = content;
  const hasOwn = [credentialStatus, claims?.status, credentialData.credentialStatus].some((one) => one !== undefined);
  if (member && hasOwn) throw invalidField(['statusList'], 'is not used with a status of the credential’s own');
  const configured = hasOwn ? undefined : issuer.configurations.get(content.configurationId)?.statusList;
  const choice = member ? at(['statusList'], () => readStatusList(member, format)) : configured;
  const { service, id } = issuer;
  return choice && { ...listOwner(issuer), choice, ...(service !== undefined && { service, issuer: id }) };
}

/** Adds status lists by the ids of configurations. @throws DomainError `BadRequest` naming the entry that does not fit its configuration */
export function withStatusLists(
  configurations: CredentialConfigurations,
  statusLists: Record<string, StatusListMember>,
): CredentialConfigurations {
  const choices = new Map(
    Object.entries(statusLists).map(([id, member]) => [id, at([id], () => choiceOf(id, member, configurations))]),
  );
  return new Map([...configurations].map(([id, one]) => [id, { ...one, statusList: choices.get(id) }]));
}

function choiceOf(id: string, member: StatusListMember, configurations: CredentialConfigurations): StatusListChoice {
  const configuration = configurations.get(id);
  if (!configuration) throw invalidField([], 'is not the id of a credential configuration');
  return readStatusList(member, configuration.facts);
}
