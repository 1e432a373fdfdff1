import type { PublishedKey } from '../../../ports/published-keys.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { type ParsedJws, parseJws } from '../../jose/jws.ts';
import { numericDate, timeProblems } from '../../jose/jwt-claims.ts';
import { signatureKeys } from '../../jose/key-set.ts';
import { checkDocumentSize } from '../../network/document-bounds.ts';
import { secureUrl } from '../../network/urls.ts';

/** Entity statements (OpenID Federation 1.0 §3). */
export const ENTITY_STATEMENT = {
  TYP: 'entity-statement+jwt',
  MEDIA_TYPE: 'application/entity-statement+jwt',
  /** Appended to an entity identifier (§9). */
  PATH: '/.well-known/openid-federation',
} as const;

/** What one entity says of itself, its configuration, or a superior of its subordinate; the signature is unverified. */
export interface EntityStatement {
  /** As it was sent. */
  text: string;
  jws: ParsedJws;
  issuer: string;
  subject: string;
  /** The keys that the subject signs statements with. */
  keys: readonly PublishedKey[];
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Empty for a trust anchor, and in statements of superiors. */
  authorityHints: readonly string[];
  /** By entity type. */
  metadata: Readonly<Record<string, JsonObject>>;
  /** Of a superior: operators by entity type and parameter. */
  policy: Readonly<Record<string, JsonObject>>;
  /** Of a superior. */
  constraints: JsonObject;
}

/** The most superiors that an entity may name. */
const MAX_HINTS = 8;
/** How far the clock of an entity may be ahead of ours, in milliseconds. */
const SKEW_MS = 60_000;

/** A refusal of a statement or chain; `why` ends a sentence. */
export const refusedStatement = (why: string): DomainError =>
  new DomainError('BadRequest', `The federation cannot be trusted: ${why}`);

/** Whether a value is an entity identifier (§1.2): an https URL without query and fragment; plain http on this machine alone. */
export function isEntityId(value: unknown): value is string {
  const url = secureUrl(value);
  return url !== undefined && !/[?#]/.test(String(value)) && url.username === '' && url.password === '';
}

/** The URL of an entity's configuration (§9). */
export const configurationUrl = (entity: string): string => `${entity.replace(/\/$/, '')}${ENTITY_STATEMENT.PATH}`;

/**
 * Parses a statement that is valid now (§3.1). Of `crit` and `metadata_policy_crit` nothing is understood, since both may only
 * name what the standard does not. @throws DomainError `BadRequest`
 */
export function parseStatement(text: string, now: number): EntityStatement {
  checkDocumentSize('entity-statement', text);
  const jws = parseJws(text, 'The entity statement');
  const { iss, sub, exp, jwks, crit, metadata_policy_crit: policyCrit } = jws.payload;
  if (jws.header.typ !== ENTITY_STATEMENT.TYP)
    throw refusedStatement(`a statement is not of the type ${ENTITY_STATEMENT.TYP}`);
  if (!isEntityId(iss) || !isEntityId(sub))
    throw refusedStatement('a statement has an iss or sub that is no entity identifier');
  const problems = timeProblems(jws.payload, { now, skewMs: SKEW_MS, required: ['iat', 'exp'] });
  const [claim] = Object.keys(problems);
  if (claim !== undefined) throw refusedStatement(`the ${claim} of a statement about ${sub} is not acceptable`);
  if (crit !== undefined || policyCrit !== undefined)
    throw refusedStatement(`a statement about ${sub} demands what is not understood here`);
  const keys = signatureKeys(jwks);
  if (!keys) throw refusedStatement(`a statement about ${sub} has no jwks`);
  return {
    ...{ text, jws, issuer: iss, subject: sub, keys, expiresAt: numericDate(exp) ?? 0 },
    ...(iss === sub ? ofConfiguration(jws.payload) : ofSuperior(jws.payload)),
    metadata: objectsOf(jws.payload, 'metadata'),
  };
}

type Parts = Pick<EntityStatement, 'authorityHints' | 'policy' | 'constraints'>;

function ofConfiguration({ authority_hints: hints = [], ...payload }: JsonObject): Parts {
  const foreign = ['metadata_policy', 'constraints'].find((name) => payload[name] !== undefined);
  if (foreign !== undefined) throw refusedStatement(`a configuration may not have ${foreign}`);
  if (!Array.isArray(hints) || hints.length > MAX_HINTS || !hints.every(isEntityId))
    throw refusedStatement(`authority_hints must be a list of at most ${MAX_HINTS} entity identifiers`);
  return { authorityHints: hints, policy: {}, constraints: {} };
}

function ofSuperior(payload: JsonObject): Parts {
  const { authority_hints: hints, constraints = {} } = payload;
  if (hints !== undefined) throw refusedStatement('only a configuration may have authority_hints');
  if (!isObject(constraints)) throw refusedStatement('constraints must be an object');
  return { authorityHints: [], policy: objectsOf(payload, 'metadata_policy'), constraints };
}

function objectsOf(payload: JsonObject, name: 'metadata' | 'metadata_policy'): Record<string, JsonObject> {
  const value = payload[name] ?? {};
  const entries = isObject(value) ? Object.entries(value) : [];
  const objects = entries.flatMap(([type, member]) => (isObject(member) ? [[type, member] as const] : []));
  if (isObject(value) && objects.length === entries.length) return Object.fromEntries(objects);
  throw refusedStatement(`${name} must be an object of objects`);
}

/** Where a superior publishes statements about an entity (§8.1). @throws DomainError `BadRequest` when it does not say so */
export function statementUrl({ subject, metadata }: EntityStatement, entity: string): string {
  const endpoint = metadata.federation_entity?.federation_fetch_endpoint;
  if (!isText(endpoint) || !secureUrl(endpoint) || endpoint.includes('#'))
    throw refusedStatement(`${subject} has no federation_fetch_endpoint`);
  const url = new URL(endpoint);
  url.searchParams.set('sub', entity);
  return url.toString();
}
