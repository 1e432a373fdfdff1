import { expect } from 'chai';
import { locationOf } from '../../actors/browser.ts';
import { CardWallet } from '../../actors/card-wallet.ts';
import { CALLBACK, clientCredentials, RelyingParty } from '../../actors/relying-party.ts';
import { CARD, cardProfile, clientOf, signInWith } from '../../actors/sign-in.ts';
import { type EnterpriseFixture, fieldsOf, KMS, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';

const shop = await clientCredentials('client_secret_basic');
const rs256 = await clientCredentials('client_secret_basic', 'RS256');
const BRIDGE = 'acme.t1.signin';
const SECOND = 'acme.t1.second';

/** The configuration of a provider, in which what has a default is left out. */
const bridge = (more: object = {}) => {
  const { postLogoutRedirectUris: _, requirePushedRequests: __, ...client } = clientOf(shop);
  const { dcqlQuery, claims, subject, encryptedResponse, issuers } = cardProfile();
  const profiles = { card: { dcqlQuery, claims, subject: { values: subject.values }, encryptedResponse, issuers } };
  return { type: 'oidc-bridge', dependencies: [VERIFIER, KMS], clients: { shop: client }, profiles, ...more };
};

describe('tenantExchangeSignInCode', () => {
  let world: EnterpriseFixture;
  let wallet: CardWallet;
  before(async () => {
    world = await startEnterprise();
    wallet = await CardWallet.with(CARD, { now: () => world.server.clock.now() });
    await ok(world.post('generateKey', `${KMS}.es`, { keyType: 'secp256r1' }), 201);
    await ok(world.post('generateKey', `${KMS}.next`, { keyType: 'secp256r1' }), 201);
    await ok(world.post('generateKey', `${KMS}.rs`, { keyType: 'RSA' }), 201);
    await ok(world.post('createService', BRIDGE, bridge()), 201);
    await ok(world.post('createService', SECOND, bridge()), 201);
  });
  after(() => world.close());

  const issuerOf = (target: string): string => `${world.server.url}/v1/${target}/oidc-bridge-api`;
  const partyAt = (target: string, credentials = shop, id = 'shop') =>
    RelyingParty.at(world.server, { issuer: issuerOf(target), id, credentials });
  const subjectAt = async (target: string) => {
    const party = await partyAt(target);
    const begun = await party.begin();
    const tokens = await party.exchange(await signInWith(wallet, begun), begun.checks);
    expect((await party.userinfo(tokens)).family_name).to.equal('Lovelace');
    return tokens.claims()?.sub;
  };

  it('200: people sign in at the provider of a tenant; each provider knows them by another subject', async () => {
    const subject = await subjectAt(BRIDGE);
    expect(await subjectAt(BRIDGE)).to.equal(subject);
    expect(await subjectAt(SECOND)).to.not.equal(subject);
  });

  it('what belongs to one provider is unknown to another: codes, pages, cookies, tokens, keys', async () => {
    const [party, other] = [await partyAt(BRIDGE), await partyAt(SECOND)];
    const begun = await party.begin();
    const page = begun.page.url.replace(BRIDGE, SECOND);
    expect(
      (await begun.browser.open(page, { headers: { cookie: begun.browser.cookieFor(begun.page.url) } })).status,
    ).to.equal(404);
    const answer = await signInWith(wallet, begun);
    const code = new URL(answer);
    code.searchParams.set('iss', issuerOf(SECOND));
    const refused = await other.exchange(code.href, begun.checks).catch((error) => error);
    expect(refused.error).to.equal('invalid_grant');
    const { access_token: token } = await party.exchange(answer, begun.checks);
    const headers = { authorization: `Bearer ${token}` };
    const at = (target: string) => world.server.call('tenantGetSignedInPerson', { path: { target }, headers });
    expect([(await at(SECOND)).status, (await at(BRIDGE)).status]).to.deep.equal([401, 200]);
    const kids = await Promise.all(
      [BRIDGE, SECOND].map(
        async (target) => (await world.server.call('tenantGetSignInKeys', { path: { target } })).body.keys[0].kid,
      ),
    );
    expect(kids[0]).to.not.equal(kids[1]);
  });

  it('200: with keys of a key management service; a rotation keeps what they signed good', async () => {
    const target = 'acme.t1.rotating';
    const clients = { shop: clientOf(rs256) };
    const written = bridge({ signingKeyIds: [`${KMS}.es`, `${KMS}.rs`], clients });
    await ok(world.post('createService', target, written), 201);
    const party = await partyAt(target, rs256);
    const begun = await party.begin();
    const { id_token: hint = '' } = await party.exchange(await signInWith(wallet, begun), begun.checks);
    const rotated = { ...written, signingKeyIds: [`${KMS}.next`, `${KMS}.es`, `${KMS}.rs`] };
    const path = { target };
    await ok(world.server.call('updateService', { path, json: rotated, token: world.root }), 200);
    const { keys } = (await world.server.call('tenantGetSignInKeys', { path })).body;
    expect(keys.map(({ alg }: { alg: string }) => alg)).to.deep.equal(['ES256', 'ES256', 'RS256']);
    // The hint is verified with a key that is published still.
    expect((await party.begin({ id_token_hint: hint })).page.status).to.equal(200);
  });

  it('400: names what is wrong; 409: without a verifier', async () => {
    const { clients, profiles } = bridge();
    const refused: [object, string][] = [
      [
        { clients: { shop: { ...clients.shop, redirectUris: ['http://shop.example.org/'] } } },
        '/body/clients/shop/redirectUris/0',
      ],
      [{ clients: { shop: { ...clients.shop, secretDigest: undefined } } }, '/body/clients/shop/secretDigest'],
      [{ clients: { shop: { ...clients.shop, profiles: ['none'] } } }, '/body/clients/shop/profiles/0'],
      [{ clients: { shop: { ...clients.shop, idTokenAlgorithm: 'RS256' } } }, '/body/clients/shop/idTokenAlgorithm'],
      [{ clients: { shop: { ...clients.shop, clientSecret: 'plain' } } }, '/body/clients/shop/clientSecret'],
      [{ profiles: { card: { ...profiles.card, dcqlQuery: {} } } }, '/body/profiles/card/dcqlQuery/credentials'],
      [{ profiles: { card: { ...profiles.card, issuers: undefined } } }, '/body/profiles/card/issuers'],
      [{ signingKeyIds: [`${KMS}.none`] }, '/body/signingKeyIds/0'],
    ];
    for (const [more, field] of refused) {
      const answer = await world.post('createService', 'acme.t1.wrong', bridge(more));
      expect([answer.status, fieldsOf(answer)], field).to.deep.equal([400, [field]]);
    }
    await ok(world.post('createService', 'acme.t1.alone', bridge({ dependencies: [] })), 201);
    const { page } = await (await partyAt('acme.t1.alone')).begin();
    expect([page.status, JSON.parse(page.text).id]).to.deep.equal([409, 'Conflict']);
  });

  it('404: no provider at the target, or not any more; no secret of a client is shown', async () => {
    const target = 'acme.t1.removed';
    const created = await ok(world.post('createService', target, bridge()), 201);
    expect(JSON.stringify(created)).to.not.include(clientOf(shop).secretDigest ?? '-');
    const configuration = () => world.server.call('tenantGetSignInConfiguration', { path: { target } });
    expect((await configuration()).body.issuer).to.equal(issuerOf(target));
    await world.server.call('deleteResource', { path: { target }, token: world.root });
    expect((await configuration()).status).to.equal(404);
    expect((await world.server.call('tenantGetSignInKeys', { path: { target: VERIFIER } })).status).to.equal(404);
  });

  it('303: a redirect URI of another tenant is no redirect URI', async () => {
    const party = await partyAt(BRIDGE);
    const { page } = await party.begin({ redirect_uri: `${CALLBACK}/other` });
    expect([page.status, locationOf(page)]).to.deep.equal([400, undefined]);
  });
});
