import type { PublicJwk } from '../../ports/key-service.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { thumbprint } from '../jose/jwk.ts';
import { numericDate, timeProblems } from '../jose/jwt-claims.ts';
import {
  type AttesterParts,
  checkNoProblem,
  readStatedKey,
  type TrustedAttesters,
  verifyStatement,
} from './attesters.ts';

/** Constants of key attestations (OpenID4VCI 1.0 appendix D.1). */
export const KEY_ATTESTATION = { TYPE: 'key-attestation+jwt' } as const;

const SKEW_MS = 60_000;
/** The most keys of an attestation. */
const MAX_KEYS = 2000;
/** The longest attestation, in characters. */
const MAX_LENGTH = 524_288;
const MAX_LEVELS = 16;

/** How well keys are protected, or must be: values such as `iso_18045_high` (OpenID4VCI 1.0 appendix D.2). */
export interface KeyProtection {
  keyStorage?: readonly string[];
  userAuthentication?: readonly string[];
}

/** A verified statement about keys of one key storage. */
export interface KeyAttestation extends KeyProtection {
  /** At least one, each once. */
  keys: PublicJwk[];
  /** The algorithm of its signature. */
  alg: string;
  /** To be compared with a nonce of the issuer by the caller. */
  nonce?: string;
  certification?: string;
  /** Its status reference, which is not checked. */
  status?: JsonObject;
  /** Milliseconds since the epoch. */
  expiresAt?: number;
}

/** What a statement about keys must fit. */
interface KeyAttestationExpectation {
  trusted: TrustedAttesters;
  /** Whether it must end, as with the proof type `jwt`. */
  requiresEnd: boolean;
}

/** Verifies a key attestation. @throws DomainError `BadRequest` */
export async function verifyKeyAttestation(
  text: string,
  { trusted, requiresEnd }: KeyAttestationExpectation,
  parts: AttesterParts,
): Promise<KeyAttestation> {
  const statement = { text, type: KEY_ATTESTATION.TYPE, name: 'The key attestation', maxLength: MAX_LENGTH };
  const { header, payload } = await verifyStatement(statement, trusted, parts);
  const required = requiresEnd ? (['iat', 'exp'] as const) : (['iat'] as const);
  const problems = timeProblems(payload, { now: parts.clock.now(), skewMs: SKEW_MS, required });
  checkNoProblem(problems, refused);
  return {
    keys: readKeys(payload.attested_keys),
    alg: String(header.alg),
    keyStorage: readLevels(payload, 'key_storage'),
    userAuthentication: readLevels(payload, 'user_authentication'),
    ...optional(payload),
  };
}

/** Why keys are not protected as an issuer demands, as the end of a sentence, or undefined; one of its values is enough. */
export function protectionViolation(stated: KeyProtection, demanded: KeyProtection): string | undefined {
  for (const [member, name] of [
    ['keyStorage', 'key_storage'],
    ['userAuthentication', 'user_authentication'],
  ] as const) {
    const values = demanded[member];
    if (values && !values.some((value) => stated[member]?.includes(value)))
      return `must state for ${name} one of: ${values.join(', ')}`;
  }
  return undefined;
}

const refused = (why: string): DomainError => new DomainError('BadRequest', `The key attestation: ${why}`);

function readKeys(value: unknown): PublicJwk[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_KEYS)
    throw refused(`attested_keys must be a list of 1 to ${MAX_KEYS} keys`);
  const keys = value.map((jwk: unknown, index) => readStatedKey(jwk, `The attested key [${index}]`));
  if (new Set(keys.map(thumbprint)).size < keys.length) throw refused('attested_keys has a key twice');
  return keys;
}

function readLevels(claims: JsonObject, name: string): string[] | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_LEVELS || !value.every(isText))
    throw refused(`${name} must be a list of 1 to ${MAX_LEVELS} texts`);
  return value;
}

function optional({ nonce, certification, status, exp }: JsonObject): Partial<KeyAttestation> {
  for (const [name, text] of Object.entries({ nonce, certification }))
    if (text !== undefined && !isText(text)) throw refused(`the ${name} must be a text`);
  if (status !== undefined && !isObject(status)) throw refused('the status must be an object');
  return {
    ...(isText(nonce) && { nonce }),
    ...(isText(certification) && { certification }),
    ...(isObject(status) && { status }),
    ...(exp !== undefined && { expiresAt: numericDate(exp) }),
  };
}
