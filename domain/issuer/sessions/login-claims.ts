import { at, invalidField, oauthError } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';

/**
 * A claim of a login or of another source, and the member of the data of a credential that it becomes; both by the names
 * on the way to them. One that becomes no member (`to` is empty) names the person.
 */
export interface LoginClaim {
  from: string[];
  to: string[];
}

/** The value of a claim, and the member that it becomes. */
export interface LoginValue extends Pick<LoginClaim, 'to'> {
  value: unknown;
}

/** `.name` or `['name']` (RFC 9535 §2.3.1). */
const STEP = /\.?\['([^']+)'\]|\.([A-Za-z0-9_-]+)/y;

/** Reads which claims of a login become which members of `data`. @throws DomainError `BadRequest` naming the claim that is wrong */
export function readLoginClaims(written: Readonly<Record<string, string>>, data: JsonObject): LoginClaim[] {
  return Object.entries(written).map(([claim, member]) =>
    at([claim], () => {
      const to = namesIn(member);
      if (to.slice(0, -1).reduce<unknown>(memberOr, data) === undefined)
        throw invalidField([], 'the data of the credential has a value on the way there that is not an object');
      return { from: claim.startsWith('$') ? namesIn(claim) : [claim], to };
    }),
  );
}

function namesIn(path: string): string[] {
  const names: string[] = [];
  for (let index = 1; path.startsWith('$') && index < path.length; index = STEP.lastIndex) {
    STEP.lastIndex = index;
    const [, quoted, plain = quoted] = STEP.exec(path) ?? [];
    if (plain === undefined) break;
    names.push(plain);
    if (STEP.lastIndex === path.length) return names;
  }
  throw invalidField([], `"${path.slice(0, 100)}" must be a path of names such as $.credentialSubject.givenName`);
}

/** An object on the way, a new one where there is none; undefined for anything else. */
function memberOr(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  return Object.hasOwn(value, name) ? (isObject(value[name]) ? value[name] : undefined) : {};
}

/** The values of the claims. @throws DomainError `server_error` naming a claim that the login server did not state */
export const loginValues = (wanted: readonly LoginClaim[], claims: JsonObject): LoginValue[] =>
  wanted.map(({ from, to }) => {
    const value = claimAt(from, claims);
    if (value !== undefined) return { to, value };
    throw oauthError('server_error', `The login server did not state the claim ${from.join('.')}`);
  });

/** The value of a claim; undefined where there is none. */
export const claimAt = (from: LoginClaim['from'], claims: JsonObject): unknown =>
  from.reduce<unknown>(
    (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    claims,
  );

/** The claim of a login that names the person. */
export const keyClaimOf = (claim: string): LoginClaim => ({ from: [claim], to: [] });

/** What names the person by the values of a login. */
export function keyOfLogin(values: readonly LoginValue[] = []): string | undefined {
  const value = values.find(({ to }) => to.length === 0)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The data with the values. Built from entries, so that no name can reach a prototype. */
export const withLoginValues = (data: JsonObject, values: readonly LoginValue[] = []): JsonObject =>
  values.reduce((changed, { to, value }) => (to.length === 0 ? changed : withMember(changed, to, value)), data);

function withMember(data: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = Object.hasOwn(data, name) && isObject(data[name]) ? data[name] : {};
  const others = Object.entries(data).filter(([other]) => other !== name);
  return Object.fromEntries([...others, [name, rest.length === 0 ? value : withMember(inner, rest, value)]]);
}
