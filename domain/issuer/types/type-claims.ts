import { invalidField } from '../../foundation/errors.ts';
import type { ClaimNode, TypeClaim } from '../credential-type.ts';

/** Names with a meaning in a credential of one of the formats, or in what an issuer adds to one. */
const RESERVED = new Set([
  ...['id', 'type', 'display', 'iss', 'sub', 'aud', 'iat', 'nbf', 'exp', 'jti', 'cnf', 'vct', 'status', 'issuer'],
  ...['issuing_authority_key', 'validFrom', 'validUntil', 'issuanceDate', 'expirationDate', 'credentialStatus'],
]);

/**
 * The claims at the top, with those below them. @throws DomainError `BadRequest` naming the claim whose name, place or kind is
 * wrong
 */
export function readClaimTree(claims: readonly TypeClaim[]): ClaimNode[] {
  const nodes = new Map<string, ClaimNode>();
  const all = claims.map((claim, index) => {
    const node = { ...claim, name: nameOf(claim, index), index, members: [] };
    const key = JSON.stringify(claim.path);
    if (nodes.has(key)) throw invalidField([index, 'path'], 'stands twice');
    nodes.set(key, node);
    return node;
  });
  const top = all.filter(({ path }) => path.length === 1);
  for (const node of all) if (node.path.length > 1) parentOf(node, nodes).members.push(node);
  for (const node of all) checkKind(node);
  return top;
}

function nameOf({ path }: TypeClaim, index: number): string {
  const name = path.at(-1);
  if (typeof name !== 'string' || path[0] === null)
    throw invalidField([index, 'path'], 'must begin and end with a name');
  if (path.length === 1 && RESERVED.has(name))
    throw invalidField([index, 'path'], `must have another name: ${name} has a meaning of its own in credentials`);
  return name;
}

/** The object that a claim is a member of, or the list of such objects. */
function parentOf({ path, index }: ClaimNode, nodes: ReadonlyMap<string, ClaimNode>): ClaimNode {
  const above = path.slice(0, -1);
  const isInList = above.at(-1) === null;
  const parent = nodes.get(JSON.stringify(isInList ? above.slice(0, -1) : above));
  if (isInList ? parent?.items === 'object' : parent?.type === 'object') return parent as ClaimNode;
  throw invalidField([index, 'path'], `must stand below ${isInList ? 'a list of objects' : 'an object'} of the type`);
}

function checkKind({ path, index, type, items, members, disclosure, example }: ClaimNode): void {
  const isList = type === 'list';
  if (isList !== (items !== undefined))
    throw invalidField([index, 'items'], isList ? 'is required for a list' : 'is of lists only');
  if ((type === 'object' || items === 'object') && members.length === 0)
    throw invalidField([index, 'type'], 'has no claims below it');
  const isInList = path.includes(null);
  if (isInList && disclosure !== undefined)
    throw invalidField([index, 'disclosure'], 'is that of the list, which is disclosed as a whole');
  if (example !== undefined && (type === 'object' || isInList))
    throw invalidField([index, 'example'], `stands at the ${isInList ? 'list' : 'members'}`);
}
