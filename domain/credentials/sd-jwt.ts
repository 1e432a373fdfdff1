import type { CredentialToPresent } from '../../ports/credential-formats.ts';
import { fingerprint, fromBase64url, fromUtf8 } from '../foundation/bytes.ts';
import { badRequest, DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { type ParsedJws, parseJws } from '../jose/jws.ts';
import { type AlwaysDisclosed, hiddenByDigests, hiddenByDisclosure } from './always-disclosed.ts';
import { type ClaimPath, isWithin } from './disclosure.ts';

/** The largest SD-JWT that is parsed: characters of the text, disclosures, digests with decoys, and depth of the claims. */
export const SD_JWT_BOUNDS = { characters: 512 * 1024, disclosures: 512, digests: 4096, depth: 64 } as const;

/** The names of RFC 9901 §4; no claim has one of them. */
export const SD_JWT_NAMES: ReadonlySet<string> = new Set(['_sd', '_sd_alg', '...']);

/** The `_sd_alg` of our SD-JWTs, the only one that is read (RFC 9901 §4.1.1). */
export const SD_ALG = 'sha-256';

/** Claims with their disclosures in place. */
interface DisclosedClaims {
  /** The processed payload (RFC 9901 §7.1): without digests and `_sd_alg`. */
  claims: JsonObject;
  /** The claims that came as disclosures; within one of them there may be others. */
  withholdable: ClaimPath[];
  /** Where these claims stand, by the digests of their disclosures. */
  places: ReadonlyMap<string, ClaimPath>;
}

/** A parsed SD-JWT; its signature is unverified. */
export interface ParsedSdJwt extends ParsedJws, DisclosedClaims {}

/** What an SD-JWT must satisfy beside its form. */
export interface SdJwtRules {
  /** The beginning of messages. */
  name: string;
  /** Claims of the payload that are no disclosures, and that have no digests at any depth, of shown and withheld claims. */
  alwaysDisclosed: AlwaysDisclosed;
}

/** A payload with digests, and encoded disclosures. */
export interface PackedClaims {
  payload: JsonObject;
  disclosures: readonly string[];
}

/** Whether a text has the outer form of an SD-JWT. */
export const isSdJwt = (text: string): boolean => text.includes('~');

/**
 * Parses an SD-JWT without key binding (RFC 9901 §4): an issuer-signed JWT, its disclosures and a final `~`. Each has
 * one accepted text. @throws DomainError `BadRequest`; its message begins with `name`
 */
export function parseSdJwt(text: string, rules: SdJwtRules): ParsedSdJwt {
  const { name } = rules;
  const { characters, disclosures: most } = SD_JWT_BOUNDS;
  if (text.length > characters) throw badRequest(`${name} may have at most ${characters} characters`);
  const [token = '', ...disclosures] = text.split('~');
  const last = disclosures.pop();
  if (last === undefined) throw badRequest(`${name} is not an SD-JWT: it does not end with ~`);
  if (last !== '') throw badRequest(`${name} ends with a key binding; a credential is not a presentation`);
  if (disclosures.length > most) throw badRequest(`${name} may have at most ${most} disclosures`);
  const jws = parseJws(token, name);
  return { ...jws, ...discloseClaims({ payload: jws.payload, disclosures }, rules) };
}

/** An SD-JWT, and the JWT behind it that proves possession of the holder's key, if there is one (RFC 9901 §4.3). */
export function splitKeyBinding(text: string): { sdJwt: string; keyBinding: string | undefined } {
  const end = text.lastIndexOf('~') + 1;
  return { sdJwt: text.slice(0, end), keyBinding: end < text.length ? text.slice(end) : undefined };
}

/**
 * An SD-JWT that shows the claims at these paths, with everything below them and all that they are within; every claim
 * without paths. @throws DomainError `BadRequest` as `parseSdJwt`
 */
export function showOnly(text: string, shown: CredentialToPresent['disclosed'], rules: SdJwtRules): string {
  if (!shown) return text;
  const { places } = parseSdJwt(text, rules);
  const [token, ...disclosures] = text.split('~').slice(0, -1);
  const isShown = (place: ClaimPath): boolean => shown.some((path) => isWithin(path, place) || isWithin(place, path));
  return [token, ...disclosures.filter((one) => isShown(places.get(fingerprint(one)) ?? [])), ''].join('~');
}

/**
 * Puts disclosures in their places (RFC 9901 §7.1). Every disclosure is referenced exactly once, no digest stands
 * twice, and no disclosure replaces a member. @throws DomainError `BadRequest`; its message begins with `name`
 */
export function discloseClaims(
  { payload, disclosures }: PackedClaims,
  { name, alwaysDisclosed }: SdJwtRules,
): DisclosedClaims {
  const { _sd_alg: algorithm = SD_ALG, ...packed } = payload;
  if (algorithm !== SD_ALG) throw badRequest(`${name}: the only supported _sd_alg is ${SD_ALG}`);
  try {
    const reading = new Disclosing(disclosures, alwaysDisclosed);
    const claims = reading.object(packed, []);
    reading.requireAllUsed();
    const { places } = reading;
    return { claims, withholdable: [...places.values()], places };
  } catch (cause) {
    throw cause instanceof DomainError ? new DomainError('BadRequest', `${name}: ${cause.message}`, { cause }) : cause;
  }
}

/** A decoded disclosure: of a member when it has a name, else of a list element. */
interface Disclosure {
  salt: string;
  name?: string;
  value: unknown;
}

/** One pass over a payload. */
class Disclosing {
  readonly places = new Map<string, ClaimPath>();
  readonly #unused: Map<string, Disclosure>;
  readonly #digests = new Set<string>();

  constructor(
    disclosures: readonly string[],
    private readonly alwaysDisclosed: AlwaysDisclosed,
  ) {
    this.#unused = new Map(disclosures.map((text) => [fingerprint(text), parseDisclosure(text)]));
    if (this.#unused.size < disclosures.length) throw badRequest('a disclosure stands twice');
  }

  requireAllUsed(): void {
    if (this.#unused.size > 0) throw badRequest('a disclosure is not referenced');
  }

  object({ _sd: digests, ...plain }: JsonObject, path: ClaimPath): JsonObject {
    const members = new Map<string, unknown>();
    for (const [name, value] of Object.entries(plain)) {
      if (SD_JWT_NAMES.has(name)) throw badRequest(`${name} stands where it means nothing`);
      members.set(name, this.#value(value, [...path, name]));
    }
    for (const digest of this.#digestsOf(digests, path)) {
      const { name, value } = this.#take(digest) ?? {};
      if (name === undefined) {
        if (value !== undefined) throw badRequest('the disclosure of a list element is referenced as a member');
        continue;
      }
      if (members.has(name)) throw badRequest(`the member ${name.slice(0, 64)} has two values`);
      members.set(name, this.#disclosed(value, [...path, name], digest));
    }
    return Object.fromEntries(members);
  }

  #digestsOf(digests: unknown, path: ClaimPath): unknown[] {
    if (digests === undefined) return [];
    if (!Array.isArray(digests)) throw badRequest('_sd is not a list');
    refuseHidden(hiddenByDigests(path, this.alwaysDisclosed));
    return digests;
  }

  #list(items: readonly unknown[], path: ClaimPath): unknown[] {
    const shown: unknown[] = [];
    for (const item of items) {
      const here = [...path, shown.length];
      if (!isObject(item) || !Object.hasOwn(item, '...')) {
        shown.push(this.#value(item, here));
        continue;
      }
      if (Object.keys(item).length > 1) throw badRequest('a digest of a list element has members beside it');
      refuseHidden(hiddenByDigests(path, this.alwaysDisclosed));
      const found = this.#take(item['...']);
      if (found?.name !== undefined) throw badRequest('the disclosure of a member is referenced as a list element');
      if (found) shown.push(this.#disclosed(found.value, here, item['...']));
    }
    return shown;
  }

  #disclosed(value: unknown, path: ClaimPath, digest: unknown): unknown {
    refuseHidden(hiddenByDisclosure(path, this.alwaysDisclosed));
    this.places.set(String(digest), path);
    return this.#value(value, path);
  }

  #value(value: unknown, path: ClaimPath): unknown {
    if (path.length > SD_JWT_BOUNDS.depth)
      throw badRequest(`claims may not be nested deeper than ${SD_JWT_BOUNDS.depth}`);
    if (Array.isArray(value)) return this.#list(value, path);
    return isObject(value) ? this.object(value, path) : value;
  }

  /** The disclosure of a digest; undefined for a decoy and for a claim that was withheld. */
  #take(digest: unknown): Disclosure | undefined {
    if (!isText(digest)) throw badRequest('a digest is not a text');
    if (this.#digests.has(digest)) throw badRequest('a digest stands twice');
    if (this.#digests.size === SD_JWT_BOUNDS.digests)
      throw badRequest(`there may be at most ${SD_JWT_BOUNDS.digests} digests`);
    this.#digests.add(digest);
    const found = this.#unused.get(digest);
    this.#unused.delete(digest);
    return found;
  }
}

function refuseHidden(claim: string | undefined): void {
  if (claim !== undefined) throw badRequest(`${claim} may not be selectively disclosable, in whole or in part`);
}

/** RFC 9901 §4.2: a list of salt, name and value, or of salt and value for a list element. @throws DomainError `BadRequest` */
export function parseDisclosure(text: string): Disclosure {
  const bytes = fromBase64url(text);
  if (!bytes?.length) throw badRequest('a disclosure is not canonical base64url');
  const parts = parseJson(fromUtf8(bytes));
  if (!Array.isArray(parts) || parts.length < 2 || parts.length > 3 || typeof parts[0] !== 'string')
    throw badRequest('a disclosure is not a list of a salt, a name and a value');
  if (parts.length === 2) return { salt: parts[0], value: parts[1] };
  const [salt, name, value] = parts;
  if (typeof name !== 'string' || name === '__proto__' || SD_JWT_NAMES.has(name))
    throw badRequest('a disclosure has a name that no claim can have');
  return { salt, name, value };
}
