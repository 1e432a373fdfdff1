import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';

const MIB = 1024 * 1024;
const HEAP_MIB = 256;
const AT_ONCE = 8;

describe('the memory of a server with a small heap', () => {
  let folder: string;
  let command: CommandProcess;
  let host: Server;
  let url: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-memory-'));
    await mkdir(join(folder, 'config'));
    await writeFile(join(folder, 'config', 'outbound.conf'), 'allow = [ "127.0.0.1" ]');
    command = runCommandProcess(['serve'], {
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
      DATA_DIR: join(folder, 'data'),
      CONFIG_DIR: join(folder, 'config'),
      PORT: '0',
    });
    [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    host = createServer((request, response) => {
      const bytes = Number(new URL(request.url ?? '/', 'http://host').searchParams.get('bytes'));
      const offer = { credential_issuer: 'https://issuer.example', credential_configuration_ids: ['a'] };
      // Small values take far more memory than their text; an offer may have 20,000 values, of which each here counts as two.
      const more = `[${'[],'.repeat((bytes - 200) / 3)}[]]`;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(offer).slice(0, -1)},"more":${more}}`);
    }).listen(0, '127.0.0.1');
  });
  after(async () => {
    command.child.kill('SIGKILL');
    host.closeAllConnections();
    host.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is bounded, regardless of the number of large offers that a wallet resolves', async () => {
    const person = { type: 'email', name: 'Ada', email: 'ada@example.org', password: 'a long secret-password' };
    const send = (path: string, body: string, headers: Record<string, string>) =>
      fetch(`${url}${path}`, { method: 'POST', headers, body });
    const json = { 'content-type': 'application/json' };
    await send('/wallet-api/auth/register', JSON.stringify(person), json);
    const { token } = (await (await send('/wallet-api/auth/login', JSON.stringify(person), json)).json()) as {
      token: string;
    };
    const authorization = `Bearer ${token}`;
    const { wallets } = (await (
      await fetch(`${url}/wallet-api/wallet/accounts/wallets`, { headers: { authorization } })
    ).json()) as { wallets: { id: string }[] };
    const path = `/wallet-api/wallet/${wallets[0]?.id}/exchange/resolveCredentialOffer`;
    const from = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const look = async (bytes: number, at: number): Promise<number> => {
      const link = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(`${from}/?bytes=${bytes}&at=${at}`)}`;
      const answer = await send(path, link, { 'content-type': 'text/plain', authorization });
      await answer.arrayBuffer();
      return answer.status;
    };
    const statuses = async (bytes: number, count: number): Promise<number[]> => {
      const found: number[] = [];
      for (let at = 0; at < count; at += AT_ONCE)
        found.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => look(bytes, at + index)))));
      return [...new Set(found)];
    };
    // If all were kept, each kind would take more than the heap.
    expect(await statuses(4 * MIB, 72), 'too large').to.deep.equal([502]);
    expect(await statuses(29_000, 800), 'large').to.deep.equal([200]);
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
    expect(command.child.exitCode).to.equal(null);
  });
});
