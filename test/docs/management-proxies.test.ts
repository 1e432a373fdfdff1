import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { type Dispatcher, request } from 'undici';
import { parse } from 'yaml';
import { managementFiles } from '../../scripts/write-proxies.mjs';
import { contract, joined } from '../support/documents/contract.ts';
import { documentedPath } from '../support/documents/operation-calls.ts';
import { until } from '../support/runs/waiting.ts';
import { freePort } from '../support/stores/redis.ts';

const FOLDER = 'deploy/proxies/management';
const WALLET = '00000000-0000-4000-8000-000000000000';

/** One row a proxy: what stands around its file, for ports of this machine, and how it is started. */
const PROXIES: Record<
  string,
  { file: string; around(file: string, own: number, backend: number): string; args(file: string): string[] }
> = {
  nginx: {
    file: 'nginx.conf',
    around: (file, own, backend) => `daemon off; master_process off; pid ${file}.pid; events {}
      http { access_log off; proxy_temp_path ${file}.temp; client_body_temp_path ${file}.body; include ${file};
        server { listen 127.0.0.1:${own};
          if ($is_refused) { return 403; }
          location / { proxy_pass http://127.0.0.1:${backend}; } } }`,
    args: (file) => ['-e', 'stderr', '-c', file],
  },
  caddy: {
    file: 'Caddyfile',
    around: (file, own, backend) => `{
        admin off
        auto_https off
      }
      import ${file}
      http://127.0.0.1:${own} {
        import management
        reverse_proxy 127.0.0.1:${backend}
      }`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
};

describe('deploy/proxies/management', () => {
  it('has the operations of the documents; `npm run docs` writes it', () => {
    const written = Object.fromEntries(
      readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
    );
    expect(written).to.deep.equal(managementFiles(joined));
  });

  it('the rules for Traefik are those for the others', async () => {
    const { http } = parse(readFileSync(join(FOLDER, 'traefik.yaml'), 'utf8'));
    const rules = Object.entries(http.routers as Record<string, { rule: string }>).flatMap(([name, { rule }]) =>
      name === 'backends' ? [] : [rule],
    );
    const passes = (method: string, path: string): boolean =>
      rules.some((rule) => {
        const paths = [...rule.matchAll(/PathRegexp\(`([^`]+)`\)/g)].map(([, pattern = '']) => new RegExp(pattern));
        return rule.includes(`Method(\`${method}\`)`) && paths.some((pattern) => pattern.test(path));
      });
    for (const operation of (await contract).operations) {
      const [path = ''] = documentedPath(operation, { wallet: WALLET }).split('?');
      expect(passes(operation.method, path), operation.operationId).to.equal(!operation.isManagement);
    }
  });

  for (const [program, { file, around, args }] of Object.entries(PROXIES))
    describe(program, () => {
      let folder: string;
      let backend: Server;
      const seen: string[] = [];
      const running: ChildProcess[] = [];
      before(async () => {
        folder = mkdtempSync(join(tmpdir(), 'credenza-management-'));
        backend = createServer(({ url = '' }, answer) => {
          seen.push(url);
          answer.end();
        });
        await new Promise<void>((done) => backend.listen(0, '127.0.0.1', done));
      });
      after(() => {
        for (const proxy of running) proxy.kill('SIGKILL');
        backend.closeAllConnections();
        backend.close();
        rmSync(folder, { recursive: true });
      });

      /** Starts the proxy for a network of backends; returns what a request from this machine is answered. */
      async function start(network: string): Promise<(method: string, path: string) => Promise<number>> {
        const port = await freePort();
        const [own, whole] = [`${network.replace('/', '-')}-${file}`, `${port}.conf`].map((name) => join(folder, name));
        writeFileSync(`${own}`, readFileSync(join(FOLDER, file), 'utf8').replaceAll('10.0.0.0/8', network));
        const address = backend.address() as { port: number };
        writeFileSync(`${whole}`, around(resolve(`${own}`), port, address.port));
        const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder };
        running.push(spawn(program, args(`${whole}`), { env, stdio: 'ignore' }));
        const ask = async (method: string, path: string): Promise<number> => {
          const sent = { method: method as Dispatcher.HttpMethod };
          const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, sent);
          await body.dump();
          return statusCode;
        };
        await until(() =>
          ask('GET', '/livez').then(
            (status) => status === 200,
            () => false,
          ),
        );
        return ask;
      }

      it('passes on what is for all callers, as it was sent, and management from backends alone', async () => {
        const ask = await start('10.0.0.0/8');
        for (const operation of (await contract).operations) {
          const path = documentedPath(operation, { wallet: WALLET }).replace(/\?$/, '');
          const status = await ask(operation.method, path);
          expect(status, `${operation.method} ${path}`).to.equal(operation.isManagement ? 403 : 200);
          if (!operation.isManagement) expect(seen.at(-1)).to.equal(path);
        }
        const fromBackend = await start('127.0.0.0/8');
        for (const { method, path } of (await contract).operations.filter(({ isManagement }) => isManagement))
          expect(await fromBackend(method, path.replaceAll(/[{}]/g, ''))).to.equal(200);
      });

      it('refuses other spellings of management, and what is not of the server', async () => {
        const ask = await start('10.0.0.0/8');
        for (const [method, path] of [
          ['POST', '/onboard%2Fissuer'],
          ['POST', '/%6fnboard/issuer'],
          ['POST', '/livez/../onboard/issuer'],
          ['POST', '//onboard/issuer'],
          ['GET', '/issuer2/sessions/..%2f..%2flivez'],
          ['GET', '/metrics?x=/livez'],
          ['GET', '/metrics%3F/livez'],
          ['GET', '/none'],
        ] as const)
          expect(await ask(method, path), `${method} ${path}`).to.be.oneOf([400, 403]);
      });
    });
});
