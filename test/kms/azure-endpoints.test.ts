import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bypass, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { FakeAzure } from '../../demo/fake-clouds/azure.ts';
import type { DomainError } from '../../domain/foundation/errors.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';
import { testScript } from '../support/processes/script.ts';

const DATA = Buffer.from('data');

/** The vaults of the clouds, and the resources that their challenges demand. */
const CLOUDS: [string, string, string][] = [
  ['https://credenza.vault.azure.net', 'https://vault.azure.net', 'https://login.microsoftonline.com'],
  ['https://credenza.managedhsm.azure.net', 'https://managedhsm.azure.net', 'https://login.microsoftonline.com'],
  ['https://credenza.vault.usgovcloudapi.net', 'https://vault.usgovcloudapi.net', 'https://login.microsoftonline.us'],
  ['https://credenza.vault.azure.cn', 'https://vault.azure.cn', 'https://login.chinacloudapi.cn'],
];

/** A text with `<id>` for each UUID and each version of a key. */
const withoutIds = (text: string): string =>
  text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}/g, '<id>');

/** Calls by fetch, which msw intercepts; undici with an agent of its own, as the server calls, it does not. */
const byFetch: Outbound = {
  check: () => undefined,
  send: async ({ method, url, headers, body }) => {
    const reply = await fetch(url, { method, headers, body: body as string, redirect: 'manual' });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    return { status: reply.status, headers: Object.fromEntries(reply.headers), body: bytes };
  },
};

describe('The endpoints of Azure Key Vault', () => {
  const msw = setupServer();
  before(() => msw.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => msw.resetHandlers());
  after(() => msw.close());

  /** Answers the calls to an origin by a fake, and notes them. */
  const lead = (origin: string, fake: string, called: string[]) =>
    http.all(`${origin}/*`, async ({ request }) => {
      called.push(`${request.method} ${withoutIds(request.url)}`);
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === 'GET' ? undefined : await request.text();
      const reply = await fetch(bypass(`${fake}${pathname}${search}`, { method, headers, body }));
      return new HttpResponse(await reply.text(), { status: reply.status, headers: reply.headers });
    });

  for (const [vaultUrl, resource, authorityHost] of CLOUDS)
    it(`${vaultUrl}: the vendor's library verifies the resource of its challenge (seen by msw, on fetch)`, async () => {
      const fake = await FakeAzure.start({ vaultUrl, resource });
      const called: string[] = [];
      msw.use(lead(vaultUrl, fake.vault.url, called), lead(authorityHost, fake.authority.url, called));
      const { backends } = remoteBackends({ kmsb: { authorityHost }, outbound: byFetch });
      const reference = await backends.create('kmsb', { keyType: 'secp256k1', config: fake.config });
      expect(reference.id).to.match(new RegExp(`^${vaultUrl}/keys/credenza-`));
      await backends.signer(reference).sign(DATA);
      await backends.remove(reference);
      expect(called).to.deep.equal([
        `POST ${vaultUrl}/keys/credenza-<id>/create?api%2Dversion=7.4`,
        `POST ${authorityHost}/<id>/oauth2/v2.0/token`,
        `POST ${vaultUrl}/keys/credenza-<id>/create?api%2Dversion=7.4`,
        `POST ${vaultUrl}/keys/credenza-<id>/<id>/sign?api%2Dversion=7.4`,
        `DELETE ${vaultUrl}/keys/credenza-<id>?api%2Dversion=7.4`,
      ]);
      const form = new URLSearchParams(fake.authority.calls[0]?.body.toString());
      expect(form.get('scope')).to.equal(`${resource}/.default`);
      await fake.close();
    });

  it('a challenge for a resource that is not the domain of the vault: 400, and the authority is not asked', async () => {
    const [[vaultUrl, , authorityHost] = ['', '', '']] = CLOUDS;
    const resources = [
      'https://graph.microsoft.com',
      'https://credenza.vault.azure.net',
      'https://ult.azure.net',
      'text',
    ];
    for (const resource of resources) {
      const fake = await FakeAzure.start({ vaultUrl, resource });
      const called: string[] = [];
      msw.use(lead(vaultUrl, fake.vault.url, called), lead(authorityHost, fake.authority.url, called));
      const { backends } = remoteBackends({ kmsb: { authorityHost }, outbound: byFetch });
      const creating = backends.create('kmsb', { keyType: 'secp256r1', config: fake.config });
      const error: DomainError = await creating.catch((reason) => reason);
      expect(error.code, resource).to.equal('BadRequest');
      expect(error.details?.[0]?.path, resource).to.deep.equal(['config', 'auth']);
      expect(called, resource).to.have.length(1);
      await fake.close();
    }
  });

  it('environment variables change nothing, nothing is logged, and the library is loaded at the first use', async () => {
    const hostile = {
      ...{ HTTPS_PROXY: 'no proxy', HTTP_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1', NO_PROXY: '*' },
      ...{ AZURE_LOG_LEVEL: 'verbose', TYPESPEC_RUNTIME_LOG_LEVEL: 'verbose', DEBUG: 'azure*,typeSpecRuntime*' },
      ...{ AZURE_CLIENT_ID: 'ambient', AZURE_TENANT_ID: 'ambient', AZURE_CLIENT_SECRET: 'ambient' },
      ...{ AZURE_AUTHORITY_HOST: 'https://evil.example', MSI_ENDPOINT: 'http://127.0.0.1:1' },
    };
    const run = async (more: Record<string, string>) => {
      const { file, execArgv } = testScript('test/support/kms/azure-process.ts');
      const args = [...execArgv, file];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
        env: { PATH: process.env.PATH, ...more },
      });
      expect(stderr).to.equal('');
      return withoutIds(stdout);
    };
    const plain = await run({});
    const { called, keys, loaded } = JSON.parse(plain);
    expect(called).to.have.length(6);
    expect({ keys, loaded }).to.deep.equal({ keys: 0, loaded: [false, true] });
    expect(await run(hostile)).to.equal(plain);
  });
});
