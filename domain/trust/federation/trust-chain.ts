import type { PublishedKey } from '../../../ports/published-keys.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { verifyJws } from '../../jose/jws.ts';
import { checkPublishedSigner } from '../../jose/signer-keys.ts';
import { matchesUri } from '../../x509/constraint-matching.ts';
import { type EntityStatement, refusedStatement } from './entity-statement.ts';
import { applyPolicies } from './metadata-policy.ts';

/** The top of a federation, as the operator trusts it. */
export interface FederationAnchor {
  entityId: string;
  keys: readonly PublishedKey[];
}

/** What a chain proves of the entity that it begins with. */
export interface TrustChain {
  entity: string;
  /** The entity and its superiors, up to the anchor. */
  path: readonly string[];
  anchor: string;
  /** The metadata of the entity by type, as its superiors allow them. */
  metadata(type: string): JsonObject;
  /** When the first of its statements ends, in milliseconds since the epoch. */
  expiresAt: number;
  /** Of all its statements. */
  characters: number;
}

/** The most statements of a chain: the entity, at most five intermediates, and the anchor's own. */
export const MAX_STATEMENTS = 8;

interface ChainParts {
  anchors: readonly FederationAnchor[];
  signatures: Signatures;
}

/**
 * Validates a chain (OpenID Federation 1.0 §10.2): the configuration of the entity, statements of superiors, each about the
 * issuer of the one before, and the configuration of the anchor, which may be left out. That each statement is valid now was
 * checked when it was parsed. @throws DomainError `BadRequest`
 */
export async function validateChain(statements: readonly EntityStatement[], parts: ChainParts): Promise<TrustChain> {
  const [leaf, ...above] = statements;
  const last = above.at(-1);
  if (!leaf || !last || statements.length > MAX_STATEMENTS)
    throw refusedStatement(`a trust chain has 2 to ${MAX_STATEMENTS} statements`);
  const anchor = parts.anchors.find(({ entityId }) => entityId === last.issuer);
  if (!anchor) throw refusedStatement('the trust chain ends at no trust anchor');
  const superiors = last.issuer === last.subject ? above.slice(0, -1) : above;
  checkLinks(leaf, superiors);
  if (last.issuer === last.subject && superiors.at(-1)?.issuer !== last.issuer)
    throw refusedStatement('the trust chain does not lead to its trust anchor');
  await checkSignature(leaf, leaf.keys, parts);
  for (const [index, statement] of statements.entries())
    await checkSignature(statement, statements[index + 1]?.keys ?? anchor.keys, parts);
  checkConstraints(leaf, superiors);
  return {
    entity: leaf.subject,
    path: [leaf.subject, ...superiors.map(({ issuer }) => issuer)],
    anchor: anchor.entityId,
    metadata: (type) => metadataOf(type, leaf, superiors),
    expiresAt: Math.min(...statements.map(({ expiresAt }) => expiresAt)),
    characters: statements.reduce((sum, { text }) => sum + text.length, 0),
  };
}

/** Each superior speaks of the one below, and none twice. */
function checkLinks(leaf: EntityStatement, superiors: readonly EntityStatement[]): void {
  const [direct] = superiors;
  const names = [leaf.subject, ...superiors.map(({ issuer }) => issuer)];
  const isLinked = superiors.every(({ subject }, index) => subject === names[index]);
  if (leaf.issuer !== leaf.subject || !direct || !isLinked || new Set(names).size !== names.length)
    throw refusedStatement('the statements of the trust chain do not follow each other');
  if (!leaf.authorityHints.includes(direct.issuer))
    throw refusedStatement(`${leaf.subject} does not name ${direct.issuer} as its superior`);
}

/** Every statement names its key (§3.1). */
async function checkSignature(
  { jws, issuer }: EntityStatement,
  keys: readonly PublishedKey[],
  { signatures }: ChainParts,
): Promise<void> {
  const { kid } = jws.header;
  const verify = (jwk: PublishedKey['jwk']) => verifyJws(jws, jwk, signatures);
  if (!isText(kid) || !(await checkPublishedSigner({ kid, verify }, keys)).valid)
    throw refusedStatement(`a statement of ${issuer} is not signed with its key`);
}

/** Checks the constraints of each superior on all that are below it (§6.2). */
function checkConstraints(leaf: EntityStatement, superiors: readonly EntityStatement[]): void {
  for (const [index, { issuer, constraints }] of superiors.entries()) {
    const { max_path_length: most, naming_constraints: naming } = constraints;
    if (most !== undefined && !(Number.isSafeInteger(most) && index <= Number(most)))
      throw refusedStatement(`the trust chain is longer than ${issuer} allows`);
    const below = [leaf.subject, ...superiors.slice(0, index).map((superior) => superior.issuer)];
    if (naming !== undefined && !below.every((entity) => isNamed(entity, naming)))
      throw refusedStatement(`the name of a subordinate of ${issuer} is not allowed`);
  }
}

/** Names are constrained by their hosts, as in certificates (RFC 5280 §4.2.1.10); one that cannot be read is refused. */
function isNamed(entity: string, naming: unknown): boolean {
  const { permitted, excluded = [] } = isObject(naming) ? naming : { permitted: [] };
  const match = (base: unknown) => (isText(base) ? matchesUri(entity, base) : undefined);
  return (
    (permitted === undefined || asList(permitted).some((base) => match(base) === true)) &&
    asList(excluded).every((base) => match(base) === false)
  );
}

/** Only what each superior allows, and what the entity itself has (§6.1.4, §6.2.3). */
function metadataOf(type: string, leaf: EntityStatement, superiors: readonly EntityStatement[]): JsonObject {
  const own = Object.hasOwn(leaf.metadata, type) ? leaf.metadata[type] : undefined;
  const isAllowed = superiors.every(({ constraints: { allowed_entity_types: types } }) => {
    return types === undefined || (Array.isArray(types) && types.includes(type));
  });
  if (!own || !isAllowed) throw refusedStatement(`${leaf.subject} is no ${type}`);
  const [direct] = superiors;
  const policies = superiors.flatMap(({ policy }): JsonObject[] => {
    const ofType = Object.hasOwn(policy, type) ? policy[type] : undefined;
    return ofType ? [ofType] : [];
  });
  return applyPolicies({ ...own, ...direct?.metadata[type] }, policies.reverse());
}
