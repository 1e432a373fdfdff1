import type { FormatFacts, TypeSelector } from '../../credentials/formats/facts.ts';
import type { CredentialFormats, SupportedFormat } from '../../credentials/formats/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { ALGORITHMS } from '../../jose/key-types.ts';
import { MDOC_ALGORITHMS } from '../../keys/cose-algorithms.ts';
import type { CredentialConfiguration, CredentialExample } from '../credential-configuration.ts';
import { readClaims } from './claim-descriptions.ts';

/** A configuration as the operator writes it, in the members of drafts 11 and 13 or of 1.0. */
interface WrittenConfiguration {
  id: string;
  entry: JsonObject;
}

/** Stands for the issuer's own URL of a type. */
const OWN_VCT = 'vctBaseUrl';

/** The default of `cryptographic_binding_methods_supported`. */
const BINDING: Readonly<Record<TypeSelector, string[]>> = {
  type: ['did:jwk', 'did:key', 'did:web', 'jwk'],
  vct: ['jwk'],
  doc_type: ['cose_key'],
};

/** Reads a whole configuration. @throws DomainError `BadRequest` naming the member that is wrong */
export function readEntry(
  { id, entry }: WrittenConfiguration,
  { formats, identifier }: { formats: CredentialFormats; identifier: string },
): CredentialConfiguration {
  const format = typeof entry.format === 'string' ? formats.supported(entry.format) : undefined;
  if (!format) throw invalidField(['format'], `must be one of ${formats.all.map(({ name }) => name).join(', ')}`);
  const { credential_metadata: described } = entry;
  const { display, claims } = { ...entry, ...(isObject(described) && described) };
  const { selector } = format;
  return {
    id,
    format: format.name,
    facts: format,
    types: selector === 'type' ? typesOf(entry) : [],
    type: selector === 'type' ? undefined : TYPES[selector]({ id, entry, format, identifier }),
    scope: isText(entry.scope) ? entry.scope : id,
    ...cryptography(entry, format),
    display: asList(display).filter(isObject),
    claims: [...readClaims(subjectOf(entry), ['credentialSubject']), ...readClaims(claims)],
    order: listOf(entry.order),
    typeMetadata: isObject(entry.sdJwtVcTypeMetadata) ? entry.sdJwtVcTypeMetadata : undefined,
    ...(isObject(entry.disclosure_policy) && { disclosurePolicy: entry.disclosure_policy }),
    example: isObject(entry.example) ? (entry.example as CredentialExample) : undefined,
  };
}

function cryptography(
  entry: JsonObject,
  { selector, signatures }: FormatFacts,
): Pick<CredentialConfiguration, 'bindingMethods' | 'algorithms' | 'proofTypes'> {
  const { cryptographic_binding_methods_supported: methods, proof_types_supported: proofs } = entry;
  const algorithms = entry.credential_signing_alg_values_supported ?? entry.cryptographic_suites_supported;
  return {
    bindingMethods: listOf<string>(methods) ?? BINDING[selector],
    algorithms: listOf<string | number>(algorithms) ?? [...(signatures === 'COSE' ? MDOC_ALGORITHMS : ALGORITHMS)],
    proofTypes: isObject(proofs) ? proofs : { jwt: { proof_signing_alg_values_supported: ALGORITHMS } },
  };
}

/** The types of a W3C credential. Draft 11 has them beside the format. */
function typesOf({ credential_definition: definition, types: beside }: JsonObject): string[] {
  const types = asList(isObject(definition) ? definition.type : beside).filter(isText);
  if (types.length === 0) throw invalidField(['credential_definition', 'type'], "must list the credential's types");
  return types;
}

const subjectOf = ({ credential_definition: definition, credentialSubject }: JsonObject): unknown =>
  isObject(definition) ? (definition.credentialSubject ?? credentialSubject) : credentialSubject;

interface NamedType extends WrittenConfiguration {
  format: SupportedFormat;
  identifier: string;
}

/** How a format with one type gets its name. */
const TYPES: Readonly<Record<Exclude<TypeSelector, 'type'>, (named: NamedType) => string>> = {
  vct: ({ id, entry: { vct = OWN_VCT }, format: { configurationSuffix: suffix }, identifier }) => {
    if (vct !== OWN_VCT) return String(vct);
    return `${identifier}/${encodeURIComponent(id.endsWith(suffix) ? id.slice(0, -suffix.length) : id)}`;
  },
  doc_type: ({ id, entry: { doctype = id } }) => String(doctype),
};

const listOf = <T = string>(value: unknown): T[] | undefined => (Array.isArray(value) ? (value as T[]) : undefined);
