/** Joins the OpenAPI documents of openapi/ into one: types, build and tests all use what this returns. */
import { readFileSync } from 'node:fs';
import { dereference } from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';

/** In the order of publication; the first has what the others share, and introduces the API. */
const NAMES = [
  'common',
  'accounts',
  'wallet-keys',
  'wallet-credentials',
  'wallet-exchange',
  'wallet-activity',
  'wallet2',
  'wallet2-exchange',
  'issuer',
  'draft-authorization',
  'draft11',
  'openid4vci',
  'issuer2',
  'verifier',
  'transaction-data',
  'verifier2',
  'vical',
  'status',
  'status-lists',
  'status-administration',
  'credential-types',
  'enterprise',
  'tenant-stores',
  'tenant-status',
  'tenant-certificates',
  'tenant-attester',
  'tenant-did',
  'tenant-wallet',
  'administration',
  'tenant-issuer',
  'tenant-verifier',
  'audit',
  'portal',
  'sign-in',
  'tenant-sign-in',
  'system',
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The documents of openapi/ by name. */
export const readDocuments = () =>
  Object.fromEntries(
    NAMES.map((name) => [name, parse(readFileSync(new URL(`../openapi/${name}.yaml`, import.meta.url), 'utf8'))]),
  );

/**
 * One document of several. `x-documents` lists the operations that each of them adds, so that a server can leave out
 * those of services that are off. @throws Error when two documents define the same component
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
  const local = Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [name, withOtherNames(withLocalReferences(document))]),
  );
  for (const { components = {} } of Object.values(local)) addComponents(joined.components, components);
  const resolved = (part) => (part.$ref ? at(joined, part.$ref) : part);
  for (const [name, document] of Object.entries(local)) {
    const { tags = [], 'x-cors': cors = 'none', 'x-accounts': accounts } = document;
    const paths = withMounts(document, local);
    for (const tag of tags) if (!joined.tags.some((known) => known.name === tag.name)) joined.tags.push(tag);
    joined['x-documents'][name] = { operations: addPaths(joined.paths, paths, { cors, accounts, resolved }) };
  }
  return joined;
}

/** The joined document with `x-resolved`: each operation without references, as JSON, which a server parses at its first use. */
export async function withResolved(joined) {
  const { paths } = await dereference(structuredClone(joined), { dereference: { circular: 'ignore' } });
  const operations = Object.values(paths).flatMap((item) =>
    METHODS.filter((method) => method in item).map((method) => {
      const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
      return [item[method].operationId, JSON.stringify({ ...item[method], parameters })];
    }),
  );
  return { ...joined, 'x-resolved': Object.fromEntries(operations) };
}

const at = (document, reference) =>
  reference
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key], document);

/**
 * The paths of a document with those that it mounts: `x-mounts` lists operations of other documents that it serves below
 * a target too, each as another operation, with the permission that it needs there (`x-permission`), if any.
 */
function withMounts({ paths, tags, 'x-mounts': mounts = {} }, documents) {
  const all = { ...paths };
  for (const [operationId, { path, lateQuery, aliases, ...permission }] of Object.entries(mounts)) {
    const { item, method } = findOperation(operationId, documents);
    const more = { permission, lateQuery, aliases, tag: tags[0].name };
    const operation = mountedOperation(structuredClone(item[method]), more);
    // Below a target the service stands for the wallet of an account.
    const own = (item.parameters ?? []).filter(({ $ref }) => $ref !== '#/components/parameters/WalletId');
    const parameters = [{ $ref: '#/components/parameters/Target' }, ...own];
    all[path] = { parameters, ...all[path], [method]: operation };
  }
  return all;
}

function findOperation(operationId, documents) {
  for (const { paths } of Object.values(documents))
    for (const item of Object.values(paths))
      for (const method of METHODS) if (item[method]?.operationId === operationId) return { item, method };
  throw new Error(`x-mounts names ${operationId}, which no document has`);
}

const problem = (name) => ({ $ref: `#/components/responses/${name}` });

function mountedOperation(operation, { permission, lateQuery, aliases, tag }) {
  const { operationId, summary, 'x-rate-limit': limit } = operation;
  const isManaged = 'x-permission' in permission;
  // The section of the endpoints without a login limits none with one.
  if (isManaged && limit === 'open_endpoints') delete operation['x-rate-limit'];
  // Management of a tenant's service needs a permission; what wallets call at it is no management.
  delete operation['x-management'];
  // Its target may be unknown.
  delete operation['x-always-found'];
  return {
    ...operation,
    ...(isManaged && { security: [{ enterprise: [] }] }),
    ...permission,
    operationId: `tenant${operationId[0].toUpperCase()}${operationId.slice(1)}`,
    summary: `${summary}, of the service at a target`,
    tags: [tag],
    'x-mounted': operationId,
    ...(lateQuery && { 'x-late-query': true }),
    ...(aliases && { 'x-aliases': aliases }),
  };
}

/** The security schemes of accounts. */
export const LOGINS = ['bearer', 'cookie', 'frontendCookie', 'enterprise'];

/**
 * The errors that follow from what an operation is: its parameters, body, login and limit. An operation writes down only
 * those that say more. `x-always-found` says that no name in its path can be unknown, `x-never-forbidden` that what the
 * caller may not see is.
 */
function commonAnswers(operation, { parameters, content }) {
  const { security = [], 'x-oauth-errors': oauth, 'x-ignore-unknown': ignoresUnknown } = operation;
  const names = (place) => parameters.filter((one) => one.in === place).map(({ name }) => name);
  const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
  const hasLogin = security.some((one) => LOGINS.some((login) => login in one));
  const isFound = (name) => name !== 'wallet' || operation['x-accounts'];
  const reasons = {
    400: (!ignoresUnknown || content || names('path').length + names('query').length > 0) && 'BadRequest',
    401: (!isOpen || operation['x-management']) && 'Unauthorized',
    403:
      hasLogin &&
      !operation['x-never-forbidden'] &&
      (operation.method !== 'get' || names('path').length > 0) &&
      'Forbidden',
    // Where there may be no accounts, a wallet that is not there is not found.
    404: !operation['x-always-found'] && names('path').some(isFound) && 'NotFound',
    413: content && !('application/x-ndjson' in content) && 'PayloadTooLarge',
    // A text is taken as any type.
    415: content && !('text/plain' in content) && 'UnsupportedMediaType',
    429: operation['x-rate-limit'] && 'TooManyRequests',
    default: 'Failure',
  };
  const answers = Object.entries(reasons).filter(([, name]) => name);
  return Object.fromEntries(answers.map(([status, name]) => [status, problem(oauth ? `OAuth${name}` : name)]));
}

/** A copy of the document whose references into the other documents point into the joined one, with what it takes of the files in config/. */
const withLocalReferences = (document) =>
  JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === '$ref' && typeof value === 'string') return value.replace(/^[a-z0-9-]+\.yaml/, '');
    const [, file, place] = /^(config\/[a-z0-9-]+\.schema\.json)(#.*)$/.exec(value?.$ref ?? '') ?? [];
    return file ? at(JSON.parse(readFileSync(new URL(`../openapi/${file}`, import.meta.url), 'utf8')), place) : value;
  });

/** Where the token of the enterprise services is a login, so is their cookie. */
const withCookie = (security) =>
  security?.some((one) => 'enterprise' in one) ? [...security, { enterpriseCookie: [] }] : security;

/** The description of an operation, with the permission that it needs at its target, and its other paths (`x-aliases`). */
const withFacts = ({ description, 'x-permission': permission, 'x-aliases': aliases = [] }) =>
  [description?.trim(), permission && `Permission \`${permission}\`.`, ...aliases.map(aliasText)]
    .filter(Boolean)
    .join(' ') || undefined;

const aliasText = (alias) =>
  alias.path
    ? `Also at \`${alias.path}\`, where the answer is its member \`${alias.answer}\`.`
    : `Also at \`${alias}\`.`;

/** What a schema says of other names and forms, which are read at the edge (adapters/http/edge/written-names.ts). */
const NAMING = {
  'x-aliases': (names) => `Also called ${names.map((name) => `\`${name}\``).join(', ')}.`,
  'x-descriptor': ({ type, member }) =>
    `May be written as an object with ${type ? `\`type\` \`${type}\` and ` : ''}\`${member}\`.`,
  'x-other-values': (values) =>
    Object.entries(values)
      .map(([other, value]) => `\`${other}\` means \`${value}\`.`)
      .join(' '),
};

/** A document whose schemas describe the other names and forms that they declare. */
function withOtherNames(document) {
  for (const schema of schemasIn(document)) {
    const texts = Object.entries(NAMING).flatMap(([name, text]) => (name in schema ? [text(schema[name])] : []));
    if (texts.length > 0) schema.description = [schema.description?.trim(), ...texts].filter(Boolean).join(' ');
  }
  return document;
}

/** Every object in a value that may be a schema: operations, whose other paths are described elsewhere, are none. */
function* schemasIn(node) {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node) && !('operationId' in node)) yield node;
  for (const part of Object.values(node)) yield* schemasIn(part);
}

function addPaths(joined, paths, { cors, accounts, resolved }) {
  const added = [];
  for (const [path, item] of Object.entries(paths)) {
    joined[path] = { ...joined[path], ...item };
    for (const method of METHODS.filter((method) => method in item)) {
      const operation = item[method];
      operation['x-cors'] ??= cors;
      if (accounts) operation['x-accounts'] ??= accounts;
      operation.security = withCookie(operation.security);
      // Management has no login, or the operator's token is one: `services.conf` decides.
      if (operation['x-management']) operation.security = [{}, { management: [] }];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved);
      const { content } = resolved(operation.requestBody ?? {});
      const responses = { ...commonAnswers({ ...operation, method }, { parameters, content }), ...operation.responses };
      const { 'x-always-found': _, 'x-never-forbidden': __, ...documented } = operation;
      joined[path][method] = { ...documented, description: withFacts(operation), responses };
      added.push(operation.operationId);
    }
  }
  return added;
}

function addComponents(joined, components) {
  for (const [kind, named] of Object.entries(components))
    for (const [name, component] of Object.entries(named)) {
      // The name under which a document lists a component of the shared document.
      if (component.$ref === `#/components/${kind}/${name}`) continue;
      joined[kind] ??= {};
      if (name in joined[kind]) throw new Error(`Two documents define components/${kind}/${name}`);
      joined[kind][name] = component;
    }
}
