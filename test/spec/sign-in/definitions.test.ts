import { expect } from 'chai';
import { isText } from '../../../domain/foundation/json.ts';
import type { WrittenLoginProfile } from '../../../domain/sign-in/written-sign-in.ts';
import { locationOf } from '../../actors/browser.ts';
import {
  issueOf,
  LICENCE,
  MDL_NAMESPACE,
  OTHER,
  presentOf,
  type RequestedFormat,
  responseOf,
  TRUSTED_ROOT,
} from '../../actors/presenters.ts';
import { clientCredentials } from '../../actors/relying-party.ts';
import { cardProfile, clientOf, parametersOf, SignInFixture, signInOf } from '../../actors/sign-in.ts';
import { linkOf } from '../../actors/sign-in-page.ts';
import { readRequest } from '../../actors/wallet.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of verifiers have any member
type Json = Record<string, any>;
type Made = Awaited<ReturnType<typeof presentOf>>;

const shop = await clientCredentials('client_secret_basic');
const IDENTITY = 'https://types.example/identity';

/** A profile that asks for one credential by a definition; one value of it is the claim `name`, and names the person. */
const profileOf = (
  format: string,
  { id, path, ...more }: { id: string; path: string[] } & Partial<WrittenLoginProfile>,
): WrittenLoginProfile => {
  const source = { query: id, path };
  const fields = [{ path: [`$${path.map((name) => `['${name}']`).join('')}`] }];
  const descriptor = { id, format: { [format]: {} }, constraints: { fields } };
  return cardProfile({
    dcqlQuery: undefined,
    presentationDefinition: { id: 'sign-in', input_descriptors: [descriptor] },
    claims: { name: { ...source, required: true, transform: 'none', list: false } },
    subject: { kind: 'pairwise', values: [source], acrossIssuers: false },
    ...more,
  });
};

const PROFILES = {
  'dc+sd-jwt': profileOf('dc+sd-jwt', { id: IDENTITY, path: ['family_name'] }),
  'vc+sd-jwt': profileOf('vc+sd-jwt', { id: IDENTITY, path: ['family_name'] }),
  jwt_vc_json: profileOf('jwt_vc_json', { id: 'Degree', path: ['vc', 'credentialSubject', 'id'] }),
  mso_mdoc: profileOf('mso_mdoc', { id: LICENCE, path: [MDL_NAMESPACE, 'family_name'] }),
};
const own = profileOf('dc+sd-jwt', { id: 'card', path: ['given_name'], encryptedResponse: true });
const strict = profileOf('dc+sd-jwt', {
  id: IDENTITY,
  path: ['family_name'],
  claims: { email: { query: IDENTITY, path: ['email'], required: true, transform: 'none', list: false } },
});
const trusted = { ...PROFILES['dc+sd-jwt'], policies: [{ policy: 'allowed-issuer', args: 'did:example:none' }] };

describe('getSignInPage: a profile with a presentation definition', () => {
  const profiles: Record<string, WrittenLoginProfile> = { ...mapped(PROFILES), own, strict, trusted };
  const records = new WrittenRecords();
  const on = new SignInFixture(signInOf({ shop: clientOf(shop, { profiles: Object.keys(profiles) }) }, profiles), {
    wrapStore: (store) => records.wrap(store),
    settings: { trustedIssuers: { certificates: [TRUSTED_ROOT] } },
  });
  const begin = async (profile: string) => (await on.party('shop', shop)).begin({ scope: `openid ${nameOf(profile)}` });

  /** Fetches the request of a link, as a wallet of draft 20 reads it. */
  async function read(link: string) {
    const { searchParams } = new URL(link);
    const asked = (await (await fetch(searchParams.get('request_uri') ?? '')).json()) as Json;
    return { asked, request: readRequest(`?${formOf(asked)}`), clientId: searchParams.get('client_id') };
  }

  async function send(link: string, presentations: (request: ReturnType<typeof readRequest>) => Promise<Made[]>) {
    const { asked, request } = await read(link);
    const body = formOf(responseOf(await presentations(request), request));
    const answer = await fetch(asked.response_uri, { method: 'POST', body });
    return { status: answer.status, body: (await answer.json()) as Json };
  }

  const present = (link: string, format: RequestedFormat, more: Parameters<typeof presentOf>[2] = {}) =>
    send(link, async (request) => {
      const now = Math.floor(on.server.clock.now() / 1000) * 1000;
      const documents = [await issueOf(format, { issuedAt: now })];
      return [await presentOf(format, request, { documents, now, ...more })];
    });

  for (const format of Object.keys(PROFILES) as (keyof typeof PROFILES)[])
    it(`303: a wallet of draft 20 signs in with a credential in the format ${format}`, async () => {
      const party = await on.party('shop', shop);
      const begun = await party.begin({ scope: `openid ${nameOf(format)}` });
      const { status, body } = await present(linkOf(begun.page), format);
      expect(status, JSON.stringify(body)).to.equal(200);
      const tokens = await party.exchange(locationOf(await on.again(begun)) ?? '', begun.checks);
      const { name, acr } = { ...tokens.claims() } as Record<string, unknown>;
      expect([acr, format === 'jwt_vc_json' ? /^did:/.test(String(name)) : name === 'Lovelace']).to.deep.equal([
        nameOf(format),
        true,
      ]);
    });

  it('303: our own wallet answers it encrypted; what was presented is deleted, and the definition compares with nothing', async () => {
    const wallet = await newWalletUser(on.server);
    const json = { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED' };
    const card = await wallet.accept((await on.server.call('createCredentialOffer', { json })).body.credentialOffer);
    const begun = await begin('own');
    const { asked, clientId } = await read(linkOf(begun.page));
    expect(asked).to.include({ client_id_scheme: 'redirect_uri', client_id: clientId, response_uri: clientId });
    expect(asked).to.not.have.any.keys('dcql_query');
    expect(asked.response_mode).to.equal('direct_post.jwt');
    expect(asked.client_metadata).to.include.keys('vp_formats', 'jwks', 'authorization_encrypted_response_alg');
    const shown = { presentationRequest: linkOf(begun.page), selectedCredentials: [card.id] };
    const answer = await wallet.call('presentCredentials', { json: shown });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(parametersOf(locationOf(await on.again(begun)) ?? '')).to.include.keys('code');
    const stored = await records.opened(on.server.settings, on.server.clock.now);
    const sessions = stored.filter((one) => one.startsWith('presentation-sessions') && one.includes('"exchange"'));
    expect(sessions.join()).to.include('handedOverAt').and.not.include('Alex');
  });

  it('303: on one device the browser brings a code, without which the answer counts for no sign-in', async () => {
    const begun = await begin('dc+sd-jwt');
    const link = locationOf(await begun.browser.open(`${begun.page.url}/wallet`)) ?? '';
    const { body } = await present(link, 'dc+sd-jwt');
    expect((await on.again(begun)).text).to.include('<h1>Sign in to Shop</h1>');
    expect((await on.browser().open(body.redirect_uri)).status).to.equal(404);
    const end = await begun.browser.follow(body.redirect_uri);
    expect(parametersOf(locationOf(end) ?? '')).to.include.keys('code');
  });

  it('303: without a required claim, and with two credentials for one descriptor, it is access_denied', async () => {
    const absent = await begin('strict');
    await present(linkOf(absent.page), 'dc+sd-jwt');
    const two = await begin('dc+sd-jwt');
    await send(linkOf(two.page), (request) => {
      const made = () => presentOf('dc+sd-jwt', request, { now: on.server.clock.now() });
      return Promise.all([made(), made()]);
    });
    for (const begun of [absent, two])
      expect(parametersOf(locationOf(await on.again(begun)) ?? '')).to.include({ error: 'access_denied' });
  });

  it('200: what another holder presents, what is of another type, and what a policy forbids signs no person in', async () => {
    const [stranger, wrong, forbidden] = [await begin('jwt_vc_json'), await begin('mso_mdoc'), await begin('trusted')];
    const answers = [
      await present(linkOf(stranger.page), 'jwt_vc_json', { holder: OTHER }),
      await present(linkOf(wrong.page), 'dc+sd-jwt'),
      await present(linkOf(forbidden.page), 'dc+sd-jwt'),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([400, 400, 400]);
    const pages = await Promise.all([stranger, wrong, forbidden].map((begun) => on.again(begun)));
    for (const page of pages) expect(page.text).to.include('You were not signed in');
    expect(pages[2]?.text).to.include('issuer');
  });

  it('submitAuthorizationResponse 400: without its submission, which leaves the session as it was; the wallet declines', async () => {
    const begun = await begin('dc+sd-jwt');
    const { asked } = await read(linkOf(begun.page));
    const post = (form: Json) =>
      fetch(asked.response_uri, { method: 'POST', body: formOf({ state: asked.state, ...form }) });
    const answer = await post({ vp_token: 'a~b~' });
    expect([answer.status, ((await answer.json()) as Json).error_description]).to.deep.equal([
      400,
      'presentation_submission: is required',
    ]);
    expect((await post({ error: 'access_denied' })).status).to.equal(200);
    expect((await on.again(begun)).text).to.include('Your wallet declined');
  });
});

/** A form; what is no text is in it as JSON. */
function formOf(members: Json): URLSearchParams {
  const texts = Object.entries(members).map(([name, value]) => [name, isText(value) ? value : JSON.stringify(value)]);
  return new URLSearchParams(Object.fromEntries(texts));
}

/** The id of the profile for a format: a scope has no plus sign. */
function nameOf(format: string): string {
  return format.replace('+', '-');
}

function mapped<T>(rows: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(rows).map(([format, row]) => [nameOf(format), row]));
}
