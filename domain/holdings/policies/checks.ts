import type { ParsedCredential } from '../../../ports/credential-formats.ts';
import { at, catching, invalidField, replacing } from '../../foundation/errors.ts';
import { isSameJson, type JsonObject } from '../../foundation/json.ts';
import { compileDcql } from '../../presentation/dcql/matching.ts';
import { readDcqlQuery } from '../../presentation/dcql/query.ts';
import type { QueryPorts } from '../../presentation/matching/compiled-query.ts';

/** Whether a credential is one that a policy is about; the credential is judged by itself. */
export type CredentialCheck = (credential: ParsedCredential) => boolean;

/** The credentials that a policy is about, as its author writes it. */
export interface WrittenCheck {
  type: 'all' | 'basic' | 'dcql' | 'schema';
  format?: string;
  issuer?: string;
  subject?: string;
  claims_present?: string[];
  /** By paths. */
  claims_values?: JsonObject;
  dcql_query?: JsonObject;
  schema?: JsonObject | boolean;
  schemas?: (JsonObject | boolean)[];
}

/** How one type of check is read. */
interface CheckType {
  /** The members of it, `type` apart. */
  members: readonly string[];
  /** @throws DomainError `BadRequest` naming the member */
  compile(check: WrittenCheck, ports: QueryPorts): CredentialCheck | Promise<CredentialCheck>;
}

/** The types of checks; add a row to add one. */
const CHECKS: Readonly<Record<WrittenCheck['type'], CheckType>> = {
  all: { members: [], compile: () => () => true },
  basic: {
    members: ['format', 'issuer', 'subject', 'claims_present', 'claims_values'],
    compile: compileBasic,
  },
  dcql: { members: ['dcql_query'], compile: compileQuery },
  schema: { members: ['schema', 'schemas'], compile: compileSchemas },
};

/** Reads a check. @throws DomainError `BadRequest` naming the member that is wrong */
export async function compileCheck(check: WrittenCheck, ports: QueryPorts): Promise<CredentialCheck> {
  const { type, ...members } = check;
  const other = Object.keys(members).find((name) => !CHECKS[type].members.includes(name));
  if (other !== undefined) throw invalidField([other], `is not for checks of the type ${type}`);
  return CHECKS[type].compile(check, ports);
}

/** Every condition that is stated must hold. */
function compileBasic(check: WrittenCheck, ports: QueryPorts): CredentialCheck {
  const { format, issuer, subject, claims_present: present = [], claims_values: values = {} } = check;
  const conditions: CredentialCheck[] = [
    ...(format === undefined ? [] : [isOfFormat(format, ports)]),
    ...(issuer === undefined ? [] : [(one: ParsedCredential) => one.issuer.id === issuer]),
    ...(subject === undefined ? [] : [(one: ParsedCredential) => one.subject === subject]),
    ...present.map((path, index) => {
      const find = at(['claims_present', index], () => compilePath(path, ports));
      return ({ document }: ParsedCredential) => find(document).length > 0;
    }),
    ...Object.entries(values).map(([path, value]) => {
      const find = at(['claims_values', path], () => compilePath(path, ports));
      return ({ document }: ParsedCredential) => find(document).some((found) => isSameJson(found, value));
    }),
  ];
  if (conditions.length === 0) throw invalidField([], 'states no condition; a check of the type all has none');
  return (credential) => conditions.every((condition) => condition(credential));
}

function isOfFormat(name: string, { formats }: QueryPorts): CredentialCheck {
  const known = formats.known(name);
  if (!known) throw invalidField(['format'], 'must be the name of a credential format');
  return ({ format }) => format === known.name;
}

/** A JSONPath (RFC 9535), or the names of members with dots between them. */
function compilePath(path: string, { paths }: QueryPorts): (document: unknown) => unknown[] {
  const names = path.split('.').map((name) => `[${JSON.stringify(name)}]`);
  return catching(asField, () => paths.compile(path.startsWith('$') ? path : `$${names.join('')}`));
}

/** A credential that satisfies any of the credential queries; conditions between credentials have no meaning here. */
function compileQuery({ dcql_query: written }: WrittenCheck, { formats }: QueryPorts): CredentialCheck {
  return at(['dcql_query'], () => {
    const query = readDcqlQuery(written, formats);
    if (query.credentialSets.length > 0) throw invalidField(['credential_sets'], 'is not for single credentials');
    const { queryIds, accepts } = compileDcql(query, { formats });
    return (credential) => queryIds.some((id) => accepts(id, credential));
  });
}

/** A credential that is valid against the schema, or against every one of the list. */
async function compileSchemas({ schema, schemas }: WrittenCheck, ports: QueryPorts): Promise<CredentialCheck> {
  if ((schema === undefined) === (schemas === undefined))
    throw invalidField(['schema'], 'exactly one of schema and schemas is required');
  const listed = schemas?.map((one, index) => at(['schemas', index], () => compileSchema(one, ports)));
  const checks = await Promise.all(listed ?? [at(['schema'], () => compileSchema(schema, ports))]);
  return ({ document }) => checks.every((violations) => violations(document).length === 0);
}

const compileSchema = (schema: unknown, { schemas }: QueryPorts) => schemas.compile(schema).catch(asField);

/** What paths and schemas refuse names no field. */
const asField = replacing('BadRequest', ({ message }) => invalidField([], message));
