import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { ClaimDescription } from '../credential-configuration.ts';

/** The members of a description in a tree, each with the form that a claim of the same name cannot have. */
const DESCRIBES = {
  mandatory: (value: unknown) => typeof value === 'boolean',
  value_type: isText,
  display: Array.isArray,
};

const isDescribing = ([name, value]: [string, unknown]): boolean =>
  Object.hasOwn(DESCRIBES, name) && DESCRIBES[name as keyof typeof DESCRIBES](value);

/** Reads claim descriptions in the list form of OpenID4VCI 1.0 or the tree form of draft 13, whose claims stand below `path`. */
export function readClaims(claims: unknown, path: ClaimDescription['path'] = []): ClaimDescription[] {
  if (!Array.isArray(claims)) return isObject(claims) ? readTree(claims, path) : [];
  return claims.filter(isObject).flatMap(({ path: own, ...description }) => {
    const described = Object.fromEntries(Object.entries(description).filter(isDescribing));
    return Array.isArray(own) && own.length > 0 ? [{ path: [...path, ...own], ...described }] : [];
  });
}

const readTree = (tree: JsonObject, path: ClaimDescription['path']): ClaimDescription[] =>
  Object.entries(tree)
    .filter((member) => !isDescribing(member))
    .flatMap(([name, node]) => readNode(node, [...path, name]));

/** A node with members of its own describes a claim, and so does one without any. */
function readNode(node: unknown, path: ClaimDescription['path']): ClaimDescription[] {
  if (Array.isArray(node)) return readNode(node[0], [...path, null]);
  if (!isObject(node)) return [];
  const parts = readTree(node, path);
  const described = Object.entries(node).filter(isDescribing);
  return described.length > 0 || parts.length === 0 ? [{ path, ...Object.fromEntries(described) }, ...parts] : parts;
}

/** Creates the tree form of draft 13 appendix A; a claim below a list position has none, and neither has a list's own description. */
export function claimTree(claims: readonly ClaimDescription[]): JsonObject {
  const root = new Map<string, Node>();
  for (const { path, ...description } of claims) {
    const names = path.filter(isText);
    if (names.length === 0 || path.some((part) => typeof part === 'number') || path[0] === null) continue;
    Object.assign(nodeAt(root, path).description, description);
  }
  return written(root);
}

interface Node {
  description: JsonObject;
  isList: boolean;
  parts: Map<string, Node>;
}

function nodeAt(root: Map<string, Node>, path: ClaimDescription['path']): Node {
  let node: Node = { description: {}, isList: false, parts: root };
  for (const part of path) {
    if (typeof part === 'string') {
      const next = node.parts.get(part) ?? { description: {}, isList: false, parts: new Map() };
      node.parts.set(part, next);
      node = next;
    } else node.isList = true;
  }
  return node;
}

/** Built from entries, so that no name can reach a prototype. */
const written = (parts: Map<string, Node>): JsonObject =>
  Object.fromEntries(
    [...parts].map(([name, node]) => {
      const value = { ...node.description, ...written(node.parts) };
      return [name, node.isList ? [value] : value];
    }),
  );
