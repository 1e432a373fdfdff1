import { expect } from 'chai';
import { locationOf } from '../../actors/browser.ts';
import { type BegunSignIn, CALLBACK, clientCredentials } from '../../actors/relying-party.ts';
import { clientOf, parametersOf, SignInFixture, signInOf } from '../../actors/sign-in.ts';
import { linkOf } from '../../actors/sign-in-page.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';

const shop = await clientCredentials('client_secret_basic');

/** What a step answers. */
interface StepAnswer {
  status: number;
  /** JSON, or a page. */
  text: string;
}

/** A step of a sign-in. */
interface Step {
  /** Does what comes before; returns what does the step, which may be done again, and what looks at what came of it. */
  prepare(): Promise<{ take(): Promise<StepAnswer>; check?(last: StepAnswer): Promise<unknown> }>;
  status: number;
  /** What it answers when it is done again after it was interrupted; its status when absent. */
  again?: number[];
  /** How long another has to wait after it was interrupted, in milliseconds. */
  heldFor?: number;
  /** Whether a person does it, who reads a page. */
  isOfPerson?: boolean;
}

describe('sign-ins while the store fails', () => {
  const faults = new StoreFaults();
  const records = new WrittenRecords();
  const on = new SignInFixture(signInOf({ shop: clientOf(shop) }), {
    wrapStore: (store) => new FaultyStore(records.wrap(store), faults),
  });
  const authorization = `Basic ${Buffer.from(`shop:${shop.secret}`).toString('base64')}`;
  const printed: unknown[][] = [];
  const { error: print } = console;
  before(() => {
    console.error = (...texts) => printed.push(texts);
  });
  after(() => {
    console.error = print;
  });

  const party = () => on.party('shop', shop);
  const begin = async (pushed = false) => (await party()).begin({}, { pushed });
  const answered = async (begun: BegunSignIn) => {
    await on.wallet.follow(linkOf(begun.page));
    return begun;
  };
  const signedIn = async () => {
    const begun = await begin();
    return { begun, tokens: await (await party()).exchange(await on.signIn(begun), begun.checks) };
  };
  const byProgram = async (operationId: string, call: object): Promise<StepAnswer> => {
    const { status, body } = await on.server.call(operationId, call);
    return { status, text: JSON.stringify(body) };
  };
  const post = (path: string) => async () => {
    const { browser, page } = await begin();
    return { take: () => browser.open(`${page.url}/${path}`, { method: 'POST' }) };
  };
  const person = (token: string) => byProgram('getSignedInPerson', { headers: { authorization: `Bearer ${token}` } });
  /** Signs in to its end. */
  const codeOf = async (begun: BegunSignIn) => parametersOf(locationOf(await on.again(begun)) ?? '').code;

  const authorize = async (pushed: boolean) => {
    const { url } = await (await party()).request({}, { pushed });
    const browser = on.browser();
    return { take: () => browser.open(url) };
  };
  const resume = async (pushed: boolean) => {
    const begun = await answered(await begin(pushed));
    const url = locationOf(await begun.browser.open(begun.page.url)) ?? '';
    const codes = new Set<string>();
    const take = async () => {
      const page = await begun.browser.open(url);
      const { code } = parametersOf(locationOf(page) ?? CALLBACK);
      if (code !== undefined) codes.add(code);
      return page;
    };
    const check = async ({ status }: StepAnswer) => expect(codes.size).to.equal(status === 303 ? 1 : 0);
    return { take, check };
  };
  const logout = async () => {
    const { begun, tokens } = await signedIn();
    const asked = new URLSearchParams({ id_token_hint: tokens.id_token ?? '' });
    return { begun, tokens, open: () => begun.browser.open(`${on.issuer}/logout?${asked}`) };
  };

  const STEPS: Record<string, Step> = {
    pushSignInRequest: {
      status: 201,
      prepare: async () => {
        const { url } = await (await party()).request();
        const form = Object.fromEntries(new URL(url).searchParams);
        return { take: () => byProgram('pushSignInRequest', { form, headers: { authorization } }) };
      },
    },
    requestSignIn: { status: 303, isOfPerson: true, prepare: () => authorize(false) },
    'requestSignIn of a pushed request': { status: 303, isOfPerson: true, prepare: () => authorize(true) },
    postSignInRequest: {
      status: 303,
      isOfPerson: true,
      prepare: async () => {
        const { url } = await (await party()).request();
        const form = Object.fromEntries(new URL(url).searchParams);
        const browser = on.browser();
        return { take: () => browser.open(`${on.issuer}/authorize`, { method: 'POST', form }) };
      },
    },
    getSignInPage: {
      status: 200,
      isOfPerson: true,
      prepare: async () => {
        const { url, checks } = await (await party()).request();
        const browser = on.browser();
        const place = locationOf(await browser.open(url)) ?? '';
        const check = async () => {
          const begun = { browser, checks, page: await browser.open(place) };
          expect(await codeOf(await answered(begun))).to.be.a('string');
        };
        return { take: () => browser.open(place), check };
      },
    },
    openWalletForSignIn: {
      status: 303,
      isOfPerson: true,
      prepare: async () => {
        const { browser, page } = await begin();
        return { take: () => browser.open(`${page.url}/wallet`) };
      },
    },
    submitAuthorizationResponse: {
      status: 200,
      heldFor: 15_000,
      prepare: async () => {
        const begun = await begin();
        const send = await on.wallet.decide(linkOf(begun.page));
        const take = async () => {
          const answer = await send();
          return { status: answer.status, text: await answer.text() };
        };
        return { take, check: async () => expect(await codeOf(begun)).to.be.a('string') };
      },
    },
    returnFromWallet: {
      status: 303,
      isOfPerson: true,
      prepare: async () => {
        const begun = await begin();
        const link = locationOf(await begun.browser.open(`${begun.page.url}/wallet`)) ?? '';
        const back = (await on.wallet.follow(link)) ?? '';
        const check = async () => expect(await codeOf(begun)).to.be.a('string');
        return { take: () => begun.browser.open(back), check };
      },
    },
    retrySignIn: { status: 303, isOfPerson: true, prepare: post('retry') },
    cancelSignIn: { status: 303, isOfPerson: true, prepare: post('cancel') },
    'getSignInPage after the answer of the wallet': {
      status: 303,
      isOfPerson: true,
      prepare: async () => {
        const begun = await answered(await begin());
        const check = async () => {
          const stored = await records.opened(on.server.settings, on.server.clock.now);
          const kept = stored.filter((one) => one.includes('Lovelace')).map((one) => one.split(' ')[0]);
          expect([...new Set(kept)]).to.deep.equal(['signed-in']);
          expect(await codeOf(begun)).to.be.a('string');
        };
        return { take: () => begun.browser.open(begun.page.url), check };
      },
    },
    resumeSignIn: { status: 303, again: [303, 404], isOfPerson: true, prepare: () => resume(false) },
    'resumeSignIn of a pushed request': {
      status: 303,
      again: [303, 404],
      isOfPerson: true,
      prepare: () => resume(true),
    },
    exchangeSignInCode: {
      status: 200,
      again: [200, 400],
      prepare: async () => {
        const begun = await begin();
        const { code = '' } = parametersOf(await on.signIn(begun));
        const { pkceCodeVerifier: verifier = '' } = begun.checks;
        const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
        const take = () => byProgram('exchangeSignInCode', { form, headers: { authorization } });
        const check = async ({ status, text }: StepAnswer) => {
          const { access_token: token, error } = JSON.parse(text);
          if (status === 200) expect(JSON.parse((await person(token)).text)).to.include({ family_name: 'Lovelace' });
          else expect(error).to.equal('invalid_grant');
          expect(JSON.parse((await take()).text).error).to.equal('invalid_grant');
          if (status === 200) expect((await person(token)).status).to.equal(401);
        };
        return { take, check };
      },
    },
    getSignedInPerson: {
      status: 200,
      prepare: async () => {
        const { tokens } = await signedIn();
        return { take: () => person(tokens.access_token) };
      },
    },
    logOutOfSignIn: {
      status: 200,
      isOfPerson: true,
      prepare: async () => ({ take: (await logout()).open }),
    },
    postLogout: {
      status: 200,
      isOfPerson: true,
      prepare: async () => {
        const { begun, tokens } = await signedIn();
        const form = { id_token_hint: tokens.id_token ?? '' };
        return { take: () => begun.browser.open(`${on.issuer}/logout`, { method: 'POST', form }) };
      },
    },
    confirmLogout: {
      status: 303,
      isOfPerson: true,
      prepare: async () => {
        const { begun, tokens, open } = await logout();
        const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec((await open()).text) ?? [];
        const form = { xsrf, logout: 'yes' };
        const take = () => begun.browser.open(`${on.issuer}/logout/confirm`, { method: 'POST', form });
        return { take, check: async () => expect((await person(tokens.access_token)).status).to.equal(401) };
      },
    },
  };

  for (const [title, { prepare, status, again = [status], heldFor = 0, isOfPerson = false }] of Object.entries(STEPS))
    it(`${title} 503: from each call of the store on; done again it is whole, or refused for good`, async () => {
      for (let call = 1, isInterrupted = true; isInterrupted; call += 1) {
        const { take, check } = await prepare();
        Object.assign(faults, { failIn: call, isDeadly: true });
        let last = await take();
        isInterrupted = faults.down;
        faults.end();
        expect(last.status, `call ${call}`).to.equal(isInterrupted ? 503 : status);
        if (isInterrupted) {
          if (isOfPerson) expect(last.text).to.include('This does not work right now');
          else expect(JSON.parse(last.text)).to.include({ error: 'temporarily_unavailable' });
          on.server.clock.advance(heldFor);
          last = await take();
          expect(again, `after call ${call}`).to.include(last.status);
        }
        await check?.(last);
      }
      expect(printed).to.deep.equal([]);
    });

  it('followSignIn and requestDigitalSignIn 503: as JSON, for the script of the page', async () => {
    const { browser, page } = await begin();
    faults.down = true;
    for (const [path, method] of [
      ['events', 'GET'],
      ['digital', 'POST'],
    ] as const) {
      const { status, text } = await browser.open(`${page.url}/${path}`, { method });
      expect([status, JSON.parse(text).id]).to.deep.equal([503, 'StoreUnavailable']);
    }
    faults.end();
  });
});
