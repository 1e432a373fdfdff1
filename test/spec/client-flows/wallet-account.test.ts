import { expect } from 'chai';
import { handedOn, loggedIn, preflight, WalletPage } from '../../actors/portal.ts';
import { degreeOffer } from '../../actors/portal-issuer.ts';
import { useServer } from '../../support/servers/server.ts';

const FRONT = 'http://wallet.example:7101';
const ADA = { name: 'Ada', email: 'ada@example.org', password: 'difference-engine-2', type: 'email' };
const { name: _, ...LOGIN } = ADA;
const SESSION = '/wallet-api/auth/session';
const WALLETS = '/wallet-api/wallet/accounts/wallets';

describe('the web wallet, its account pages', () => {
  const server = useServer({ settings: { services: { corsOrigins: [FRONT] } } });

  it('registers with any 2xx; a second registration has an error `message`', async () => {
    const page = new WalletPage(server, server.url);
    expect((await page.post('/wallet-api/auth/register', ADA)).status).to.equal(201);
    const { status, body } = await page.post('/wallet-api/auth/register', ADA);
    expect(status).to.equal(409);
    expect(body.cause ?? body.message)
      .to.be.a('string')
      .that.is.not.equal('');
  });

  it('logs in: `token`, then the session with the bearer token, then the wallets, twice', async () => {
    const page = new WalletPage(server, server.url);
    const login = await page.post('/wallet-api/auth/login', LOGIN);
    expect(login.status).to.equal(200);
    expect(login.body.token).to.be.a('string');
    page.token = login.body.token;
    const session = await page.get(SESSION, { authorization: `Bearer ${page.token}` });
    expect(session.status).to.equal(200);
    expect(session.body).to.be.an('object');
    for (let visit = 0; visit < 2; visit += 1) {
      const { status, body } = await page.get(WALLETS);
      expect(status).to.equal(200);
      expect(body.account).to.equal(login.body.id);
      expect(body.wallets[0]).to.include.all.keys('id', 'name', 'createdOn', 'addedOn', 'permission');
    }
  });

  it('shows the login page on 401: without a session, with a wrong password, for an unknown user', async () => {
    const page = new WalletPage(server, server.url);
    expect((await page.get(SESSION)).status).to.equal(401);
    expect((await page.get(WALLETS)).status).to.equal(401);
    for (const wrong of [{ password: 'something else' }, { email: 'unknown@example.org' }])
      expect((await page.post('/wallet-api/auth/login', { ...LOGIN, ...wrong })).status).to.equal(401);
  });

  it('logs out with the bearer token; the cookie that the page still has is rejected', async () => {
    const page = await loggedIn(server, server.url);
    const authorization = `Bearer ${page.token}`;
    expect((await page.post('/wallet-api/auth/logout', undefined, { authorization })).status).to.equal(200);
    expect((await page.get(SESSION, { authorization })).status).to.equal(401);
    expect((await page.get(WALLETS)).status).to.equal(401);
  });

  it('accepts the cookie of the server beside the one of the page', async () => {
    const page = new WalletPage(server, server.url);
    const { headers, body } = await page.post('/wallet-api/auth/login', LOGIN);
    const [own] = (headers.get('set-cookie') ?? '').split(';');
    const cookie = `auth.token=${body.token}; ${own}`;
    const answer = await page.get(WALLETS, { cookie });
    page.wallet = answer.body.wallets[0].id;
    const generated = await page.post(page.at('keys/generate'), { backend: 'jwk', keyType: 'Ed25519' }, { cookie });
    expect(generated.status).to.equal(201);
  });

  it('lists credentials, twice per visit, with the members of the cards', async () => {
    const page = await loggedIn(server);
    const list = page.at('credentials?showDeleted=false&showPending=false');
    expect((await page.get(list)).body).to.deep.equal([]);
    const offer = handedOn(await degreeOffer(server), 'openid-initiate-issuance');
    await page.post(page.at('exchange/useOfferRequest'), offer);
    const visits = [(await page.get(list)).body, (await page.get(list)).body];
    expect(visits[0]).to.deep.equal(visits[1]);
    const [{ id, document, parsedDocument, disclosures, format, manifest }] = visits[0];
    expect(id).to.match(/^urn:uuid:/);
    expect(document.split('.')).to.have.length(3);
    expect(format).to.equal('jwt_vc_json');
    expect(disclosures).to.equal(undefined);
    expect([manifest.display.title, manifest.display.card.logo]).to.deep.equal(['University Degree', undefined]);
    expect(parsedDocument.type.at(-1)).to.equal('UniversityDegree');
    expect(parsedDocument.issuer).to.include({ name: 'Example University' });
    expect(parsedDocument.issuer.id).to.match(/^did:jwk:/);
    expect(parsedDocument.issuer.image).to.match(/^https:/);
    const [issued, expires] = [parsedDocument.issuanceDate, parsedDocument.expirationDate].map((d) => Date.parse(d));
    expect((expires ?? 0) - (issued ?? 0)).to.equal(365 * 86_400_000);
  });

  it('shows one credential by its percent-encoded id, and deletes it permanently', async () => {
    const page = await loggedIn(server);
    await page.post(
      page.at('exchange/useOfferRequest'),
      handedOn(await degreeOffer(server), 'openid-initiate-issuance'),
    );
    const list = page.at('credentials?showDeleted=false&showPending=false');
    const [held] = (await page.get(list)).body;
    const path = page.at(`credentials/${encodeURIComponent(held.id)}`);
    expect(path).to.include('urn%3Auuid%3A');
    const shown = await page.get(path);
    expect(shown.status).to.equal(200);
    expect(shown.body).to.deep.equal(held);
    expect((await page.delete(`${path}?permanent=true`)).status).to.equal(202);
    expect((await page.get(path)).status).to.equal(404);
    expect((await page.get(list)).body).to.deep.equal([]);
  });

  it('is allowed from another origin only when that is configured', async () => {
    const ask = { method: 'POST', headers: ['content-type', 'authorization'] };
    const allowed = await preflight(server, '/wallet-api/auth/login', { origin: FRONT, ...ask });
    expect(allowed.status).to.equal(204);
    expect(allowed.headers.get('access-control-allow-origin')).to.equal(FRONT);
    expect(allowed.headers.get('access-control-allow-credentials')).to.equal('true');
    for (const name of ask.headers) expect(allowed.headers.get('access-control-allow-headers')).to.include(name);
    const page = await loggedIn(server, FRONT);
    const { headers } = await page.get(WALLETS);
    expect(headers.get('access-control-allow-origin')).to.equal(FRONT);
    expect(headers.get('access-control-allow-credentials')).to.equal('true');
    const refused = await preflight(server, '/wallet-api/auth/login', { origin: 'https://evil.example', ...ask });
    expect(refused.headers.has('access-control-allow-origin')).to.equal(false);
    const stranger = new WalletPage(server, 'https://evil.example');
    stranger.token = page.token;
    stranger.wallet = page.wallet;
    expect((await stranger.post(stranger.at('keys/generate'), {})).status).to.equal(403);
  });
});
