import type { CredentialFormats, SupportedFormat, TypeSelector } from '../../credentials/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { CredentialConfiguration } from './credential-configuration.ts';

/** The members of an issuance request that say which credential it is for. */
export interface NamedCredential {
  credentialConfigurationId?: string;
  credentialData?: JsonObject;
  vct?: string;
  docType?: string;
}

/** Where configurations are looked for: those of one issuer, in the formats whose types have this member when one is given. */
export interface ConfigurationSearch {
  issuer: Pick<CredentialIssuer, 'configurations'>;
  formats: CredentialFormats;
  selector?: TypeSelector;
}

/** A configuration and its format. */
export interface RequestedConfiguration {
  configuration: CredentialConfiguration;
  format: SupportedFormat;
}

/**
 * Finds the configuration of a request: the one it names, else that of its `vct` or `docType`, else the one that has the
 * last type of its data for a name. @throws DomainError `BadRequest` naming the member that is wrong or missing
 */
export function requestedConfiguration(
  request: NamedCredential,
  { issuer, formats, selector }: ConfigurationSearch,
): RequestedConfiguration {
  const { credentialConfigurationId: given } = request;
  const rows = formats.all.filter((row) => selector === undefined || row.selector === selector);
  const id = given ?? idOfType(request, { issuer, rows }) ?? idOfData(request, { issuer, rows });
  const configuration = issuer.configurations.get(id);
  if (!configuration) throw unknownConfiguration(id, given === undefined);
  const format = rows.find(({ name }) => name === configuration.format);
  if (!format)
    throw invalidField(
      ['credentialConfigurationId'],
      `"${id.slice(0, 200)}" is of the format ${configuration.format}, which is not issued by this operation`,
    );
  checkType(request, configuration);
  return { configuration, format };
}

function unknownConfiguration(id: string, isDerived: boolean): Error {
  const derived = isDerived ? ' (derived from the last type of credentialData)' : '';
  return invalidField(
    ['credentialConfigurationId'],
    `this issuer has no credential configuration "${id.slice(0, 200)}"${derived}`,
  );
}

/** Configurations and the formats among which one is looked for. */
interface Candidates {
  issuer: ConfigurationSearch['issuer'];
  rows: readonly SupportedFormat[];
}

/** The configuration of the `vct` or `docType`; undefined when the request has neither. */
function idOfType({ vct, docType }: NamedCredential, { issuer, rows }: Candidates): string | undefined {
  for (const [member, selector, type] of [
    ['vct', 'vct', vct],
    ['docType', 'doc_type', docType],
  ] as const) {
    const formats = rows.filter((row) => row.selector === selector).map(({ name }) => name);
    if (type === undefined || formats.length === 0) continue;
    for (const configuration of issuer.configurations.values())
      if (configuration.type === type && formats.includes(configuration.format)) return configuration.id;
    throw invalidField([member], 'this issuer has no credential configuration of this type');
  }
  return undefined;
}

/** The id made of the last type and the suffix of a format: of the first that has a configuration, or of the first. */
function idOfData({ credentialData }: NamedCredential, { issuer, rows }: Candidates): string {
  const type = isObject(credentialData) ? asList(credentialData.type).filter(isText).at(-1) : undefined;
  if (type === undefined)
    throw invalidField(['credentialConfigurationId'], 'is required, since nothing else names the credential');
  const ids = rows.map(({ configurationSuffix }) => `${type}${configurationSuffix}`);
  return ids.find((id) => issuer.configurations.has(id)) ?? ids[0] ?? type;
}

function checkType({ vct, docType }: NamedCredential, { type }: CredentialConfiguration): void {
  for (const [member, value] of Object.entries({ vct, docType }))
    if (value !== undefined && value !== type)
      throw invalidField([member], `is not that of the credential configuration, ${type ?? 'which has none'}`);
}
