import { expect } from 'chai';
import { CARD_SETTINGS, holderOfAll } from '../../actors/holder-of-all.ts';
import { type EnterpriseFixture, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { belowRegistry, createDid, key, startDids } from '../../actors/tenant-dids.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { iaca } from '../../support/credentials/mdoc-issuer.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';

const PREFIX = '/cards/eu';

describe('a path in PUBLIC_URL', () => {
  let tenancy: EnterpriseFixture;
  let server: TestServer;
  /** A request to a path of the host. */
  const ask = async (path: string): Promise<Response> =>
    fetch(`${new URL(server.url).origin}${path}`, { redirect: 'manual' });
  before(async () => {
    const settings = { ...CARD_SETTINGS, trustedIssuers: { certificates: [iaca.pem] } };
    tenancy = await startEnterprise({ ...settings, publicUrl: `http://127.0.0.1:0${PREFIX}` });
    server = tenancy.server;
  });
  after(() => server?.close());

  it('every link of every well-known document is below it, and each document is at both places', async () => {
    const places = [
      ['openid-credential-issuer', 'draft13'],
      ['oauth-authorization-server', 'draft13'],
      ['openid-credential-issuer', 'openid4vci'],
      ['oauth-authorization-server', 'openid4vci'],
      ['oauth-authorization-server', 'draft11'],
      ['jwt-vc-issuer', 'draft13'],
    ] as const;
    for (const [name, issuer] of places) {
      const inserted = await ask(`/.well-known/${name}${PREFIX}/${issuer}`);
      expect(inserted.status, name).to.equal(200);
      const text = await inserted.text();
      const { host } = new URL(server.url);
      expect(
        text
          .split(host)
          .slice(1)
          .filter((rest) => !rest.startsWith(`${PREFIX}/`)),
      ).to.deep.equal([]);
      const appended = await ask(`${PREFIX}/${issuer}/.well-known/${name}`);
      if (issuer === 'draft13' && name !== 'jwt-vc-issuer') expect(await appended.text()).to.equal(text);
    }
    const discovered = await ask(`${PREFIX}/sign-in/.well-known/openid-configuration`);
    expect(await discovered.json()).to.include({ issuer: `${server.url}/sign-in` });
  });

  it('a wallet gets a credential of every format, and presents', async () => {
    const { holder, ids } = await holderOfAll(server);
    const json = { request_credentials: [{ format: 'jwt_vc_json', type: 'UniversityDegree' }] };
    const { body: presentationRequest } = await server.call('startVerification', { json });
    const presented = { presentationRequest, selectedCredentials: [ids.jwt_vc_json] };
    expect((await holder.call('presentCredentials', { json: presented })).status).to.equal(200);
    const state = new URL(presentationRequest).searchParams.get('state') ?? '';
    expect((await server.call('getVerificationResult', { path: { state } })).body.verificationResult).to.equal(true);
  });

  it('the did:web of a wallet has it, and its document is where the DID says', async () => {
    const holder = await newWalletUser(server);
    const { body: did } = await holder.call('createWalletDid', { path: { method: 'web' } });
    const [, , host = '', ...segments] = did.split(':');
    expect(decodeURIComponent(host)).to.equal(new URL(server.url).host);
    expect(`/${segments.slice(0, 2).join('/')}`).to.equal(PREFIX);
    expect(await (await ask(`/${segments.join('/')}/did.json`)).json()).to.include({ id: did });
    const outside = {
      path: { method: 'web' },
      query: { domain: new URL(server.url).host, path: '/wallet-api/registry/a' },
    };
    expect((await holder.call('createWalletDid', outside)).status).to.equal(400);
  });

  it('the did:web of a tenant has it, below a registry', async () => {
    await startDids(tenancy);
    const { host } = new URL(server.url);
    const path = `${PREFIX.slice(1)}/${belowRegistry('carol')}`;
    const { did } = await ok(createDid(tenancy, 'web', { keyId: key('one'), domain: host, path }), 201);
    expect(did).to.equal(`did:web:${encodeURIComponent(host)}:${path.replaceAll('/', ':')}`);
    expect(await (await ask(`/${path}/did.json`)).json()).to.include({ id: did });
    const without = await createDid(tenancy, 'web', { keyId: key('one'), domain: host, path: belowRegistry('dave') });
    expect([without.status, without.body.details[0].path]).to.deep.equal([400, '/body/path']);
  });

  it('a session cookie is for paths below it only', async () => {
    const credentials = { type: 'email', email: 'cookie@example.org', password: 'a long enough password' };
    await server.call('registerAccount', { json: { ...credentials, name: 'Ada' } });
    const { headers } = await server.call('loginAccount', { json: credentials });
    expect(headers.get('set-cookie')).to.include(`; Path=${PREFIX};`);
  });

  it('the prefix alone leads to the portal; a path without it is answered as a proxy may have left it', async () => {
    const { status, headers } = await ask(PREFIX);
    expect([status, headers.get('location')]).to.deep.equal([302, `${server.url}/`]);
    expect((await ask(`${PREFIX}/`)).status).to.equal(200);
    expect((await ask('/livez')).status).to.equal(200);
    for (const path of [`${PREFIX}pe/livez`, `${PREFIX}${PREFIX}/livez`, '/cards/livez', `${PREFIX}//livez`])
      expect((await ask(path)).status, path).to.equal(404);
  });

  it('a path that begins as one of the server is refused at the start', async () => {
    const error = await startServer({ settings: { publicUrl: 'http://127.0.0.1:0/v1' } }).catch(
      ({ message }) => message,
    );
    expect(error).to.include('PUBLIC_URL: its path must not begin with /v1');
  });
});
