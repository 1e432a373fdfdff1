import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillSqlite } from './did-rows.ts';
import { encode } from './http/load.ts';
import { PAGE } from './pages.ts';

/** The DID store whose list is read. */
export const DID_STORE = 'acme.dids';

const TOKEN = 'a-token-of-the-operator';
const ADMIN = { identifier: { email: 'root@example.org' }, data: { password: 'correct horse battery' } };
const JSON_TYPE = 'application/json';

/** A folder with the configuration and the data of a server whose DID store holds `count` DIDs. */
export async function didStoreFolder({ count, workers }: { count: number; workers: number }): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const registration = { expiration: '2100-01-01T00:00:00Z', account: { type: 'email', ...ADMIN } };
  const write = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content));
  write('services.conf', { services: ['enterprise'], workers });
  write('superadmin-registration.conf', { tokens: { [TOKEN]: registration } });
  await fillSqlite(join(folder, 'credenza.sqlite'), { [DID_STORE]: count });
  return folder;
}

/** Makes what the DIDs hang from and gives the request for a page of them, the newest, as an administrator. */
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
