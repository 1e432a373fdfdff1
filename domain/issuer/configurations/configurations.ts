import type { CredentialFormats, SupportedFormat } from '../../credentials/formats/formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type { CredentialConfiguration, CredentialConfigurations } from '../credential-configuration.ts';
import { VERSIONS, type Version } from '../versions.ts';
import { readEntry } from './configuration-entry.ts';
import { readsAttestations } from './proof-types.ts';
import { circularType } from './type-metadata.ts';

/** What the operator writes for one credential: its W3C types, its `vct` or document type, or a whole configuration. */
export type ConfigurationEntry = string | string[] | JsonObject;

/** The issuer that the configurations are for. */
interface ConfigurationOptions {
  formats: CredentialFormats;
  /** Begins the `vct` of types that have no name of their own. */
  identifier: string;
  version: Version;
}

/**
 * Expands the operator's list. A list of W3C types gives `<Name>_<format>` for each W3C format and SD-JWT VC, also as
 * `types` beside what wallets show, `display` and the `claims` of the SD-JWT VC; a text
 * with a colon is a `vct` and gives an SD-JWT VC, a text of dotted names a document type and gives an mdoc; an object is
 * a configuration under its own id, with a `vct` and no format an SD-JWT VC. Configurations that the version does not know
 * by their format or their key attestations are left out.
 * @throws DomainError `BadRequest` naming the entry that is none of these, or the list when a type extends itself
 */
export function readConfigurations(
  supported: Record<string, ConfigurationEntry>,
  options: ConfigurationOptions,
): CredentialConfigurations {
  const { hasFormat, attestations } = VERSIONS[options.version];
  const all = Object.entries(supported).flatMap(([name, entry]) => at([name], () => expand(name, entry, options)));
  const offered = all.filter((one) => hasFormat(one.facts) && (attestations || !readsAttestations(one)));
  const configurations = new Map(offered.map((configuration) => [configuration.id, configuration]));
  const circular = circularType(configurations);
  if (circular === undefined) return configurations;
  throw invalidField([], `has the type ${circular}, which extends itself`);
}

function expand(name: string, entry: ConfigurationEntry, options: ConfigurationOptions): CredentialConfiguration[] {
  const { formats, version } = options;
  const { generation: own } = VERSIONS[version];
  const rows = formats.all.filter(({ generation = own }) => generation === own);
  const ofRow = (row: SupportedFormat, more: JsonObject): CredentialConfiguration =>
    readEntry(
      { id: `${name}${row.configurationSuffix}`, entry: { format: row.name, display: displayOf(name), ...more } },
      options,
    );
  const list = typeListIn(entry);
  if (list)
    return rows
      .filter(({ selector }) => selector !== 'doc_type')
      .map((row) => ofRow(row, row.selector === 'type' ? typedBy(list) : labelledBy(list)));
  if (typeof entry === 'object' && !Array.isArray(entry)) {
    const format =
      entry.format ?? (isText(entry.vct) ? rows.find(({ selector }) => selector === 'vct')?.name : undefined);
    return [readEntry({ id: name, entry: { ...entry, format } }, options)];
  }
  const selector = selectorOf(String(entry));
  const row = rows.find((one) => one.selector === selector);
  if (!row) throw invalidField([], 'names a type of a format that is not available');
  return [ofRow(row, { [selector === 'vct' ? 'vct' : 'doctype']: String(entry) })];
}

/** A list of W3C types, with what wallets show. */
interface TypeList {
  types: unknown[];
  display?: unknown;
  /** Of the SD-JWT VC. */
  claims?: unknown;
}

function typeListIn(entry: ConfigurationEntry): TypeList | undefined {
  if (Array.isArray(entry)) return { types: entry };
  if (typeof entry === 'string' || entry.format !== undefined || !Array.isArray(entry.types)) return undefined;
  return { ...entry, types: entry.types };
}

const shownBy = ({ display }: TypeList): JsonObject => (display === undefined ? {} : { display });

const typedBy = (list: TypeList): JsonObject => ({ credential_definition: { type: list.types }, ...shownBy(list) });

const labelledBy = (list: TypeList): JsonObject => ({ claims: list.claims, ...shownBy(list) });

/** Whether a text is a `vct` (a URL, a URN) or a document type (ISO/IEC 18013-5 §7.2.1: a reversed domain name). */
function selectorOf(text: string): 'vct' | 'doc_type' {
  if (text.includes(':')) return 'vct';
  if (/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){2,}$/.test(text)) return 'doc_type';
  throw invalidField([], 'is neither a vct (a URL or URN) nor a document type; write a whole configuration');
}

/** What wallets show of a credential that only has a name: `UniversityDegree` as "University Degree". */
const displayOf = (name: string): JsonObject[] => [
  { name: name.replaceAll(/(?<=[a-z])(?=[A-Z][a-z])/g, ' '), locale: 'en' },
];
