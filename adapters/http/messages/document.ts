import { isObject } from '../../../domain/foundation/json.ts';

type Tree = Record<string, unknown>;

/** The two kinds of accounts; neither is valid for the other. */
export type Realm = 'wallet' | 'enterprise';

/** A parameter, resolved. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: { type?: unknown };
}

/** One operation of the contract, with the values of its extensions. */
export interface Operation {
  operationId: string;
  /** The name of the OpenAPI document that it comes from. */
  document: string;
  method: string;
  /** Templated, as documented: `/openid4vc/session/{state}`. */
  path: string;
  readonly parameters: Parameter[];
  readonly requestBody?: { required?: boolean; content: Tree };
  readonly responses: Record<string, { content?: Tree }>;
  /** Whether a login session is needed; `optional` when an empty requirement is listed too. */
  authentication: 'required' | 'optional' | 'none';
  /** Which logins are valid here. */
  realm: Realm;
  /** Whether every caller is the operator, whose wallets it is about: the operator says that there are no accounts (`x-accounts`). */
  isOfOperator: boolean;
  /** Whether it manages what is issued, verified or revoked here: the operator may demand a token (`x-management`). */
  isManagement: boolean;
  cors: 'any' | 'wallet' | 'none';
  rawText: boolean;
  /** The code of a malformed request, where errors have the form of OAuth and OpenID (RFC 6749 §5.2). */
  oauthErrors?: string;
  ignoreUnknown: boolean;
  /** The query is validated when the handler asks for it, after authorization; none of its parameters is required. */
  lateQuery: boolean;
  /** The body is read and validated when the handler asks for it: an access token, which only handlers know, is checked before. */
  lateBody: boolean;
  rateLimit?: string;
  /** What the caller must be allowed to do, where (`x-permission`, `x-permission-at`: a template of parameters of the path). */
  permission?: { action: string; at: string };
  /** The operation that this one is below a target, with the same handler. */
  mounted?: string;
  /** Its other paths, with the member that its answer is in there (`x-aliases`). */
  aliases: { path: string; answer?: string }[];
  /** The largest request body; that of every operation when absent. */
  maxBodyBytes?: number;
  /** The operation as the validator needs it: without references, with method and path. */
  readonly resolved: Tree;
}

/** The OpenAPI documents as the build joins them (scripts/join-documents.mjs). */
export interface JoinedDocument extends Tree {
  info: { title: string; version: string };
  tags: { name: string }[];
  /** Path items by path. */
  paths: Record<string, Tree>;
  /** Components by kind and name. */
  components: Record<string, Tree>;
  /** The operations that each document adds. */
  'x-documents': Record<string, { operations: string[] }>;
  /** Each operation as JSON, without references and with the parameters of its path. */
  'x-resolved': Record<string, string>;
}

/** Who calls an operation: backends and accounts with a login, or all others. */
export type Audience = 'management' | 'protocol';

/** The contract of the enabled services: what is published, and what the server runs on. Most of both is made at first use. */
export interface Contract {
  /** One OpenAPI document, with references, for /api.json. */
  readonly published: Tree;
  /** The same with the operations of one audience, made at each call. */
  publishedFor(audience: Audience): Tree;
  operations: Operation[];
}

/** What of the joined document a server serves. */
export interface ServedParts {
  /** The names of the documents whose operations are served. */
  documents: string[];
  features: string[];
  publicUrl: string;
  /** `token` when operations of management demand the operator's token. */
  management?: 'open' | 'token';
  /** `none` where wallet API 2 has no accounts: every caller is the operator. What is for both is selected when absent. */
  wallet2Accounts?: 'required' | 'none';
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const LOGIN_SCHEMES = ['bearer', 'cookie', 'frontendCookie', 'enterprise', 'enterpriseCookie'];

/** Selects what is served. */
export function loadContract({ joined, ...served }: ServedParts & { joined: JoinedDocument }): Contract {
  const selected = { ...joined, paths: selectPaths(joined, served) };
  let published: Tree | undefined;
  return {
    get published() {
      published ??= publish(selected, served.publicUrl);
      return published;
    },
    publishedFor: (audience) => publish({ ...selected, paths: pathsOf(selected, audience) }, served.publicUrl),
    operations: readOperations(selected, served.wallet2Accounts === 'none'),
  };
}

/** The paths without the operations of other documents and of features that are off. */
function selectPaths(joined: JoinedDocument, served: ServedParts): JoinedDocument['paths'] {
  const names = new Set(served.documents.flatMap((name) => joined['x-documents'][name]?.operations ?? []));
  const paths: JoinedDocument['paths'] = {};
  for (const { path, item, method, operation } of walk(joined)) {
    const feature = operation['x-feature'];
    const isOn = typeof feature !== 'string' || served.features.includes(feature);
    if (!isOn || !names.has(String(operation.operationId)) || isLeftOut(operation, served)) continue;
    const { [path]: kept = withoutMethods(item) } = paths;
    paths[path] = { ...kept, [method]: { ...operation, security: securityOf(operation, served) } };
  }
  return paths;
}

/** The paths with the operations of one audience alone. */
function pathsOf(document: JoinedDocument, audience: Audience): JoinedDocument['paths'] {
  const paths: JoinedDocument['paths'] = {};
  for (const { path, item, method, operation } of walk(document))
    if (audienceOf(operation) === audience) {
      const { [path]: kept = withoutMethods(item) } = paths;
      paths[path] = { ...kept, [method]: operation };
    }
  return paths;
}

const audienceOf = ({ security, 'x-management': isManagement }: Tree): Audience =>
  isManagement === true || authenticationOf((security as Tree[]) ?? []) === 'required' ? 'management' : 'protocol';

/** Whether an operation needs accounts where there are none, or is only for where there are none. */
const isLeftOut = ({ 'x-accounts': accounts }: Tree, { wallet2Accounts }: ServedParts): boolean =>
  wallet2Accounts !== undefined && accounts === (wallet2Accounts === 'none' ? 'required' : 'none');

function securityOf({ security, ...operation }: Tree, { management, wallet2Accounts }: ServedParts): unknown {
  if (management === 'token' && operation['x-management'] === true) return [{ management: [] }];
  return wallet2Accounts === 'none' && 'x-accounts' in operation ? [] : security;
}

const withoutMethods = (item: Tree): Tree =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !METHODS.includes(name)));

/** The document with only the components and tags that its paths use. */
function publish({ 'x-documents': _, 'x-resolved': __, ...document }: JoinedDocument, publicUrl: string): Tree {
  const used = new Set([...walk(document)].flatMap(({ operation }) => operation.tags));
  return {
    ...document,
    servers: [{ url: publicUrl }],
    tags: document.tags.filter(({ name }) => used.has(name)),
    components: usedComponents(document),
  };
}

/** The components that the paths refer to, directly or through others, and the logins that they name. */
function usedComponents(document: Pick<JoinedDocument, 'paths' | 'components'>): JoinedDocument['components'] {
  const logins = [...walk(document)]
    .flatMap(({ operation }) => (operation.security as Tree[]) ?? [])
    .flatMap(Object.keys);
  const used = new Set(logins.map((name) => `#/components/securitySchemes/${name}`));
  noteReferences(document.paths, used);
  // A set also visits what is added to it meanwhile.
  for (const reference of used) noteReferences(componentAt(document, reference), used);
  const kept = Object.entries(document.components).map(([kind, named]) => {
    const isUsed = ([name]: [string, unknown]): boolean => used.has(`#/components/${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(named).filter(isUsed))] as const;
  });
  return Object.fromEntries(kept.filter(([, named]) => Object.keys(named).length > 0));
}

function componentAt({ components }: Pick<JoinedDocument, 'components'>, reference: string): unknown {
  const [, , kind = '', name = ''] = reference.split('/');
  return components[kind]?.[name];
}

/** Adds every reference to a component: the values of `$ref`, and the mappings of discriminators. */
function noteReferences(node: unknown, found: Set<string>): void {
  if (typeof node === 'string' && node.startsWith('#/components/')) found.add(node);
  if (typeof node === 'object' && node !== null)
    for (const member of Object.values(node)) noteReferences(member, found);
}

/** The operations of a document. */
export function* walk({ paths }: Tree): Generator<{ path: string; item: Tree; method: string; operation: Tree }> {
  for (const [path, item] of Object.entries(paths as Record<string, Tree>))
    for (const method of METHODS) if (isObject(item[method])) yield { path, item, method, operation: item[method] };
}

function readOperations(joined: JoinedDocument, isWithoutAccounts: boolean): Operation[] {
  const { 'x-documents': documents, 'x-resolved': texts } = joined;
  const names = new Map(Object.entries(documents).flatMap(([name, part]) => part.operations.map((id) => [id, name])));
  return [...walk(joined)].map(({ path, method, operation }) => {
    let resolved: Tree | undefined;
    return {
      operationId: String(operation.operationId),
      document: names.get(String(operation.operationId)) ?? '',
      method: method.toUpperCase(),
      path,
      get parameters() {
        return this.resolved.parameters as Operation['parameters'];
      },
      get requestBody() {
        return this.resolved.requestBody as Operation['requestBody'];
      },
      get responses() {
        return this.resolved.responses as Operation['responses'];
      },
      authentication: authenticationOf((operation.security as Tree[]) ?? []),
      realm: ((operation.security as Tree[]) ?? []).some((one) => 'enterprise' in one) ? 'enterprise' : 'wallet',
      isOfOperator: isWithoutAccounts && 'x-accounts' in operation,
      isManagement: operation['x-management'] === true,
      cors: (operation['x-cors'] as Operation['cors'] | undefined) ?? 'none',
      rawText: operation['x-raw-text'] === true,
      oauthErrors: operation['x-oauth-errors'] as string | undefined,
      ignoreUnknown: operation['x-ignore-unknown'] === true,
      lateQuery: operation['x-late-query'] === true,
      lateBody: ((operation.security as Tree[]) ?? []).some((one) => 'accessToken' in one),
      maxBodyBytes: operation['x-max-body-bytes'] as number | undefined,
      rateLimit: operation['x-rate-limit'] as string | undefined,
      permission: permissionOf(operation),
      mounted: operation['x-mounted'] as string | undefined,
      aliases: aliasesOf(operation),
      get resolved() {
        resolved ??= { ...JSON.parse(String(texts[this.operationId])), path, method } as Tree;
        return resolved;
      },
    };
  });
}

const aliasesOf = ({ 'x-aliases': listed = [] }: Tree): Operation['aliases'] =>
  (listed as (string | Operation['aliases'][number])[]).map((one) => (typeof one === 'string' ? { path: one } : one));

const permissionOf = ({ 'x-permission': action, 'x-permission-at': at = '{target}' }: Tree): Operation['permission'] =>
  action === undefined ? undefined : { action: String(action), at: String(at) };

function authenticationOf(security: Tree[]): Operation['authentication'] {
  const login = security.some((requirement) => LOGIN_SCHEMES.some((scheme) => scheme in requirement));
  if (!login) return 'none';
  return security.some((requirement) => Object.keys(requirement).length === 0) ? 'optional' : 'required';
}
