import type { PublicJwk } from '../../ports/key-service.ts';
import { equalInConstantTime, fingerprint } from '../foundation/bytes.ts';
import { badRequest, type DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { type ParsedJws, parseJws } from '../jose/jws.ts';
import { numericDate, timeProblems } from '../jose/jwt-claims.ts';
import { FAPI_ALGORITHMS } from '../jose/key-types.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';
import { isCallableUrl } from '../network/urls.ts';

/** Constants of RFC 9449. */
export const DPOP = { PROOF_TYPE: 'dpop+jwt', SCHEME: 'DPoP' } as const;

/** How far the clock of a client may be ahead, and how old a proof may be, in milliseconds. */
const SKEW_MS = 60_000;
const MAX_AGE_MS = 300_000;
const MAX_PROOF_LENGTH = 8192;
const MAX_JTI_LENGTH = 512;

/** The request that a proof comes with. */
export interface ProvenRequest {
  method: string;
  /** The published URL of the endpoint. */
  url: string;
  /** At a protected resource: the access token that the proof comes with. */
  accessToken?: string;
}

/** A proof whose claims fit the request; its signature, nonce and first use are not checked. */
interface DpopProof {
  jws: ParsedJws;
  jwk: PublicJwk;
  jti: string;
  nonce: string | undefined;
  /** When it is refused for its age in any case, in milliseconds since the epoch. */
  acceptableUntil: number;
}

/** The error about a proof that is not acceptable. */
export const refusedProof = (why: string): DomainError => badRequest(`The DPoP proof: ${why}`);

/** Reads a proof and checks its claims in the order of RFC 9449 §4.3. @throws DomainError `BadRequest` */
export function readDpopProof(text: string, request: ProvenRequest, now: number): DpopProof {
  if (text.length > MAX_PROOF_LENGTH) throw refusedProof(`may have at most ${MAX_PROOF_LENGTH} characters`);
  const jws = parseJws(text, 'The DPoP proof');
  if (jws.header.typ !== DPOP.PROOF_TYPE) throw refusedProof(`the typ must be ${DPOP.PROOF_TYPE}`);
  if (!FAPI_ALGORITHMS.includes(String(jws.header.alg)))
    throw refusedProof(`the alg must be one of ${FAPI_ALGORITHMS.join(', ')}`);
  const jwk = readKey(jws.header.jwk);
  const { jti, nonce } = jws.payload;
  if (!isText(jti) || jti.length > MAX_JTI_LENGTH)
    throw refusedProof(`a jti of 1 to ${MAX_JTI_LENGTH} characters is required`);
  if (nonce !== undefined && !isText(nonce)) throw refusedProof('the nonce must be a text');
  checkTarget(jws.payload, request);
  checkTimes(jws.payload, now);
  checkToken(jws.payload, request);
  const acceptableUntil = (numericDate(jws.payload.iat) ?? now) + MAX_AGE_MS + SKEW_MS;
  return { jws, jwk, jti, nonce, acceptableUntil };
}

function readKey(jwk: unknown): PublicJwk {
  if (!isObject(jwk)) throw refusedProof('the header needs a jwk');
  return readVerificationKey(jwk);
}

function checkTarget({ htm, htu }: JsonObject, { method, url }: ProvenRequest): void {
  if (htm !== method) throw refusedProof(`the htm must be ${method}`);
  const target = normalizedTarget(htu);
  if (target === undefined || target !== normalizedTarget(url)) throw refusedProof(`the htu must be ${url}`);
}

function checkTimes(claims: JsonObject, now: number): void {
  const problems = timeProblems(claims, { now, skewMs: SKEW_MS, maxAgeMs: MAX_AGE_MS, required: ['iat'] });
  if (problems.iat === 'too-old') throw refusedProof(`the iat is more than ${MAX_AGE_MS / 1000} seconds ago`);
  if (problems.iat) throw refusedProof('the iat is missing, malformed or in the future');
  if (problems.exp) throw refusedProof('the exp has passed');
  if (problems.nbf) throw refusedProof('the nbf is not reached');
}

function checkToken({ ath }: JsonObject, { accessToken }: ProvenRequest): void {
  if (accessToken === undefined) return;
  if (!isText(ath) || !equalInConstantTime(ath, fingerprint(accessToken)))
    throw refusedProof('the ath must be the digest of the access token');
}

const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * An http(s) URL for comparison (RFC 9449 §4.3): without query and fragment, after the syntax-based and scheme-based
 * normalization of RFC 3986 §6.2. Undefined for any other value.
 */
export function normalizedTarget(value: unknown): string | undefined {
  if (!isCallableUrl(value)) return undefined;
  const url = new URL(value);
  const path = url.pathname.replaceAll(/%[0-9A-Fa-f]{2}/g, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(character) ? character : octet.toUpperCase();
  });
  return `${url.origin}${path}`;
}
