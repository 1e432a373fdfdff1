import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { login, PASSWORD, registration, SUPERADMIN, TOKEN } from '../../actors/tenant.ts';
import { startServer } from '../../support/servers/server.ts';

/** RFC 8037 appendix A.1. */
const IMPORTED = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

describe('the data of the enterprise services', () => {
  it('has no secret and no credential in plain text, and is kept over a restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'credenza-'));
    const settings = { superadminRegistration: { tokens: { [TOKEN]: registration() } } };
    const first = await startServer({ settings, store: 'sqlite', dataDir });
    await first.call('createSuperadmin', { text: TOKEN });
    const token = await login(first, SUPERADMIN);
    const post = async (operationId: string, target: string, json: unknown) => {
      const answer = await first.call(operationId, { path: { target }, json, token });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer;
    };
    await first.call('createOrganization', { json: { _id: 'acme' }, token });
    await post('createTenant', 'acme.t1', {});
    await post('createService', 'acme.t1.any', {
      type: 'issuer2',
      supportedCredentialTypes: { Card: { format: 'dc+sd-jwt' } },
      profiles: { card: { name: 'Card', credentialConfigurationId: 'Card', credentialData: { level: 'CLEAR-1' } } },
      description: 'api_key=CLEAR-4',
    });
    await post('createService', 'acme.t1.kms', { type: 'kms' });
    await post('createService', 'acme.t1.creds', { type: 'credential-store' });
    const key = (await post('generateKey', 'acme.t1.kms.key', {})).body;
    await post('importTenantKey', 'acme.t1.kms.imported', IMPORTED);
    await post('createService', 'acme.t1.policies', { type: 'policy-store' });
    const args = { url: 'https://policy.example.org', bearerauth_token: 'CLEAR-5' };
    await post('addStoredPolicy', 'acme.t1.policies.hook', { name: 'Hook', policy: { policy: 'webhook', args } });
    const credential = { type: 'x', credentialData: { name: 'CLEAR-2' }, signed: 'CLEAR-3' };
    await post('addCredential', 'acme.t1.creds.one', { credential });
    await first.close();
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('credenza.sqlite'));
    const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(dataDir, name)))));
    expect(bytes.includes('acme.t1')).to.equal(true);
    for (const secret of ['CLEAR', IMPORTED.d, TOKEN, PASSWORD, token, '"d":'])
      expect(bytes.includes(secret), secret).to.equal(false);
    const second = await startServer({ settings, store: 'sqlite', dataDir });
    expect((await second.call('createSuperadmin', { text: TOKEN })).status).to.equal(409);
    const again = { path: { target: 'acme.t1.kms.key' }, token: await login(second, SUPERADMIN) };
    expect((await second.call('getResource', again)).body).to.deep.equal(key);
    await second.close();
    await rm(dataDir, { recursive: true });
  });
});
