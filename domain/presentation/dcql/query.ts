import type { FormatFacts } from '../../credentials/formats/facts.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { checkDocumentSize } from '../../network/document-bounds.ts';
import type { TrustedAuthority } from '../matching/compiled-query.ts';
import { type ClaimsPath, readClaimsPath } from './claims-path.ts';
import { type CredentialSet, readCredentialSets } from './credential-sets.ts';
import { idsIn, readId, readList } from './lists.ts';
import { type Meta, readMeta } from './meta.ts';
import { readTrustedAuthorities } from './trusted-authorities.ts';

/** One claim of a credential query (OpenID4VP 1.0 §6.3). */
export interface ClaimQuery {
  id?: string;
  path: ClaimsPath;
  /** One of them must be the value of an element that the path selects. */
  values?: (string | number | boolean)[];
}

/** What one requested credential must satisfy (OpenID4VP 1.0 §6.1). */
export interface CredentialQuery {
  id: string;
  format: string;
  /** Whether several credentials may be presented for it. */
  multiple: boolean;
  /** Whether the holder must sign the presentation. */
  holderBinding: boolean;
  meta: Meta;
  /** The issuer must be below one of them. */
  trustedAuthorities?: TrustedAuthority[];
  claims: ClaimQuery[];
  /** Combinations of claims by their ids, in the verifier's order of preference; without any, every claim is asked for. */
  claimSets: string[][];
}

/** A query in the Digital Credentials Query Language (OpenID4VP 1.0 §6). */
export interface DcqlQuery {
  credentials: CredentialQuery[];
  credentialSets: CredentialSet[];
}

const MAX_CREDENTIALS = 64;
const MAX_CLAIMS = 256;
const MAX_VALUES = 64;
const MAX_CLAIM_SETS = 64;

/**
 * Reads a `dcql_query`. Members that the specification does not define are ignored, as it demands; every other member
 * must be as it says. @throws DomainError `BadRequest` naming the part that is malformed or not supported
 */
export function readDcqlQuery(value: unknown, formats: CredentialFormats): DcqlQuery {
  if (!isObject(value)) throw invalidField([], 'must be a DCQL query object');
  checkDocumentSize('presentation-definition', JSON.stringify(value));
  const listed = at(['credentials'], () => readList(value.credentials, MAX_CREDENTIALS));
  const credentials = listed.map((item, index) => at(['credentials', index], () => readCredential(item, formats)));
  const ids = at(['credentials'], () => idsIn(credentials));
  if (credentials.reduce((sum, { claims }) => sum + claims.length, 0) > MAX_CLAIMS)
    throw invalidField(['credentials'], `may ask for at most ${MAX_CLAIMS} claims`);
  const credentialSets = at(['credential_sets'], () => readCredentialSets(value.credential_sets, ids));
  return { credentials, credentialSets };
}

function readCredential(value: unknown, formats: CredentialFormats): CredentialQuery {
  if (!isObject(value)) throw invalidField([], 'must be a credential query object');
  const { format, meta, trusted_authorities: authorities } = value;
  const id = at(['id'], () => readId(value.id));
  if (!isText(format)) throw invalidField(['format'], 'must be the name of a format');
  const claims = at(['claims'], () => readClaims(value.claims, formats.supported(format)));
  return {
    id,
    format,
    multiple: readFlag(value, 'multiple', false),
    holderBinding: readFlag(value, 'require_cryptographic_holder_binding', true),
    meta: at(['meta'], () => readMeta(meta, formats.known(format)?.selector)),
    ...(authorities !== undefined && {
      trustedAuthorities: at(['trusted_authorities'], () => readTrustedAuthorities(authorities)),
    }),
    claims,
    claimSets: at(['claim_sets'], () => readClaimSets(value.claim_sets, claims)),
  };
}

function readFlag(value: JsonObject, name: string, standard: boolean): boolean {
  const { [name]: flag = standard } = value;
  if (typeof flag !== 'boolean') throw invalidField([name], 'must be a boolean');
  return flag;
}

function readClaims(value: unknown, format: FormatFacts | undefined): ClaimQuery[] {
  if (value === undefined) return [];
  const claims = readList(value, MAX_CLAIMS).map((item, index) => at([index], () => readClaim(item, format)));
  idsIn(claims.flatMap(({ id }) => (id === undefined ? [] : { id })));
  return claims;
}

function readClaim(value: unknown, format: FormatFacts | undefined): ClaimQuery {
  if (!isObject(value)) throw invalidField([], 'must be a claims query object');
  const { id, values } = value;
  return {
    ...(id !== undefined && { id: at(['id'], () => readId(id)) }),
    path: at(['path'], () => readClaimsPath(value.path, format)),
    ...(values !== undefined && { values: at(['values'], () => readList(values, MAX_VALUES).map(readValue)) }),
  };
}

function readValue(value: unknown, index: number): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value))
    return value as string | number | boolean;
  throw invalidField([index], 'must be a string, an integer or a boolean');
}

function readClaimSets(value: unknown, claims: ClaimQuery[]): string[][] {
  if (value === undefined) return [];
  if (claims.length === 0) throw invalidField([], 'needs claims');
  if (claims.some(({ id }) => id === undefined)) throw invalidField([], 'needs an id for every claim');
  const known = new Set(claims.flatMap(({ id = '' }) => id));
  return readList(value, MAX_CLAIM_SETS).map((set, index) =>
    at([index], () => {
      const ids = readList(set, MAX_CLAIMS).map((id, place) => at([place], () => readId(id)));
      const unknown = ids.findIndex((id) => !known.has(id));
      if (unknown >= 0) throw invalidField([unknown], 'is the id of no claim');
      return ids;
    }),
  );
}
