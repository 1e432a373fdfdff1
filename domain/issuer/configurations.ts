import type { FormatName } from '../../ports/credential-formats.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { ALGORITHMS } from '../keys/key-types.ts';

/** A credential that this issuer offers: what its metadata says, and the parts of it that are worked with. */
export interface CredentialConfiguration {
  id: string;
  format: FormatName;
  types: string[];
  /** The object under `credential_configurations_supported` (OpenID4VCI draft 13 §11.2.3). */
  metadata: JsonObject;
}

/** Credential configurations by their id. */
export type CredentialConfigurations = ReadonlyMap<string, CredentialConfiguration>;

const BINDING_METHODS = ['did:jwk', 'did:key', 'did:web', 'jwk'];

/**
 * Expands the operator's list: a list of types gives one configuration per issuable format (`<Name>_<format>`), an
 * object is a configuration itself. @throws Error naming the entry that is neither
 */
export function readConfigurations(
  supported: Record<string, string[] | JsonObject>,
  formats: CredentialFormats,
): CredentialConfigurations {
  const configurations = Object.entries(supported).flatMap(([name, entry]) =>
    Array.isArray(entry)
      ? formats.all
          .filter(({ selector }) => selector === 'type')
          .map(({ name: format, configurationSuffix }) =>
            ofTypes({ id: `${name}${configurationSuffix}`, format, types: entry }, { display: displayOf(name) }),
          )
      : [ofObject(name, entry, formats)],
  );
  return new Map(configurations.map((configuration) => [configuration.id, configuration]));
}

/** What wallets show of a credential that only has a name: `UniversityDegree` as "University Degree". */
const displayOf = (name: string): JsonObject[] => [
  { name: name.replaceAll(/(?<=[a-z])(?=[A-Z][a-z])/g, ' '), locale: 'en' },
];

function ofTypes(parts: Omit<CredentialConfiguration, 'metadata'>, more: JsonObject = {}): CredentialConfiguration {
  const metadata = {
    format: parts.format,
    cryptographic_binding_methods_supported: BINDING_METHODS,
    credential_signing_alg_values_supported: ALGORITHMS,
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: ALGORITHMS } },
    credential_definition: { type: parts.types },
    ...more,
  };
  return { ...parts, metadata };
}

function ofObject(id: string, entry: JsonObject, formats: CredentialFormats): CredentialConfiguration {
  const where = `credential-issuer-metadata.conf: supportedCredentialTypes.${id}`;
  const { format, credential_definition: definition } = entry;
  const names = formats.all.filter(({ selector }) => selector === 'type').map(({ name }) => name);
  const issuable = names.find((name) => name === format);
  if (issuable === undefined) throw new Error(`${where}.format must be one of ${names.join(', ')}`);
  const types = isObject(definition) ? asList(definition.type).filter(isText) : [];
  if (types.length === 0) throw new Error(`${where}.credential_definition.type must list the credential's types`);
  return ofTypes({ id, format: issuable, types }, entry);
}
