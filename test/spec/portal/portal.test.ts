import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { request } from 'undici';
import { portalHandlers } from '../../../adapters/http/handlers/portal.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('the portal', () => {
  const server = useServer();

  /** The names of the files that the document loads. */
  const assetsOf = (document: string): string[] =>
    [...document.matchAll(/"portal\/([^"]+)"/g)].map(([, name = '']) => name);

  describe('getPortal', () => {
    it('200: is a document that loads files of this origin only, with addresses relative to its own', async () => {
      const { body, headers } = await server.call('getPortal');
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('no-cache');
      expect(assetsOf(body)).to.have.length(4);
      const places = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, place]) => place);
      expect(places.filter((place) => !/^(?:portal\/|docs$|favicon\.ico$)/.test(place))).to.deep.equal([]);
      expect(Buffer.byteLength(body)).to.be.below(1500);
    });

    it('200: has a policy without exceptions', async () => {
      const { headers } = await server.call('getPortal');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).to.include("default-src 'none'").and.include("require-trusted-types-for 'script'");
      expect(policy).to.not.match(/unsafe|https?:|\*/);
      expect(Object.fromEntries(headers)).to.include({
        'permissions-policy': 'camera=(self)',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
    });

    it('200: ignores query parameters', async () => {
      expect((await server.fetch('/?utm_source=mail')).status).to.equal(200);
    });

    it('304: the caller has this document', async () => {
      const { headers } = await server.call('getPortal');
      const answer = await server.call('getPortal', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect(answer.status).to.equal(304);
    });

    it('a file that could not be read is read again', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'credenza-portal-'));
      const { getPortal } = portalHandlers({ files: pathToFileURL(`${folder}/`), settings: {} as never });
      const open = async () => (await getPortal({ headers: {} } as never)).status;
      expect(await open().catch(({ code }) => code)).to.equal('ENOENT');
      await writeFile(join(folder, 'assets.json'), JSON.stringify({ document: '<!doctype html>', assets: {} }));
      expect(await open()).to.equal(200);
      await rm(folder, { recursive: true });
    });

    it('without the service there is nothing at its paths, and everything else is as it was', async () => {
      const services = ['wallet', 'issuer', 'verifier', 'status', 'enterprise'] as const;
      const without = await startServer({ settings: { services: { services: [...services] } } });
      try {
        for (const path of ['/', '/portal.json', '/portal/main.js'])
          expect((await request(`${without.url}${path}`)).statusCode, path).to.equal(404);
        expect((await without.fetch('/docs')).status).to.equal(200);
        const { paths } = (await without.call('getContract')).body;
        expect(Object.keys(paths).filter((path) => path === '/' || path.startsWith('/portal'))).to.deep.equal([]);
      } finally {
        await without.close();
      }
    });
  });

  describe('getPortalAsset', () => {
    it('200: is kept for a year, since its name changes with its content', async () => {
      const { body } = await server.call('getPortal');
      for (const asset of assetsOf(body)) {
        const { status, headers } = await server.call('getPortalAsset', { path: { asset } });
        expect(status).to.equal(200);
        expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
        expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin');
        expect(headers.get('vary')).to.equal('Accept-Encoding');
        expect(asset).to.match(/-[A-Z0-9]{8}\.\w+$/);
      }
    });

    it('200: a page of the documentation has the policy of the document', async () => {
      const { body, headers: of } = await server.call('getPortal');
      const asset = assetsOf(body).find((name) => name.endsWith('.html')) ?? '';
      const { headers } = await server.call('getPortalAsset', { path: { asset } });
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      for (const name of ['content-security-policy', 'referrer-policy', 'cross-origin-opener-policy'])
        expect(headers.get(name), name).to.equal(of.get(name));
    });

    it('200: is sent as the build compressed it, in the smallest form that the caller takes', async () => {
      const [asset = ''] = assetsOf((await server.call('getPortal')).body);
      const wire = async (encoding: string) => {
        const { headers, body } = await request(`${server.url}/portal/${asset}`, {
          headers: { 'accept-encoding': encoding },
        });
        return { encoding: headers['content-encoding'], bytes: Buffer.from(await body.arrayBuffer()) };
      };
      const plain = readFileSync(`dist/portal/${asset}`);
      const brotli = await wire('gzip, br');
      expect(brotli.encoding).to.equal('br');
      expect(brotliDecompressSync(brotli.bytes).equals(plain)).to.equal(true);
      expect((await wire('gzip, br;q=0')).encoding).to.equal('gzip');
      const unpacked = await wire('identity');
      expect(unpacked.encoding).to.equal(undefined);
      expect(unpacked.bytes.equals(plain)).to.equal(true);
    });

    it('400: a name that is too long', async () => {
      expect((await server.call('getPortalAsset', { path: { asset: 'a'.repeat(129) } })).status).to.equal(400);
    });

    it('404: names a file that this version does not have, which no cache keeps; a path leads nowhere', async () => {
      const { status, headers } = await server.call('getPortalAsset', { path: { asset: 'main-00000000.js' } });
      expect(status).to.equal(404);
      expect(headers.get('cache-control')).to.equal('no-store');
      for (const asset of [
        'assets.json',
        'inputs.sha256',
        '../client/client.js',
        '..%2F..%2Fpackage.json',
        '__proto__',
      ])
        expect((await server.call('getPortalAsset', { path: { asset } })).status, asset).to.equal(404);
    });
  });

  describe('getVerifyButton', () => {
    it('200: under 8 kB, for pages of any origin, by a name that stays; the other files are for this origin alone', async () => {
      const { status, body, headers } = await server.call('getVerifyButton', {
        headers: { origin: 'https://shop.example' },
      });
      expect(status).to.equal(200);
      expect(Buffer.byteLength(body)).to.be.below(8000);
      expect(body)
        .to.include('credenza-verify')
        .and.not.match(/innerHTML|eval\(|new Function|\.style\b|sourceMapping/);
      expect(Object.fromEntries(headers)).to.include({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=300',
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
      const { headers: others } = await server.fetch('/', { headers: { origin: 'https://shop.example' } });
      expect(others.get('access-control-allow-origin')).to.equal(null);
      expect((await server.fetch('/portal/verify-button.js?v=2')).status).to.equal(200);
    });

    it('304: the caller has this script', async () => {
      const { headers } = await server.call('getVerifyButton');
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await server.call('getVerifyButton', { headers: known })).status).to.equal(304);
    });
  });

  describe('getPortalSettings', () => {
    it('200: states what runs here and nothing that is secret', async () => {
      const { body, headers } = await server.call('getPortalSettings');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(body).to.deep.include({
        publicUrl: server.url,
        isLoopback: true,
        services: ['wallet', 'wallet2', 'issuer', 'verifier', 'status', 'enterprise', 'portal', 'signin'],
        management: 'open',
        title: 'Credenza',
        areas: ['tour', 'wallet', 'office'],
        links: {},
      });
    });

    it('400: takes no query', async () => {
      expect((await server.call('getPortalSettings', { query: { unknown: '1' } })).status).to.equal(400);
    });

    it('200: a public address is none of this machine', async () => {
      const remote = await startServer({ settings: { publicUrl: 'https://cards.example.org' } });
      try {
        expect((await remote.call('getPortalSettings')).body).to.include({
          isLoopback: false,
          publicUrl: 'https://cards.example.org',
        });
      } finally {
        await remote.close();
      }
    });
  });
});
