import { type Path, valueAt } from './pointers.ts';

/** What a field is for; `json` is what no other kind is for. */
export type FieldKind = 'text' | 'date' | 'number' | 'boolean' | 'picture' | 'list' | 'object' | 'json';

/** The name of a field in one language. */
interface Label {
  locale?: string;
  name?: string;
}

/** A claim as issuers describe it: its path has null for each element of a list. */
export interface DescribedClaim {
  path: readonly (string | number | null)[];
  type: FieldKind;
  /** What a list consists of. */
  items?: FieldKind;
  label?: readonly Label[];
  mandatory?: boolean;
}

/** A field with those inside it. */
export interface FieldNode {
  name: string;
  kind: FieldKind;
  label: readonly Label[];
  isMandatory: boolean;
  /** Of an object. */
  members: readonly FieldNode[];
  /** Of a list: what each element is. */
  element?: FieldNode;
}

/** A field with its value; a list or an object that is there has an empty one, and its parts are fields of their own. */
export interface Field {
  path: Path;
  node: FieldNode;
  value: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Which values a field of each kind shows as they are. */
const FITS: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: isText,
  date: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  picture: (value) => isText(value) && value.startsWith('data:image/'),
  list: Array.isArray,
  object: isRecord,
  json: () => true,
};

/** The kinds that a value shows by itself, the nearest first. */
const INFERRED = ['picture', 'date', 'text', 'number', 'boolean', 'list', 'object', 'json'] as const;

const leaf = (name: string, kind: FieldKind): FieldNode => ({ name, kind, label: [], isMandatory: false, members: [] });

/** The fields of claims, in their order. */
export function treeOf(claims: readonly DescribedClaim[], above: DescribedClaim['path'] = []): FieldNode[] {
  const here = claims.filter(({ path }) => path.length === above.length + 1 && startsWith(path, above));
  return here.map(({ path, type, items, label = [], mandatory = false }) => {
    const name = String(path.at(-1));
    const node = { ...leaf(name, type), label, isMandatory: mandatory };
    if (type === 'object') return { ...node, members: treeOf(claims, path) };
    if (type !== 'list' || items === undefined) return node;
    return { ...node, element: { ...leaf(name, items), label, members: treeOf(claims, [...path, null]) } };
  });
}

const startsWith = (path: DescribedClaim['path'], start: DescribedClaim['path']): boolean =>
  start.every((part, at) => path[at] === part);

/** The field for a value that no claim describes. */
const inferred = (name: string, value: unknown): FieldNode =>
  leaf(name, INFERRED.find((kind) => FITS[kind](value)) ?? 'json');

/** The field that shows a value: the one that was described if it can, else one of the kind of the value. '' is still empty. */
function fieldFitting(node: FieldNode, value: unknown): FieldNode {
  if (value === undefined || value === '' || FITS[node.kind](value)) return node;
  return { ...inferred(node.name, value), label: node.label, isMandatory: node.isMandatory };
}

/** The fields of an object: those that are described, and those of members that are not. */
function membersOf(nodes: readonly FieldNode[], value: unknown): FieldNode[] {
  const known = new Set(nodes.map(({ name }) => name));
  const others = Object.entries(isRecord(value) ? value : {}).filter(([name]) => !known.has(name));
  return [
    ...nodes.map((node) => fieldFitting(node, valueAt(value, [node.name]))),
    ...others.map(([name, part]) => inferred(name, part)),
  ];
}

/** The field of an element of a list. */
const elementOf = ({ name, element }: FieldNode, value: unknown): FieldNode =>
  element ? fieldFitting(element, value) : inferred(name, value);

/** Every field of an object, with those inside lists and objects after their own. */
export const fieldsOf = (nodes: readonly FieldNode[], value: unknown, path: Path = []): Field[] =>
  membersOf(nodes, value).flatMap((node) => fieldsAt(node, valueAt(value, [node.name]), [...path, node.name]));

function fieldsAt(node: FieldNode, value: unknown, path: Path): Field[] {
  if (node.kind === 'object' && value !== undefined)
    return [{ path, node, value: {} }, ...fieldsOf(node.members, value, path)];
  if (node.kind !== 'list' || !Array.isArray(value)) return [{ path, node, value }];
  const elements = value.flatMap((one, at) => fieldsAt(elementOf(node, one), one, [...path, at]));
  return [{ path, node, value: [] }, ...elements];
}
