/** Joins the OpenAPI documents of openapi/ into one: types, build and tests all use what this returns. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** In the order of publication; the first has what the others share, and introduces the API. */
const NAMES = [
  'common',
  'accounts',
  'wallet-keys',
  'wallet-credentials',
  'wallet-exchange',
  'wallet-activity',
  'issuer',
  'draft-authorization',
  'draft11',
  'openid4vci',
  'issuer2',
  'verifier',
  'verifier2',
  'vical',
  'status',
  'status-lists',
  'status-administration',
  'credential-types',
  'enterprise',
  'system',
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The documents of openapi/ by name. */
export const readDocuments = () =>
  Object.fromEntries(
    NAMES.map((name) => [name, parse(readFileSync(new URL(`../openapi/${name}.yaml`, import.meta.url), 'utf8'))]),
  );

/**
 * One document of several. `x-documents` lists the operations and components that each of them adds, so that a server
 * can leave out those of services that are off. @throws Error when two documents define the same component
 */
export function joinDocuments({ common, ...documents }) {
  const { description, version } = common.info;
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
  const joined = {
    openapi: '3.1.0',
    info: { title: 'Credenza', description, version, license },
    servers: [{ url: '/' }],
    tags: [],
    paths: {},
    components: structuredClone(common.components ?? {}),
    'x-documents': {},
  };
  for (const [name, document] of Object.entries(documents)) {
    const { tags = [], paths, components = {}, 'x-cors': cors = 'none' } = withLocalReferences(document);
    for (const tag of tags) if (!joined.tags.some((known) => known.name === tag.name)) joined.tags.push(tag);
    joined['x-documents'][name] = {
      operations: addPaths(joined.paths, paths, cors),
      components: addComponents(joined.components, components),
    };
  }
  return joined;
}

/** A copy of the document whose references into the other documents point into the joined one. */
const withLocalReferences = (document) =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^[a-z0-9-]+\.yaml/, '') : value,
  );

function addPaths(joined, paths, cors) {
  const added = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS.filter((method) => method in item)) {
      item[method]['x-cors'] ??= cors;
      added.push(item[method].operationId);
    }
    joined[path] = { ...joined[path], ...item };
  }
  return added;
}

function addComponents(joined, components) {
  const added = [];
  for (const [kind, named] of Object.entries(components))
    for (const [name, component] of Object.entries(named)) {
      // The name under which a document lists a component of the shared document.
      if (component.$ref === `#/components/${kind}/${name}`) continue;
      joined[kind] ??= {};
      if (name in joined[kind]) throw new Error(`Two documents define components/${kind}/${name}`);
      joined[kind][name] = component;
      added.push(`${kind}/${name}`);
    }
  return added;
}
