import { fromBase64 } from '../foundation/bytes.ts';
import { DomainError, fieldErrors, invalidField } from '../foundation/errors.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { type ParsedJws, parseJws } from '../jose/jws.ts';
import { timeProblems } from '../jose/jwt-claims.ts';
import { otherType } from '../jose/token-types.ts';

/** A well-formed login token with the certificate chain of its header (DER, leaf first). */
interface X5cToken {
  jws: ParsedJws;
  chain: Uint8Array[];
}

const MAX_CERTIFICATES = 10;
/** Header members that name a key in another way than `x5c`, and could name another key. */
const OTHER_KEYS = ['jwk', 'jku', 'x5u'];
const SKEW_MS = 60_000;

/** The failure of a malformed login token. */
export const malformed = (message: string): DomainError => invalidField(['token'], message);

/** The failure of a well-formed token that is not accepted. */
export const rejected = (message: string): DomainError =>
  fieldErrors([{ path: ['token'], message }], { code: 'TokenRejected' });

/**
 * Parses a login token: compact JWS, then `alg`, then `x5c` (RFC 7515 §4.1.6).
 * @throws DomainError `BadRequest` for a malformed token, `TokenRejected` for another `alg` than RS256
 */
export function parseX5cToken(text: string): X5cToken {
  const jws = parse(text);
  const { header } = jws;
  const otherKind = otherType(header.typ, 'login-token');
  if (otherKind !== undefined) throw malformed(`the header member typ is that of another kind of token: ${otherKind}`);
  if (header.alg !== 'RS256') throw rejected('the header member alg must be RS256');
  const other = OTHER_KEYS.find((name) => name in header);
  if (other !== undefined) throw malformed(`the header member ${other} is not allowed beside x5c`);
  return { jws, chain: readChain(header.x5c) };
}

function parse(text: string): ParsedJws {
  try {
    return parseJws(text, 'the token');
  } catch (cause) {
    throw malformed(cause instanceof DomainError ? cause.message : 'the token cannot be read');
  }
}

function readChain(x5c: unknown): Uint8Array[] {
  if (!Array.isArray(x5c) || x5c.length < 1 || x5c.length > MAX_CERTIFICATES)
    throw malformed(`the header member x5c must be a list of 1 to ${MAX_CERTIFICATES} certificates`);
  return x5c.map((entry: unknown, index) => {
    const der = isText(entry) ? fromBase64(entry) : undefined;
    if (!der) throw malformed(`the header member x5c[${index}] is not standard base64`);
    return der;
  });
}

/** The claims that matter for replay; every one is optional (RFC 7519 §4.1). */
export interface X5cClaims {
  exp?: number;
  jti?: string;
  nonce?: string;
}

/**
 * Checks the claims that are present, with 60 seconds of clock skew.
 * @throws DomainError `BadRequest` for a claim of the wrong type, `TokenRejected` for one that is not met
 */
export function checkClaims(payload: JsonObject, { now, audiences }: { now: number; audiences: string[] }): X5cClaims {
  const problems = timeProblems(payload, { now, skewMs: SKEW_MS });
  for (const [name, problem] of Object.entries(problems))
    if (problem === 'malformed') throw malformed(`the claim ${name} must be a number of seconds`);
  if (problems.iat) throw rejected('the claim iat lies in the future');
  if (problems.nbf) throw rejected('the claim nbf lies in the future');
  if (problems.exp) throw rejected('the token has expired');
  checkAudience(payload.aud, audiences);
  const exp = payload.exp as number | undefined;
  return { exp, jti: text(payload, 'jti'), nonce: text(payload, 'nonce') };
}

/** The time (ms since the epoch) after which a token with these claims is rejected in any case. */
export const acceptableUntil = ({ exp }: X5cClaims, notAfter: number): number =>
  Math.min(exp === undefined ? notAfter : Math.ceil(exp * 1000), notAfter) + SKEW_MS;

function text(payload: JsonObject, name: string): string | undefined {
  const value = payload[name];
  if (value === undefined || isText(value)) return value;
  throw malformed(`the claim ${name} must be a text`);
}

function checkAudience(aud: unknown, audiences: string[]): void {
  if (aud === undefined) return;
  const named = Array.isArray(aud) ? aud : [aud];
  if (!named.every((value) => typeof value === 'string'))
    throw malformed('the claim aud must be a text or a list of texts');
  if (!named.some((value) => audiences.includes(value))) throw rejected('the claim aud does not name this service');
}

/** The values of `aud` that name this service. */
export const audiencesOf = (publicUrl: string): string[] => {
  const login = `${publicUrl}/wallet-api/auth`;
  return [publicUrl, `${publicUrl}/`, `${publicUrl}/wallet-api`].concat(
    ['/x5c/register', '/x5c/login', '/register', '/login'].map((path) => login + path),
  );
};

/** Whether the token can be replayed: it has neither `exp` nor `jti` nor `nonce`. */
export const isReplayable = ({ exp, jti, nonce }: X5cClaims): boolean =>
  exp === undefined && jti === undefined && nonce === undefined;
