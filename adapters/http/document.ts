import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dereference } from '@apidevtools/json-schema-ref-parser';
import { isObject } from '../../domain/foundation/json.ts';

type Tree = Record<string, unknown>;

/** The two kinds of accounts, which have nothing to do with each other. */
export type Realm = 'wallet' | 'enterprise';

/** A parameter, resolved. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
}

/** One operation of the contract with our extensions read out of it. */
export interface Operation {
  operationId: string;
  method: string;
  /** Templated, as documented: `/openid4vc/session/{state}`. */
  path: string;
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Tree };
  responses: Record<string, { content?: Tree }>;
  /** Whether a login session is needed: always, perhaps (an empty requirement is listed), or not at all. */
  authentication: 'required' | 'optional' | 'none';
  /** Whose logins count here. */
  realm: Realm;
  cors: 'any' | 'wallet' | 'none';
  rawText: boolean;
  /** The code of a malformed request, where errors have the form of OAuth and OpenID (RFC 6749 §5.2). */
  oauthErrors?: string;
  ignoreUnknown: boolean;
  /** The query is handed over as it came: the handler checks it, once it knows that the caller may ask. */
  rawQuery: boolean;
  rateLimit?: string;
  /** The operation as the validator wants it: resolved, with method and path. */
  resolved: Tree;
}

/** The contract of the enabled services: what is published, and what the server runs on. */
export interface Contract {
  /** One OpenAPI document, references kept, for /api.json; introduced by the description of the shared document. */
  published: Tree;
  operations: Operation[];
}

/** What a contract is made of. */
export interface ContractRequest {
  /** The folder of the documents. */
  folder: URL;
  /** Document names without `.yaml` or `.json`. */
  documents: string[];
  features: string[];
  publicUrl: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const LOGIN_SCHEMES = ['bearer', 'cookie', 'frontendCookie', 'enterprise'];

/** Reads the documents, merges them into one and resolves it once for the life of the process. */
export async function loadContract({ folder, documents, features, publicUrl }: ContractRequest): Promise<Contract> {
  const parts = await Promise.all(['common', ...documents].map((name) => readDocument(folder, name)));
  for (const part of parts) markCors(part);
  const published = merge(parts, features);
  published.servers = [{ url: publicUrl }];
  const resolved = (await dereference(structuredClone(published), { dereference: { circular: 'ignore' } })) as Tree;
  return { published, operations: readOperations(resolved) };
}

/** A document as the build left it, which is read many times faster, else as it was written. */
async function readDocument(folder: URL, name: string): Promise<Tree> {
  const built = new URL(`${name}.json`, folder);
  if (existsSync(built)) return JSON.parse(localReferences(await readFile(built, 'utf8')));
  const text = await readFile(new URL(`${name}.yaml`, folder), 'utf8');
  const { parse } = await import('yaml');
  return parse(localReferences(text));
}

/** References into the shared document become references into the merged one. */
const localReferences = (text: string): string => text.replaceAll(/common\.yaml#\/components/g, '#/components');

function markCors(part: Tree): void {
  for (const { operation } of walk(part)) operation['x-cors'] ??= part['x-cors'] ?? 'none';
}

function merge(parts: Tree[], features: string[]): Tree {
  const paths: Tree = {};
  const components: Record<string, Tree> = {};
  const tags: { name: string }[] = [];
  for (const part of parts) {
    for (const { path, method, operation } of walk(part)) {
      if (typeof operation['x-feature'] === 'string' && !features.includes(operation['x-feature'])) continue;
      const shared = isObject(part.paths) && isObject(part.paths[path]) ? part.paths[path].parameters : undefined;
      paths[path] = { ...(paths[path] as Tree), ...(shared ? { parameters: shared } : {}), [method]: operation };
    }
    for (const [kind, named] of Object.entries((part.components as Record<string, Tree>) ?? {}))
      components[kind] = { ...components[kind], ...ownParts(kind, components[kind], named) };
    for (const tag of (part.tags as { name: string }[]) ?? [])
      if (!tags.some(({ name }) => name === tag.name)) tags.push(tag);
  }
  const { description, version } = (parts[0]?.info ?? {}) as Tree;
  const info = {
    title: 'Credenza',
    description,
    version,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
  return { openapi: '3.1.0', info, servers: [], tags, paths, components };
}

/** A part that only points to the shared part of the same name adds nothing. */
function ownParts(kind: string, known: Tree = {}, named: Tree = {}): Tree {
  const own = Object.entries(named).filter(
    ([name, part]) => !isObject(part) || part.$ref !== `#/components/${kind}/${name}`,
  );
  const twice = own.find(([name]) => Object.hasOwn(known, name));
  if (twice !== undefined) throw new Error(`Two documents define components/${kind}/${twice[0]}`);
  return Object.fromEntries(own);
}

function* walk(part: Tree): Generator<{ path: string; method: string; operation: Tree; shared: unknown[] }> {
  for (const [path, item] of Object.entries((part.paths as Record<string, Tree>) ?? {}))
    for (const method of METHODS)
      if (isObject(item[method]))
        yield { path, method, operation: item[method], shared: (item.parameters as unknown[]) ?? [] };
}

function readOperations(resolved: Tree): Operation[] {
  return [...walk(resolved)].map(({ path, method, operation, shared }) => {
    const parameters = [...shared, ...((operation.parameters as unknown[]) ?? [])] as Parameter[];
    return {
      operationId: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      parameters,
      requestBody: operation.requestBody as Operation['requestBody'],
      responses: operation.responses as Operation['responses'],
      authentication: authenticationOf((operation.security as Tree[]) ?? []),
      realm: ((operation.security as Tree[]) ?? []).some((one) => 'enterprise' in one) ? 'enterprise' : 'wallet',
      cors: operation['x-cors'] as Operation['cors'],
      rawText: operation['x-raw-text'] === true,
      oauthErrors: operation['x-oauth-errors'] as string | undefined,
      ignoreUnknown: operation['x-ignore-unknown'] === true,
      rawQuery: operation['x-raw-query'] === true,
      rateLimit: operation['x-rate-limit'] as string | undefined,
      resolved: { ...operation, parameters, path, method },
    };
  });
}

function authenticationOf(security: Tree[]): Operation['authentication'] {
  const login = security.some((requirement) => LOGIN_SCHEMES.some((scheme) => scheme in requirement));
  if (!login) return 'none';
  return security.some((requirement) => Object.keys(requirement).length === 0) ? 'optional' : 'required';
}
