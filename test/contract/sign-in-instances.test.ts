import { expect } from 'chai';
import { Browser, locationOf } from '../actors/browser.ts';
import { CardWallet } from '../actors/card-wallet.ts';
import { type Authentication, CALLBACK, clientCredentials, RelyingParty } from '../actors/relying-party.ts';
import { CARD, clientOf, parametersOf, signInOf, signInWith } from '../actors/sign-in.ts';
import { linkOf } from '../actors/sign-in-page.ts';
import { inTurn } from '../support/runs/tier.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import type { TestServer, TestStore } from '../support/servers/server.ts';

const shop = await clientCredentials('client_secret_post');
const WITH_SECRET = { client_id: 'shop', client_secret: shop.secret ?? '' };
const STORES: TestStore[] = ['redis-cluster', 'postgresql'];
const AUTHENTICATIONS: Authentication[] = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];
const parties = await Promise.all(
  AUTHENTICATIONS.map(async (id) => ({ id, credentials: await clientCredentials(id) })),
);
const CLIENTS = Object.fromEntries(parties.map(({ id, credentials }) => [id, clientOf(credentials)]));

// One of the two each day, the other one than that of instances.test.ts.
for (const store of inTurn(STORES, 1))
  describe(`A sign-in over two instances on one ${store}`, () => {
    let instances: Instances;
    let one: TestServer;
    let other: TestServer;
    let wallet: CardWallet;
    before(async () => {
      instances = await startInstances({ store, settings: { signIn: signInOf({ shop: clientOf(shop), ...CLIENTS }) } });
      [one, other] = instances.servers;
      wallet = await CardWallet.with(CARD, { now: () => one.clock.now() });
    });
    after(() => instances.close());

    /** Both, of which each further request is answered by the other one. */
    const inTurns = (): Pick<TestServer, 'fetch'> => {
      let turns = 0;
      return {
        fetch: (path, init) => {
          turns += 1;
          return (turns % 2 === 0 ? one : other).fetch(path, init);
        },
      };
    };

    async function begin() {
      const party = await RelyingParty.at(one, { issuer: `${one.url}/sign-in`, id: 'shop', credentials: shop });
      const { url, checks } = await party.request({}, { pushed: true });
      const browser = new Browser(inTurns());
      return { browser, page: await browser.follow(url), checks };
    }

    for (const { id, credentials } of parties)
      it(`a certified relying party calls them in turns: ${id}, query, and form_post with a pushed request`, async () => {
        const party = await RelyingParty.at(inTurns(), { issuer: `${one.url}/sign-in`, id, credentials });
        for (const mode of ['query', 'form_post']) {
          const pushed = mode === 'form_post' && id !== 'none';
          const { url, checks } = await party.request({ response_mode: mode }, { pushed });
          const browser = new Browser(inTurns());
          const tokens = await party.exchange(
            await signInWith(wallet, { browser, page: await browser.follow(url) }),
            checks,
          );
          expect((await party.userinfo(tokens)).family_name).to.equal('Lovelace');
        }
      });

    it('goes on at either, and both know its tokens', async () => {
      const { browser, page, checks } = await begin();
      await wallet.follow(linkOf(page));
      const { code = '' } = parametersOf(locationOf(await browser.follow(page.url)) ?? '');
      const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...WITH_SECRET };
      const verifier = { code_verifier: checks.pkceCodeVerifier ?? '' };
      const { body } = await other.call('exchangeSignInCode', { form: { ...form, ...verifier } });
      const headers = { authorization: `Bearer ${body.access_token}` };
      for (const server of [one, other])
        expect((await server.call('getSignedInPerson', { headers })).body.family_name).to.equal('Lovelace');
    });

    it('of many looks at the page at both, after the answer of the wallet, all lead to the same end once', async () => {
      const { browser, page } = await begin();
      await wallet.follow(linkOf(page));
      const cookie = browser.cookieFor(page.url);
      const looks = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? one : other).fetch(new URL(page.url).pathname, { headers: { cookie } }),
        ),
      );
      const goesOn = new Set(looks.map(({ status, headers }) => `${status} ${headers.get('location')}`));
      expect([...goesOn].filter((end) => end.startsWith('303'))).to.have.length(1);
      const end = await browser.follow([...goesOn].find((one) => one.startsWith('303'))?.slice(4) ?? '');
      expect(parametersOf(locationOf(end) ?? '')).to.include.keys('code');
    });

    it('a code that both get at once is exchanged at one', async () => {
      const { browser, page, checks } = await begin();
      await wallet.follow(linkOf(page));
      const { code = '' } = parametersOf(locationOf(await browser.follow(page.url)) ?? '');
      const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...WITH_SECRET };
      const verifier = { code_verifier: checks.pkceCodeVerifier ?? '' };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? one : other).call('exchangeSignInCode', { form: { ...form, ...verifier } }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200).length).to.be.at.most(1);
      for (const { status, body } of answers)
        if (status !== 200) expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    });
  });
