import type { Grant } from '../../domain/tenancy/access/permissions.ts';
import { type Answer, type ServerOptions, startServer, type TestServer } from '../support/servers/server.ts';

export const TOKEN = 'a-token-of-the-operator-1';
export const PASSWORD = 'correct horse battery';
export const SUPERADMIN = 'root@example.org';

/** An entry of superadmin-registration.conf. */
export const registration = (email = SUPERADMIN, expiration = '2100-01-01T00:00:00Z') => ({
  expiration,
  account: { type: 'email' as const, identifier: { email }, data: { password: PASSWORD } },
});

/** The settings of a server for `enterpriseOn`. */
export const ENTERPRISE_SETTINGS: ServerOptions['settings'] = {
  superadminRegistration: { tokens: { [TOKEN]: registration() } },
  rateLimit: { superadmin_create_by_token_endpoint: { requestsPerMinute: 10_000 } },
};

/** A server with a superadmin, and the organization `acme` with `acme.t1` and one service of each kind that stores records. */
export interface EnterpriseFixture {
  server: TestServer;
  /** The superadmin's bearer token. */
  root: string;
  post(operationId: string, target: string, json?: unknown, token?: string): Promise<Answer>;
  /** Registers an account with one role made of these permissions, and logs it in. */
  member(permissions: Grant[], org?: string): Promise<{ token: string; id: string }>;
  close(): Promise<void>;
}

export const KMS = 'acme.t1.kms1';
export const DID_STORE = 'acme.t1.dids1';
export const CREDENTIAL_STORE = 'acme.t1.creds1';
export const VERIFIER = 'acme.t1.verifier1';

export const POLICY_STORE = 'acme.t1.policies1';

export const may = (target: string, action = 'all'): Grant => ({ target, action, operation: 'ADD' });
export const mayNot = (target: string, action = 'all'): Grant => ({ target, action, operation: 'REMOVE' });

let members = 0;

export async function startEnterprise(
  more: ServerOptions['settings'] = {},
  options: Omit<ServerOptions, 'settings'> = {},
): Promise<EnterpriseFixture> {
  return enterpriseOn(await startServer({ ...options, settings: { ...ENTERPRISE_SETTINGS, ...more } }));
}

/** Creates the superadmin, the organization and its services on a server that has none. */
export async function enterpriseOn(server: TestServer): Promise<EnterpriseFixture> {
  await server.call('createSuperadmin', { text: TOKEN });
  const root = await login(server, SUPERADMIN);
  const post: EnterpriseFixture['post'] = (operationId, target, json, token = root) =>
    server.call(operationId, { path: { target }, json, token });
  await server.call('createOrganization', { json: { _id: 'acme', profile: { name: 'Acme' } }, token: root });
  await post('createTenant', 'acme.t1', {});
  await post('createService', KMS, { type: 'kms' });
  await post('createService', DID_STORE, { type: 'did-store' });
  await post('createService', CREDENTIAL_STORE, { type: 'credential-store' });
  await post('createService', POLICY_STORE, { type: 'policy-store' });
  await post('createService', VERIFIER, { type: 'verifier2', dependencies: [KMS] });
  const member: EnterpriseFixture['member'] = async (permissions, org = 'acme') => {
    members += 1;
    const email = `member${members}@example.org`;
    const { body } = await server.call('registerEnterpriseAccount', { json: accountRequest(email), token: root });
    const role = `role${members}`;
    await post('createRole', `${org}.${role}`, { name: role, permissions });
    await server.call('assignRole', { path: { accountId: body._id, org, roleId: role }, token: root });
    return { token: await login(server, email), id: body._id };
  };
  return { server, root, post, member, close: () => server.close() };
}

export const accountRequest = (email: string) => ({
  profile: { name: 'Member' },
  initialAuth: { type: 'email', identifier: { type: 'email', email }, data: { type: 'email', password: PASSWORD } },
});

export async function login(server: TestServer, email: string): Promise<string> {
  return (await server.call('loginEnterpriseAccount', { json: { email, password: PASSWORD } })).body.token;
}

/** An answer without its request id, which differs between requests. */
export function withoutRequestId({ status, body }: Answer): { status: number; body: unknown } {
  const { requestId: _, ...rest } = body;
  return { status, body: rest };
}

export const oversized = { text: 'x'.repeat(1024 * 1024 + 1), contentType: 'application/json' };
export const asForm = { form: { a: 'b' } };

/** The did:jwk of a public key as a service shows it. */
export const jwkDid = ({ kid: _, ...jwk }: Record<string, unknown>): string =>
  `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;

/** The public key of the tenant's kms in the shape of any backend. @throws Error without one */
export function publicJwkIn(key: unknown): Record<string, unknown> {
  const find = (value: unknown): Record<string, unknown> | undefined => {
    const object: unknown = typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
    if (typeof object !== 'object' || object === null) return undefined;
    return 'kty' in object ? { ...object } : Object.values(object).map(find).find(Boolean);
  };
  const { kty, crv, x, y } = find(key) ?? {};
  if (kty === undefined) throw new Error('There is no public key');
  return { kty, crv, x, y };
}

/** The paths of the details of a 400. */
export const fieldsOf = ({ body }: Answer): string[] => (body.details ?? []).map(({ path }: { path: string }) => path);
