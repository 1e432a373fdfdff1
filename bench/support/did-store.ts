import { join } from 'node:path';
import { fillSqlite } from './did-rows.ts';
import { encode } from './load.ts';
import { PAGE } from './pages.ts';
import { configFolder } from './servers.ts';

/** The DID store whose list is read. */
export const DID_STORE = 'acme.dids';

const TOKEN = 'a-token-of-the-operator';
const ADMIN = { identifier: { email: 'root@example.org' }, data: { password: 'correct horse battery' } };
const JSON_TYPE = 'application/json';

/** Returns the folder of a server whose DID store has `count` DIDs. */
export async function didStoreFolder({ count, workers }: { count: number; workers: number }): Promise<string> {
  const registration = { expiration: '2100-01-01T00:00:00Z', account: { type: 'email', ...ADMIN } };
  const folder = configFolder({
    services: { services: ['enterprise'], workers },
    'superadmin-registration': { tokens: { [TOKEN]: registration } },
  });
  await fillSqlite(join(folder, 'credenza.sqlite'), { [DID_STORE]: count });
  return folder;
}

/** Creates the organization and the service of the DIDs; returns the request for their newest page, as an administrator. */
export async function openDidStore(port: number): Promise<Buffer> {
  const post = async (path: string, body: unknown, token?: string): Promise<Response> => {
    const headers = { 'content-type': JSON_TYPE, ...(token && { authorization: `Bearer ${token}` }) };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const { identifier, data } = ADMIN;
  await post('/v1/superadmin/create-by-token', { token: TOKEN });
  const login = await post('/auth/account/emailpass', { ...identifier, ...data });
  const { token } = (await login.json()) as { token: string };
  await post('/v1/admin/organizations', { _id: 'acme', profile: { name: 'Acme' } }, token);
  await post(`/v1/${DID_STORE}/resource-api/services/create`, { type: 'did-store' }, token);
  return encode({
    method: 'GET',
    target: `/v1/${DID_STORE}/did-store-service-api/dids?limit=${PAGE}&sort=createdDateTime`,
    headers: { authorization: `Bearer ${token}` },
  });
}
