import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import { catching, DomainError, replacing } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';
import type { TimeClaim, TimeProblem } from '../jose/jwt-claims.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';
import { isSelfIssued } from '../x509/name-constraints.ts';
import { validatePath } from '../x509/path-validation.ts';
import { parseX5c } from '../x509/x5c.ts';

/** A key of an attester. */
export interface TrustedKey {
  jwk: PublicJwk;
  /** The `kid` of the key; without one it is tried for every statement. */
  kid?: string;
  /** The `iss` of its statements; without one `iss` says nothing. */
  issuer?: string;
}

/** A key of a tenant that may have signed a statement. */
interface RecordedKey {
  jwk: PublicJwk;
  /** Whether the statement was revoked. */
  isRevoked?: boolean;
}

/** Whose statements about clients and their keys an issuer believes; the operator chooses them. */
export interface TrustedAttesters {
  keys: readonly TrustedKey[];
  /** Authorities that certify attesters and nothing else. */
  anchors: readonly ParsedCertificate[];
  /** The keys of tenants that may have signed a statement with these claims, as they are now. */
  recorded?(claims: JsonObject): Promise<readonly RecordedKey[]>;
  /** How far the clocks of attester and client may be from ours; a minute when absent. */
  skewMs?: number;
  /** How old a proof of possession may be; five minutes when absent. */
  proofMaxAgeMs?: number;
}

/** A statement of an attester that is to be verified. */
interface Statement {
  text: string;
  /** Its `typ`. */
  type: string;
  /** What error messages call it. */
  name: string;
  /** In characters; 64 KiB when absent. */
  maxLength?: number;
}

export interface AttesterParts {
  signatures: Signatures;
  certificates: Certificates;
  clock: Clock;
}

const MAX_STATEMENT_LENGTH = 65_536;

/**
 * Verifies that a statement is signed by a trusted attester: with a recorded key and not revoked; or with the leaf of its
 * chain `x5c`, which a trusted authority certified, or else with a trusted key. Keys that the statement names in another
 * way are not used. @throws DomainError `BadRequest`
 */
export async function verifyStatement(
  { text, type, name, maxLength = MAX_STATEMENT_LENGTH }: Statement,
  trusted: TrustedAttesters,
  parts: AttesterParts,
): Promise<ParsedJws> {
  if (text.length > maxLength) throw new DomainError('BadRequest', `${name} may have at most ${maxLength} characters`);
  const jws = parseJws(text, name);
  if (jws.header.typ !== type) throw new DomainError('BadRequest', `${name}: the typ must be ${type}`);
  for (const { jwk, isRevoked } of (await trusted.recorded?.(jws.payload)) ?? []) {
    if (!(await verifyJws(jws, jwk, parts.signatures))) continue;
    if (isRevoked) throw new DomainError('BadRequest', `${name} was revoked`);
    return jws;
  }
  const keys = 'x5c' in jws.header ? [certifiedKey(jws.header.x5c, trusted, parts)] : keysFor(jws, trusted.keys);
  for (const jwk of keys) if (await verifyJws(jws, jwk, parts.signatures)) return jws;
  throw new DomainError('BadRequest', `${name} is not signed by a trusted attester`);
}

const keysFor = ({ header, payload }: ParsedJws, keys: readonly TrustedKey[]): PublicJwk[] =>
  keys
    .filter(({ kid }) => kid === undefined || header.kid === undefined || kid === header.kid)
    .filter(({ issuer }) => issuer === undefined || issuer === payload.iss)
    .map(({ jwk }) => jwk);

function certifiedKey(x5c: unknown, { anchors }: TrustedAttesters, { certificates, clock }: AttesterParts): PublicJwk {
  const chain = parseX5c(x5c, certificates);
  const signedBy = certificates.signedBy.bind(certificates);
  const result = validatePath({ chain, anchors, now: clock.now(), signedBy });
  if (!result.valid) throw untrusted(result.reason);
  const [leaf] = chain;
  if (!leaf?.publicKey.jwk || isSelfIssued(leaf)) throw untrusted('certificate 1 signs itself');
  if (leaf.keyUsage && !leaf.keyUsage.includes('digitalSignature'))
    throw untrusted('certificate 1 may not sign by its key usage');
  return leaf.publicKey.jwk;
}

const untrusted = (reason: string): DomainError =>
  new DomainError('BadRequest', `The chain of the attester is not trusted: ${reason}`);

/** Reads a public key that a statement is about. @throws DomainError `BadRequest` */
export function readStatedKey(jwk: unknown, name: string): PublicJwk {
  if (!isObject(jwk)) throw new DomainError('BadRequest', `${name} must be a JWK`);
  const named = replacing(undefined, ({ message }) => new DomainError('BadRequest', `${name}: ${message}`));
  return catching(named, () => readVerificationKey(jwk));
}

/** Refuses claims with a time that is not acceptable. @throws what `refuse` makes of the reason */
export function checkNoProblem(
  problems: Partial<Record<TimeClaim, TimeProblem>>,
  refuse: (why: string) => Error,
): void {
  const [first] = Object.entries(problems);
  if (first) throw refuse(`the ${first[0]} is not acceptable (${first[1]})`);
}

/** The members of a claim that is an object; none of any other. */
export const membersOf = (claim: unknown): JsonObject => (isObject(claim) ? claim : {});
