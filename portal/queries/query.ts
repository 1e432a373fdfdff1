import { valueAt } from '../forms/pointers.ts';

/** The way to a claim; null is each element of a list. */
export type ClaimPath = readonly (string | number | null)[];

/** A credential that a DCQL query asks for (OpenID4VP 1.0 §6.1), as far as the form shows it. */
export interface AskedCredential {
  id: string;
  format: string;
  meta: unknown;
  claims?: readonly { path: ClaimPath }[];
}

/** How each format names a type in `meta`. */
const META = {
  'dc+sd-jwt': (type: string) => ({ vct_values: [type] }),
  mso_mdoc: (type: string) => ({ doctype_value: type }),
  jwt_vc_json: (type: string) => ({ type_values: [[type]] }),
} as const;

type AskedFormat = keyof typeof META;

/** The formats that the form asks for. */
export const ASKED_FORMATS = Object.keys(META) as AskedFormat[];

export const isAskedFormat = (format: string): format is AskedFormat => Object.hasOwn(META, format);

/** What a credential of this format and type is asked for by. */
export const metaOf = (format: string, type: string): object => (isAskedFormat(format) ? META[format](type) : {});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (value: unknown, name: string): unknown[] => {
  const list = valueAt(value, [name]);
  return Array.isArray(list) ? list : [];
};

/** The credentials that a query asks for. */
export const credentialsOf = (query: unknown): AskedCredential[] =>
  (listIn(query, 'credentials') as AskedCredential[]).filter((one) => isRecord(one) && typeof one.id === 'string');

/** The type that a credential is asked for by: the first that is named. */
export function typeOf({ meta }: Pick<AskedCredential, 'meta'>): string {
  const [names] = Object.values(isRecord(meta) ? meta : {});
  const [type] = [names].flat(3);
  return typeof type === 'string' ? type : '';
}

/** The claims that are asked for of a credential. */
export const claimsOf = ({ claims }: AskedCredential): ClaimPath[] =>
  (Array.isArray(claims) ? claims : []).flatMap((one) => (Array.isArray(one?.path) ? [one.path as ClaimPath] : []));

export const isSamePath = (one: ClaimPath, other: ClaimPath): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A credential of which a claim is asked for, or no longer; what the query says of the others stays. */
export function withClaim(credential: AskedCredential, path: ClaimPath, isOn: boolean): AskedCredential {
  const { claims = [], ...rest } = credential;
  const others = claims.filter((one) => !isSamePath(one.path, path));
  const changed = isOn ? [...others, { path }] : others;
  return changed.length === 0 ? rest : { ...rest, claims: changed };
}

/** Whether one of the credentials is enough. */
export const isAnyOf = (query: unknown): boolean => listIn(query, 'credential_sets').length > 0;

/** A query for these credentials: all of them, or one of them. */
export function withCredentials(query: unknown, credentials: readonly AskedCredential[], isAny = isAnyOf(query)) {
  const { credential_sets: _, ...rest } = isRecord(query) ? query : {};
  const options = credentials.map(({ id }) => [id]);
  return { ...rest, credentials, ...(isAny && credentials.length > 1 && { credential_sets: [{ options }] }) };
}

/** Another credential to ask for: of this type, or of one that is typed; with an id that no other one has. */
export function newCredential(
  others: readonly AskedCredential[],
  { format, type } = { format: 'dc+sd-jwt', type: '' },
): AskedCredential {
  const ids = ['card', ...others.map((_, at) => `card${at + 2}`)];
  const id = ids.find((one) => others.every((other) => other.id !== one)) ?? 'card';
  return { id, format, meta: metaOf(format, type) };
}
