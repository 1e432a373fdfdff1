import { isObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import type { LoginProfile, SignInClient } from './sign-in-server.ts';

/** What a client asks for, of its authorization request (OpenID Connect Core §3.1.2.1). */
interface AskedLogin {
  scope?: string;
  acrValues?: string;
  /** JSON. */
  claims?: string;
}

const words = (text: string | undefined): string[] => text?.split(' ').filter(Boolean) ?? [];

/** The claims that a request names, of ID token and userinfo. */
function claimsOf(text: string | undefined): string[] {
  const asked: unknown = text === undefined ? undefined : parseJson(text);
  return isObject(asked) ? Object.values(asked).flatMap((part) => (isObject(part) ? Object.keys(part) : [])) : [];
}

/**
 * The profile of a sign-in, one of the client's: the first that `acr_values` names, in their order; else the first that
 * is a scope of the request; else the first that has all claims of the request; else the client's first.
 * @throws DomainError `BadRequest` for claims with duplicate members, which a library may have taken
 */
export function chooseProfile({ profiles }: SignInClient, asked: AskedLogin): LoginProfile {
  const scopes = words(asked.scope);
  const claims = claimsOf(asked.claims).filter((name) => profiles.some((one) => Object.hasOwn(one.claims, name)));
  const byAcr = words(asked.acrValues).flatMap((acr) => profiles.filter((one) => one.acr === acr));
  const byClaims =
    claims.length > 0 ? profiles.filter((one) => claims.every((name) => Object.hasOwn(one.claims, name))) : [];
  const [profile] = [...byAcr, ...profiles.filter(({ id }) => scopes.includes(id)), ...byClaims, ...profiles];
  if (!profile) throw new Error('A client has no profile');
  return profile;
}
