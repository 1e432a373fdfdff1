import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { until } from '../support/runs/waiting.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { freePort } from '../support/stores/redis.ts';
import { makeCertificate, testCa, testKeys } from '../support/trust/certificates.ts';

/** What a proxy is started with. */
interface Place {
  folder: string;
  port: number;
  /** Of the server. */
  backend: string;
}

/** One row a proxy: its file, how it is started with what a test has in place of the operator's, and its certificate. */
const PROXIES: Record<
  string,
  { file: string; adapted(text: string, place: Place): string; args(file: string): string[] }
> = {
  nginx: {
    file: 'nginx.conf',
    adapted: (text, { folder, port }) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const own = text
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace(/\/etc\/ssl\/\S+\.pem/, `${folder}/both.pem`)
        .replace(/\/etc\/ssl\/\S+\.key/, `${folder}/both.pem`);
      return `daemon off; master_process off; pid ${folder}/nginx.pid; events {}
        http { access_log off; ${temporary.join(' ')} ${own} }`;
    },
    args: (file) => ['-e', 'stderr', '-c', file],
  },
  caddy: {
    file: 'Caddyfile',
    adapted: (text, { folder, port }) =>
      `{\nadmin off\nauto_https disable_redirects\n}\n${text.replace(
        /^issuer\.example\.org \{/m,
        `https://localhost:${port} {\ntls ${folder}/both.pem ${folder}/both.pem`,
      )}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: {
    file: 'haproxy.cfg',
    adapted: (text, { folder, port }) =>
      text.replace(
        'bind :443 ssl crt /etc/haproxy/issuer.example.org.pem',
        `bind 127.0.0.1:${port} ssl crt ${folder}/both.pem`,
      ),
    args: (file) => ['-db', '-f', file],
  },
};

for (const [program, { file, adapted, args }] of Object.entries(PROXIES))
  describe(`deploy/proxies/${file}`, () => {
    const dispatcher = new Agent({ connect: { ca: testCa().pem } });
    let folder: string;
    let server: TestServer;
    let proxy: ChildProcess;
    let base: string;
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const { statusCode: status, headers: got, body } = await request(`${base}${path}`, { headers, dispatcher });
      return { status, headers: got, text: await body.text() };
    };
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'credenza-proxy-'));
      const port = await freePort();
      base = `https://localhost:${port}`;
      const settings = { publicUrl: `${base}/cards`, services: { trustedProxies: ['127.0.0.1'] } };
      server = await startServer({ settings });
      const own = testKeys('P-256', 9);
      const { pem } = makeCertificate({
        subject: 'CN=localhost',
        issuer: testCa(),
        keys: own,
        altNames: [{ dNSName: 'localhost' }],
      });
      writeFileSync(join(folder, 'both.pem'), `${pem}\n${own.privateKey.export({ type: 'pkcs8', format: 'pem' })}`);
      const place = { folder, port, backend: new URL(server.url).host };
      const text = adapted(readFileSync(`deploy/proxies/${file}`, 'utf8'), place).replaceAll(
        '127.0.0.1:7001',
        place.backend,
      );
      expect(text).to.not.include('issuer.example.org.');
      writeFileSync(join(folder, file), text);
      const env = {
        ...process.env,
        PATH: `${process.env.PATH}:/usr/sbin`,
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      };
      proxy = spawn(program, args(join(folder, file)), { env, stdio: 'ignore' });
      await until(() =>
        ask('/cards/livez').then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
    });
    after(async () => {
      proxy?.kill('SIGKILL');
      await dispatcher.close();
      await server?.close();
      rmSync(folder, { recursive: true });
    });

    it('serves everything below the prefix, and well-known documents at both places', async () => {
      for (const issuer of ['draft13', 'openid4vci']) {
        const { status, text } = await ask(`/.well-known/openid-credential-issuer/cards/${issuer}`);
        expect(status).to.equal(200);
        expect(JSON.parse(text).credential_issuer).to.equal(`${base}/cards/${issuer}`);
      }
      expect((await ask('/cards/draft13/.well-known/openid-credential-issuer')).status).to.equal(200);
      const moved = await ask('/cards');
      expect([moved.status, moved.headers.location]).to.deep.equal([302, `${base}/cards/`]);
      const { text: page } = await ask('/cards/');
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
      expect((await ask(new URL(script, `${base}/cards/`).pathname)).status).to.equal(200);
    });

    it('passes on nothing else', async () => {
      for (const path of ['/', '/livez', '/cardsharp/livez', '/openid4vci/nonce', '/.well-known/openid-configuration'])
        expect((await ask(path)).status, path).to.equal(404);
    });

    it('says where a request is from, regardless of what the client wrote', async () => {
      await ask('/cards/readyz', { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' });
      const { fields } =
        server.lines.findLast(
          ({ message, fields: { operation } }) => message === 'request' && operation === 'getReadiness',
        ) ?? {};
      expect(fields?.source).to.equal('127.0.0.1');
    });
  });
