import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { DomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { type ClaimsPath, readClaimsPath } from './claims-path.ts';
import { type Meta, readMeta } from './meta.ts';
import type { ClaimQuery, CredentialQuery, DcqlQuery } from './query.ts';

/** A claim that a party is registered to ask for; with `values`, for these alone. */
interface RegisteredClaim {
  path: ClaimsPath;
  values?: readonly unknown[];
}

/** A credential that a party is registered to ask for (ETSI TS 119 475 table 9, annex B.2.9). */
interface RegisteredCredential {
  format: string;
  /** Alternatives, each of all its names. */
  types: readonly (readonly string[])[];
  claims: readonly RegisteredClaim[];
}

/** What a query asks for beyond a registration: a credential, or one claim of it. */
export interface Surplus {
  /** The credential query by its place and its id. */
  index: number;
  id: string;
  format: string;
  /** The most specific type of each alternative; none when the query accepts every type. */
  types: string[];
  /** The claim by its place in the query; absent when the credential is not registered. */
  claim?: { index: number; path: ClaimsPath };
}

/** Bounds of one certificate; what is beyond them is not registered. */
const MAX_CREDENTIALS = 256;
const MAX_CLAIMS = 1024;

/**
 * Reads the `credentials` of a registration certificate. The member for claims is `claim` in V1.2.1, and `claims` in its
 * anticipated correction. What cannot be read, or names no type, registers nothing.
 */
export const readRegistered = (value: unknown, formats: CredentialFormats): RegisteredCredential[] =>
  asList(value)
    .slice(0, MAX_CREDENTIALS)
    .flatMap((item) => (isObject(item) ? orNone(() => readCredential(item, formats)) : []));

function readCredential({ format, meta, ...item }: JsonObject, formats: CredentialFormats): RegisteredCredential[] {
  const types = isText(format) ? typesOf(readMeta(meta, formats.known(format)?.selector)) : [];
  const { claim, claims = claim } = item;
  if (!isText(format) || types.length === 0) return [];
  const read = (claims === undefined ? [] : asList(claims))
    .slice(0, MAX_CLAIMS)
    .flatMap((one) => (isObject(one) ? orNone(() => [readClaim(one)]) : []));
  return [{ format, types, claims: read }];
}

const readClaim = ({ path, values }: JsonObject): RegisteredClaim => ({
  path: readClaimsPath(path, undefined),
  ...(values !== undefined && { values: asList(values) }),
});

function orNone<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/**
 * What a query asks for beyond a registration. Every credential query counts, that of an optional set too, and of a query
 * every claim that it lists, whether a claim set names it or not. Each type that a query accepts must be registered, so a
 * query for every type never is. A query without claims asks for nothing that could be withheld (OpenID4VP 1.0 §6.4.1), and
 * an entry without claims registers nothing of that kind.
 */
export const surplusOf = (
  { credentials }: Pick<DcqlQuery, 'credentials'>,
  registered: readonly RegisteredCredential[],
): Surplus[] => credentials.flatMap((query, index) => surplusOfCredential(query, index, registered));

function surplusOfCredential(
  { id, format, claims, meta }: CredentialQuery,
  index: number,
  registered: readonly RegisteredCredential[],
): Surplus[] {
  const accepted = typesOf(meta);
  const named = { index, id, format, types: accepted.flatMap((types) => types.at(-1) ?? []) };
  /** The entries for each type that is accepted. */
  const entries = accepted.map((types) =>
    registered.filter((one) => one.format === format && one.types.some((names) => isWithin(names, types))),
  );
  if (entries.length === 0 || entries.some(({ length }) => length === 0)) return [named];
  const isRegistered = (claim: ClaimQuery): boolean =>
    entries.every((of) =>
      covers(
        of.flatMap((one) => one.claims),
        claim,
      ),
    );
  return claims.flatMap((claim, place) =>
    isRegistered(claim) ? [] : [{ ...named, claim: { index: place, path: claim.path } }],
  );
}

/** A credential of all these types is one of each of those. */
const isWithin = (names: readonly string[], types: readonly string[]): boolean =>
  names.length > 0 && names.every((name) => types.includes(name));

/** Alternatives of types; none for every type. */
function typesOf(meta: Meta): string[][] {
  if ('vctValues' in meta) return meta.vctValues.map((type) => [type]);
  if ('doctypeValue' in meta) return [[meta.doctypeValue]];
  return meta.typeValues ?? [];
}

/** Whether some of the claims select every element that a query selects in any document, with its values. */
function covers(registered: readonly RegisteredClaim[], { path, values: asked }: ClaimQuery): boolean {
  const values: readonly unknown[] = asked ?? [undefined];
  const outer = registered.filter((one) => leadsTo(one.path, path));
  return values.every((value) =>
    outer.some((one) => !one.values || (one.path.length === path.length && one.values.includes(value))),
  );
}

/** Whether one path selects every element that another does, or a list or an object that has it as a part. */
const leadsTo = (outer: ClaimsPath, path: ClaimsPath): boolean =>
  outer.every((part, place) => part === path[place] || (part === null && typeof path[place] === 'number'));
