import type { TypeSelector } from '../../credentials/formats/facts.ts';
import type { CredentialFormats, SupportedFormat } from '../../credentials/formats/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { CredentialConfiguration } from '../credential-configuration.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';

/** The members of an issuance request that say which credential it is for. */
export interface NamedCredential {
  credentialConfigurationId?: string;
  /** The format of the configuration, by any of its names. */
  credentialFormat?: string;
  credentialData?: JsonObject;
  vct?: string;
  docType?: string;
}

/** Where configurations are looked for: those of one issuer. */
export interface ConfigurationSearch {
  issuer: Pick<CredentialIssuer, 'configurations'>;
  formats: CredentialFormats;
  /** The kind of formats that comes first where only the last type of the data says what is wanted. */
  preferred?: TypeSelector;
}

/** A configuration and its format. */
export interface RequestedConfiguration {
  configuration: CredentialConfiguration;
  format: SupportedFormat;
}

/** Configurations and the formats in which one is looked for, the preferred ones first. */
interface Candidates {
  issuer: ConfigurationSearch['issuer'];
  rows: readonly SupportedFormat[];
}

/**
 * Finds the configuration of a request, which decides on the format: the one it names, else that of its `vct` or `docType`,
 * else the one that has the last type of its data for a name.
 * @throws DomainError `BadRequest` naming the member that is wrong or missing
 */
export function requestedConfiguration(request: NamedCredential, search: ConfigurationSearch): RequestedConfiguration {
  const { issuer, formats } = search;
  const candidates = { issuer, rows: rowsOf(request, search) };
  const { credentialConfigurationId: given = idOfType(request, candidates) ?? idOfData(request, candidates) } = request;
  const configuration = issuer.configurations.get(given);
  if (!configuration) throw unknownConfiguration(given, request, candidates.rows);
  checkNames(request, configuration, formats);
  return { configuration, format: formats.get(configuration.format) };
}

function rowsOf(
  { credentialFormat: name }: NamedCredential,
  { formats, preferred }: ConfigurationSearch,
): readonly SupportedFormat[] {
  const { all } = formats;
  if (name === undefined)
    return [true, false].flatMap((is) => all.filter((row) => (row.selector === preferred) === is));
  const format = formats.supported(name);
  if (format) return [format];
  throw invalidField(['credentialFormat'], `must be one of ${all.map((row) => row.name).join(', ')}`);
}

/** The configuration of the `vct` or `docType`; undefined when the request has neither. */
function idOfType(request: NamedCredential, { issuer, rows }: Candidates): string | undefined {
  const { vct, docType } = request;
  for (const [member, selector, type] of [
    ['vct', 'vct', vct],
    ['docType', 'doc_type', docType],
  ] as const) {
    const formats = rows.filter((row) => row.selector === selector);
    if (type === undefined || formats.length === 0) continue;
    for (const configuration of issuer.configurations.values())
      if (configuration.type === type && formats.some(({ name }) => name === configuration.format))
        return configuration.id;
    throw invalidField(
      [member],
      `this issuer has no credential configuration of this type; ${entryFor(type, request, formats)}`,
    );
  }
  return undefined;
}

/** The id made of the last type and the suffix of a format: of the first that has a configuration, or of the first. */
function idOfData(request: NamedCredential, { issuer, rows }: Candidates): string {
  const type = typesOf(request).at(-1);
  if (type === undefined)
    throw invalidField(['credentialConfigurationId'], 'is required, since nothing else names the credential');
  const ids = rows.map(({ configurationSuffix }) => `${type}${configurationSuffix}`);
  return ids.find((id) => issuer.configurations.has(id)) ?? ids[0] ?? type;
}

const typesOf = ({ credentialData }: NamedCredential): string[] =>
  isObject(credentialData) ? asList(credentialData.type).filter(isText) : [];

function checkNames(
  { vct, docType, credentialFormat }: NamedCredential,
  { type, format }: CredentialConfiguration,
  formats: CredentialFormats,
): void {
  for (const [member, value] of Object.entries({ vct, docType }))
    if (value !== undefined && value !== type)
      throw invalidField([member], `is not that of the credential configuration, ${type ?? 'which has none'}`);
  if (credentialFormat !== undefined && formats.canonicalName(credentialFormat) !== format)
    throw invalidField(['credentialFormat'], `is not that of the credential configuration, ${format}`);
}

function unknownConfiguration(id: string, request: NamedCredential, rows: readonly SupportedFormat[]): Error {
  const derived =
    request.credentialConfigurationId === undefined ? ' (derived from the last type of credentialData)' : '';
  return invalidField(
    ['credentialConfigurationId'],
    `this issuer has no credential configuration "${id.slice(0, 200)}"${derived}; ${entryFor(id, request, rows)}`,
  );
}

/** How the operator names the type of a credential in each kind of format. */
const TYPE_MEMBERS: Readonly<Record<TypeSelector, (request: NamedCredential, name: string) => JsonObject>> = {
  type: (request, name) => {
    const types = typesOf(request);
    return { credential_definition: { type: types.length > 0 ? types : ['VerifiableCredential', name] } };
  },
  vct: ({ vct }) => ({ vct }),
  doc_type: ({ docType }) => ({ doctype: docType }),
};

/** The longest entry that a message shows, in characters. */
const MAX_ENTRY = 1000;

/** Says what the operator writes so that there is a configuration with this id for such a request. */
function entryFor(id: string, request: NamedCredential, rows: readonly SupportedFormat[]): string {
  const suffixed = rows.find(({ configurationSuffix: suffix }) => id.endsWith(suffix));
  const { name: format, selector } = suffixed ?? rows[0] ?? { name: '', selector: 'type' };
  const name = suffixed ? id.slice(0, -suffixed.configurationSuffix.length) : id;
  const entry = JSON.stringify({ [id]: { format, ...TYPE_MEMBERS[selector](request, name) } });
  const shown = entry.length > MAX_ENTRY ? '' : ` such as supportedCredentialTypes = ${entry}`;
  return `the operator adds one in credential-issuer-metadata.conf,${shown} beside the others: what is written there takes the place of the built-in list`;
}
