import { expect } from 'chai';
import { Browser, locationOf } from '../actors/browser.ts';
import { CardWallet } from '../actors/card-wallet.ts';
import { CALLBACK, clientCredentials, RelyingParty } from '../actors/relying-party.ts';
import { CARD, clientOf, parametersOf, signInOf } from '../actors/sign-in.ts';
import { linkOf } from '../actors/sign-in-page.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import type { TestServer, TestStore } from '../support/servers/server.ts';

const shop = await clientCredentials('client_secret_post');
const WITH_SECRET = { client_id: 'shop', client_secret: shop.secret ?? '' };
const STORES: TestStore[] = ['redis', 'postgresql'];

for (const store of STORES)
  describe(`A sign-in over two instances on one ${store}`, () => {
    let instances: Instances;
    let one: TestServer;
    let other: TestServer;
    let wallet: CardWallet;
    before(async () => {
      instances = await startInstances({ store, settings: { signIn: signInOf({ shop: clientOf(shop) }) } });
      [one, other] = instances.servers;
      wallet = await CardWallet.with(CARD, { now: () => one.clock.now() });
    });
    after(() => instances.close());

    /** Begins at one instance, and has each further request answered by the other one. */
    async function begin() {
      const party = await RelyingParty.at(one, { issuer: `${one.url}/sign-in`, id: 'shop', credentials: shop });
      const { url, checks } = await party.request({}, { pushed: true });
      let turns = 0;
      const fetch: TestServer['fetch'] = (path, init) => {
        turns += 1;
        return (turns % 2 === 0 ? one : other).fetch(path, init);
      };
      const browser = new Browser({ fetch });
      return { browser, page: await browser.follow(url), checks };
    }

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
