import { expect } from 'chai';
import { importJWK, SignJWT } from 'jose';
import { createSession, infoOf } from '../../../demo/actors/verifier.ts';
import { CARD_SETTINGS, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer, type PeerReply } from '../../actors/http-peer.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import { jwkParty } from '../../actors/party.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { corrupted } from '../../conformance/verifier/credentials.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

type Json = Record<string, unknown>;

const TEN_MINUTES = 10 * 60_000;
const card = (more: Json = {}, id = 'card'): Json => ({
  id,
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:card:1'] },
  ...more,
});
const CLAIMS = [
  { id: 'given', path: ['given_name'] },
  { id: 'street', path: ['address', 'street'] },
];
const profile = { type: 'payment', displayName: 'Payment', fields: ['amount'] };

const good = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
};
const refusal = ({ status, body }: Answer) => [status, body.details?.[0].path];
/** The names of the claims that the disclosures of an SD-JWT show. */
const shownIn = (presentation: string): string[] =>
  presentation
    .split('~')
    .slice(1, -1)
    .map((text) => JSON.parse(Buffer.from(text, 'base64url').toString())[1])
    .sort();

const TYPED = { typ: 'oauth-authz-req+jwt' };

describe('wallet API 2: presenting', () => {
  const server = useServer({ settings: { ...CARD_SETTINGS, wallet: { transactionDataProfiles: [profile] } } });
  const peer = new HttpPeer();
  let holder: WalletUser;
  let other: WalletUser;
  let ids: Record<string, string>;
  let reply: PeerReply;
  /** The forms that arrived, by the path. */
  let received: [string, URLSearchParams][];
  before(async () => {
    await peer.listen();
    ({ holder, ids } = await holderOfAll(server));
    other = await newWalletUser(server);
  });
  beforeEach(() => {
    [reply, received] = [{}, []];
    for (const path of ['/response', '/other'])
      peer.routes[path] = ({ body }) => {
        received.push([path, new URLSearchParams(body)]);
        return reply;
      };
  });
  after(() => peer.close());

  /** A request of a verifier that is identified by the address of its response. */
  const request = (more: Json = {}, credentials: Json[] = [card({ claims: [CLAIMS[0]] })], sets: Json = {}): string => {
    const parameters = {
      ...{ response_type: 'vp_token', response_mode: 'direct_post', nonce: 'n', state: 's' },
      client_id: `redirect_uri:${peer.url}/response`,
      response_uri: `${peer.url}/response`,
      dcql_query: { credentials, ...sets },
      ...more,
    };
    const texts = Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    );
    return `openid4vp://?${new URLSearchParams(Object.fromEntries(texts))}`;
  };
  /** The same request by reference. */
  const referred = (link: string): string => {
    const { searchParams } = new URL(link);
    peer.routes['/request'] = () => ({ body: JSON.stringify(Object.fromEntries(searchParams)) });
    const client_id = searchParams.get('client_id') ?? '';
    return `openid4vp://?${new URLSearchParams({ client_id, request_uri: `${peer.url}/request` })}`;
  };
  const call = (operationId: string, json: Json, user = holder) => user.call(operationId, { json });
  const present = (requestUrl: string, more: Json = {}) => call('presentToVerifier', { requestUrl, ...more });
  const option = (queryId = 'card', credentialId = ids['dc+sd-jwt']) => ({ queryId, credentialId });
  const build = (requestUrl: string, more: Json = {}) =>
    call('buildVpToken', { requestUrl, selectedCredentialOptions: [option()], ...more });
  const tokenIn = (place = 0) => JSON.parse(received[place]?.[1].get('vp_token') ?? '{}');

  it('presentToVerifier 200: our verifier is satisfied, and its redirect is in the answer', async () => {
    const success_redirect_uri = 'https://shop.example/thanks';
    const dcql_query = { credentials: [card({ claims: CLAIMS })] };
    const session = await createSession(server, crossDevice({ dcql_query }, { redirects: { success_redirect_uri } }));
    const { transmission_success: sent, redirect_to: to } = good(
      await present(session.bootstrapAuthorizationRequestUrl),
    );
    expect(sent).to.equal(true);
    expect(to).to.match(/^https:\/\/shop\.example\/thanks/);
    expect((await infoOf(server, session.sessionId)).status).to.equal('SUCCESSFUL');
  });

  it('presentToVerifier, sendResponse, rejectRequest 200: with the mode fragment the browser brings what was built, and no call is made', async () => {
    const address = `${peer.url}/response`;
    const carried = request({ response_mode: 'fragment', redirect_uri: address, response_uri: undefined });
    const opened = (body: Json) => {
      expect(Object.keys(body)).to.deep.equal(['get_url']);
      const url = new URL(String(body.get_url));
      expect(url.href.replace(url.hash, '')).to.equal(address);
      return new URLSearchParams(url.hash.slice(1));
    };
    const { responseUri, valid } = good(await call('previewRequest', { requestUrl: carried }));
    expect([responseUri, valid]).to.deep.equal([address, true]);
    const { vpToken } = good(await build(carried));
    const sent = opened(good(await call('sendResponse', { requestUrl: carried, vpToken })));
    expect([sent.get('vp_token'), sent.get('state')]).to.deep.equal([vpToken, 's']);
    expect(JSON.parse(opened(good(await present(carried))).get('vp_token') ?? '{}')).to.have.keys(['card']);
    expect(opened(good(await call('rejectRequest', { requestUrl: carried }))).get('error')).to.equal('access_denied');
    const [selected] = [ids['dc+sd-jwt']];
    const answer = { presentationRequest: carried, selectedCredentials: [selected] };
    const { redirectUri } = good(await call('presentCredentials', answer));
    expect(redirectUri.startsWith(`${address}#vp_token=`)).to.equal(true);
    const events = (await holder.call('listWalletEvents', { query: { limit: '5', sortOrder: 'desc' } })).body;
    expect(JSON.stringify(events)).to.include(new URL(address).host).and.not.include('vp_token');
    expect(received).to.deep.equal([]);
  });

  it('presentToVerifier 400: an address that no browser brings a fragment to, or another one than the client has', async () => {
    const address = `${peer.url}/response`;
    for (const more of [
      { response_uri: undefined },
      { redirect_uri: address },
      { response_uri: undefined, redirect_uri: `${address}#there`, client_id: `redirect_uri:${address}#there` },
      { response_uri: undefined, redirect_uri: 'javascript:alert(1)', client_id: 'redirect_uri:javascript:alert(1)' },
      { response_uri: undefined, redirect_uri: `${peer.url}/other` },
    ])
      expect((await present(request({ response_mode: 'fragment', ...more }))).status, JSON.stringify(more)).to.equal(
        400,
      );
  });

  it('presentToVerifier 200: the first credential of each query, all where several may be presented, and no more than needed', async () => {
    reply = { body: { redirect_uri: 'https://shop.example/next', more: 1 } };
    const several = [
      card({ multiple: true }, 'all'),
      { ...card({}, 'licence'), format: 'mso_mdoc', meta: { doctype_value: 'none' } },
      card({}, 'spare'),
    ];
    const sets = { credential_sets: [{ options: [['licence'], ['all']] }, { options: [['spare']], required: false }] };
    const { verifier_response: said, redirect_to: to } = good(await present(request({}, several, sets)));
    expect([said, to]).to.deep.equal([reply.body, 'https://shop.example/next']);
    expect(Object.keys(tokenIn())).to.deep.equal(['all']);
    expect(received[0]?.[1].get('state')).to.equal('s');
    reply = {};
    expect(good(await present(request()))).to.deep.equal({ transmission_success: true, verifier_response: {} });
    const { status, body } = await present(request({}, [card({ meta: { vct_values: ['urn:other'] } }, 'none')]));
    expect([status, body.message]).to.deep.equal([400, 'requestUrl: no credential answers the query "none"']);
    expect(received).to.have.length(2);
  });

  it('presentGivenCredentials 200: credentials of the call, which the wallet has a key for, and does not store', async () => {
    const listed = (await holder.call('listWalletCredentials')).body;
    const { document } = listed.find(({ id }: { id: string }) => id === ids['dc+sd-jwt']);
    const json = { requestUrl: referred(request()), credentials: [{ id: 'mine', credential: document }] };
    good(await call('presentGivenCredentials', json));
    expect(shownIn(tokenIn().card[0])).to.deep.equal(['given_name']);
    expect((await holder.call('listWalletCredentials')).body).to.have.length(listed.length);
    const broken = { ...json, credentials: [{ credential: 'nonsense' }] };
    expect(refusal(await call('presentGivenCredentials', broken))).to.deep.equal([
      400,
      '/body/credentials/0/credential',
    ]);
  });

  it('matchGivenCredentials, matchStoredCredentials 200: by the ids of the wallet, or of the call', async () => {
    const dcqlQuery = { credentials: [card(), card({ meta: { vct_values: ['urn:other'] } }, 'none')] };
    const found = { matchedQueryIds: ['card'], matchCount: 1, matchedCredentialIds: { card: [ids['dc+sd-jwt']] } };
    expect(good(await call('matchStoredCredentials', { dcqlQuery }))).to.deep.equal(found);
    const nothing = { matchedQueryIds: [], matchCount: 0, matchedCredentialIds: {} };
    expect(good(await call('matchStoredCredentials', { dcqlQuery }, other))).to.deep.equal(nothing);
    const { document: credential } = (
      await holder.call('getWalletCredential', { path: { credentialId: ids['dc+sd-jwt'] ?? '' } })
    ).body;
    const given = good(await call('matchGivenCredentials', { dcqlQuery, credentials: [{ credential }] }));
    expect(given.matchedCredentialIds).to.deep.equal({ card: ['0'] });
    expect(refusal(await call('matchStoredCredentials', { dcqlQuery: {} }))).to.deep.equal([
      400,
      '/body/dcqlQuery/credentials',
    ]);
  });

  it('previewRequest, buildVpToken, sendResponse 200: exactly the claim that was chosen', async () => {
    const link = referred(
      request({ client_metadata: { client_name: 'The shop', logo_uri: 'https://shop.example/logo' } }, [
        card({ claims: CLAIMS, claim_sets: [['given'], ['street']] }),
      ]),
    );
    const preview = good(await call('previewRequest', { requestUrl: link, keyId: 'k' }));
    expect(preview).to.deep.include({
      valid: true,
      keyId: 'k',
      responseUri: `${peer.url}/response`,
      state: 's',
      nonce: 'n',
    });
    expect(preview.verifier).to.deep.equal({ name: 'The shop', logoUri: 'https://shop.example/logo' });
    expect(preview.credentialRequirements).to.deep.equal([{ options: [['card']] }]);
    const [offered] = preview.credentialOptions;
    expect(offered).to.deep.include({ ...option(), multiple: false, format: 'dc+sd-jwt' });
    const choosable = offered.disclosures.filter(({ selectable }: { selectable: boolean }) => selectable);
    expect(choosable.map(({ path }: { path: string[] }) => path)).to.deep.equal([
      ['given_name'],
      ['address', 'street'],
    ]);
    const chosen = [{ ...option(), path: ['address', 'street'] }];
    const { vpToken } = good(await build(link, { selectedDisclosureOptions: chosen }));
    expect(received).to.deep.equal([]);
    expect(good(await call('sendResponse', { requestUrl: link, vpToken })).transmission_success).to.equal(true);
    expect(shownIn(tokenIn().card[0])).to.deep.equal(['street']);
    expect((await call('sendResponse', { requestUrl: link, vpToken })).status, 'a second time').to.equal(409);
  });

  it('presentToVerifier, sendResponse 200: a verifier that refuses the response says why', async () => {
    const refused = { error: 'invalid_request', error_description: 'It is revoked' };
    reply = { status: 400, body: JSON.stringify({ ...refused, redirect_uri: 'https://shop.example/failed' }) };
    const link = request();
    const { vpToken } = good(await build(link));
    for (const answer of [await present(link), await call('sendResponse', { requestUrl: link, vpToken })]) {
      const { verifier_response: said, ...rest } = good(answer);
      expect(rest).to.deep.equal({ transmission_success: false, redirect_to: 'https://shop.example/failed' });
      expect(said).to.deep.include(refused);
    }
    expect((await call('sendResponse', { requestUrl: link, vpToken })).status, 'a second time').to.equal(409);
  });

  it('buildVpToken 400: what leaves a query unanswered, and what was not asked for', async () => {
    const link = request({}, [card({ claims: CLAIMS }), card({ claims: [CLAIMS[0]] }, 'second')]);
    const both = [option(), option('second')];
    const claim = (path: string[], queryId = 'card') => ({ ...option(queryId), path });
    const cases: [Json, string][] = [
      [{ selectedCredentialOptions: [option()] }, '/body/selectedCredentialOptions'],
      [{ selectedCredentialOptions: [...both, option('card', ids.mso_mdoc)] }, '/body/selectedCredentialOptions'],
      [{ selectedCredentialOptions: [...both, option('card', 'unknown')] }, '/body/selectedCredentialOptions'],
      [
        { selectedCredentialOptions: [], selectedCredentialIds: { card: [ids['dc+sd-jwt']] } },
        '/body/selectedCredentialOptions',
      ],
      [{ selectedDisclosureOptions: [claim(['birthdate'])] }, '/body/selectedDisclosureOptions'],
      [{ selectedDisclosureOptions: [claim(['address', 'street'], 'second')] }, '/body/selectedDisclosureOptions'],
      [
        { selectedDisclosureOptions: [{ ...option('card', ids.mso_mdoc), path: ['a'] }] },
        '/body/selectedDisclosureOptions',
      ],
    ];
    for (const [more, path] of cases) {
      const answer = await build(link, { selectedCredentialOptions: both, ...more });
      expect(refusal(answer), JSON.stringify(more)).to.deep.equal([400, path]);
    }
    const older = {
      selectedCredentialOptions: [],
      selectedCredentialIds: { card: [ids['dc+sd-jwt']], second: [ids['dc+sd-jwt']] },
    };
    expect(Object.keys(JSON.parse(good(await build(link, older)).vpToken))).to.deep.equal(['card', 'second']);
    expect(received).to.deep.equal([]);
  });

  it('sendResponse 409: a token of another wallet, another request, another token, and one that is too old', async () => {
    const link = request();
    const { vpToken } = good(await build(link));
    const send = (more: Json = {}, user = holder) => call('sendResponse', { requestUrl: link, vpToken, ...more }, user);
    expect((await send({}, other)).status).to.equal(409);
    expect((await send({ requestUrl: request({ nonce: 'other' }) })).status).to.equal(409);
    expect((await send({ vpToken: JSON.stringify({ card: ['a.b.c~'] }) })).status).to.equal(409);
    expect((await send({ idToken: 'a.b.c' })).status).to.equal(409);
    reply = { status: 500 };
    expect((await send()).status).to.equal(502);
    reply = {};
    const both = await Promise.all([send(), send()]);
    expect(both.map(({ status }) => status).sort(), 'once the verifier is back').to.deep.equal([200, 409]);
    good(await build(link));
    server.clock.advance(TEN_MINUTES);
    expect((await send()).status).to.equal(409);
  });

  it('sendResponse 409: of seventeen built responses the sixteen latest are kept', async () => {
    const links = Array.from({ length: 17 }, (_, place) => request({ state: `s${place}` }));
    const built: string[] = [];
    for (const link of links) built.push(good(await build(link)).vpToken);
    const statuses = [];
    for (const place of [0, 1]) {
      const json = { requestUrl: links[place], vpToken: built[place] };
      statuses.push((await call('sendResponse', json)).status);
    }
    expect(statuses).to.deep.equal([409, 200]);
  });

  it('sendResponse 200: goes where was shown, though the verifier names another address now', async () => {
    let parameters: Json = Object.fromEntries(new URL(request()).searchParams);
    peer.routes['/request'] = () => ({ body: JSON.stringify(parameters) });
    const link = `openid4vp://?${new URLSearchParams({ client_id: String(parameters.client_id), request_uri: `${peer.url}/request` })}`;
    expect(good(await call('resolveRequest', { requestUrl: link }))).to.deep.include({
      hasRequestUri: true,
      nonce: 'n',
    });
    good(await call('previewRequest', { requestUrl: link }));
    parameters = { ...parameters, response_uri: `${peer.url}/other` };
    const { vpToken } = good(await build(link));
    good(await call('sendResponse', { requestUrl: link, vpToken }));
    expect(received.map(([path]) => path)).to.deep.equal(['/response']);
    const unseen = good(await call('previewRequest', { requestUrl: link }));
    expect([unseen.valid, unseen.error.code], 'the new address is not that of the client').to.deep.equal([
      false,
      'invalid_request',
    ]);
  });

  it('previewRequest 200, rejectRequest 200: what cannot be trusted is invalid, is not answered, and its verifier learns it', async () => {
    const data = (type: string) => [
      Buffer.from(JSON.stringify({ type, credential_ids: ['card'], amount: '3' })).toString('base64url'),
    ];
    const cases: [Json, string][] = [
      [{ client_id: 'shop' }, 'invalid_client'],
      [{ transaction_data: data('unknown') }, 'invalid_transaction_data'],
      [{ response_mode: 'query' }, 'invalid_request'],
      [{ response_mode: 'form_post' }, 'invalid_request'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
    ];
    const { did, sign } = await jwkParty();
    const claims = Object.fromEntries(new URL(request({ client_id: `decentralized_identifier:${did}` })).searchParams);
    const signed = await sign({ ...claims, dcql_query: JSON.parse(claims.dcql_query ?? '') }, TYPED);
    const { hash, key, x5c } = await certifiedKey();
    const certified = new SignJWT({ ...claims, dcql_query: JSON.parse(claims.dcql_query ?? ''), client_id: hash });
    const untrusted = await certified
      .setProtectedHeader({ alg: 'ES256', ...TYPED, x5c })
      .sign(await importJWK(key.jwk, 'ES256'));
    const byValue = (client_id: string, object: string) =>
      `openid4vp://?${new URLSearchParams({ client_id, request: object })}`;
    const links: [string, string][] = [
      ...cases.map(([more, code]): [string, string] => [request(more), code]),
      [byValue(claims.client_id ?? '', corrupted(signed, 2)), 'invalid_request'],
      [byValue(hash, untrusted), 'invalid_client'],
    ];
    for (const [requestUrl, code] of links) {
      const { valid, error, credentialOptions } = good(await call('previewRequest', { requestUrl }));
      expect([valid, error.code, credentialOptions]).to.deep.equal([false, code, []]);
      for (const operationId of ['presentToVerifier', 'buildVpToken'])
        expect((await call(operationId, { requestUrl })).status, operationId).to.equal(400);
    }
    const requestUrl = request({ transaction_data: data('unknown') });
    good(
      await call('rejectRequest', { requestUrl, errorCode: 'invalid_transaction_data', errorDescription: 'Not known' }),
    );
    good(await call('rejectRequest', { requestUrl: referred(request({ client_id: 'shop' })) }));
    expect(received.map(([, form]) => Object.fromEntries(form))).to.deep.equal([
      { error: 'invalid_transaction_data', error_description: 'Not known', state: 's' },
      { error: 'access_denied', state: 's' },
    ]);
    const known = good(await call('previewRequest', { requestUrl: request({ transaction_data: data('payment') }) }));
    expect(known.transactionData[0]).to.deep.include({ type: 'payment', credentialQueryIds: ['card'] });
    expect(JSON.parse(known.transactionData[0].rawJson)).to.deep.equal(known.transactionData[0].details);
    expect(refusal(await call('previewRequest', { requestUrl: 'nonsense' }))).to.deep.equal([400, '/body/requestUrl']);
  });
});
