import { expect } from 'chai';
import { browse, giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { until } from '../../support/runs/waiting.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';

const REDIRECT_URI = 'https://wallet.example/callback';
const [DEGREE, PASSPORT] = ['Degree_jwt_vc_json', 'Passport_jwt_vc_json'];

type Json = Record<string, unknown>;

const refusal = ({ status, body }: Answer) => [status, body.details?.[0].path];
const good = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
};

describe('wallet API 2: selections and copies of an offer', () => {
  const server = useServer({ settings: { wallet: { redirectUris: [REDIRECT_URI] } }, outboundTimeoutMs: 3000 });
  let holder: WalletUser;
  let issuer: TestIssuer;
  let keyIds: string[];
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
    Object.assign(issuer.behaviour, { nonces: 'endpoint', batchSize: 3 });
    keyIds = [];
    for (let count = 0; count < 2; count += 1)
      keyIds.push((await holder.call('generateWalletKey', { json: { backend: 'jwk', keyType: 'secp256r1' } })).body);
  });
  afterEach(() => issuer.close());

  const offerUrl = () => issuer.link([DEGREE, PASSPORT]);
  const receive = (credentials: Json[], more: Json = {}) =>
    holder.call('receiveCredentials', { json: { offerUrl: offerUrl(), credentials, ...more } });
  const copies = (credentialConfigurationId = DEGREE) => ({
    credentialConfigurationId,
    holderBindings: keyIds.map((keyId) => ({ keyId })),
  });
  const held = async (): Promise<{ id: string; parsedDocument: { type: string[]; credentialSubject: Json } }[]> =>
    (await holder.call('listWalletCredentials')).body;
  const subjects = async () => (await held()).map(({ parsedDocument }) => parsedDocument.credentialSubject.id);
  const waiting = async () => good(await holder.call('listPendingCredentials'));
  const resume = (pendingId: string, user = holder) => user.call('resumePendingCredential', { path: { pendingId } });

  it('resolveOfferBatch 200: what is offered, and how many copies the issuer gives', async () => {
    const { offer, batchSize } = good(await holder.call('resolveOfferBatch', { json: { offerUrl: offerUrl() } }));
    expect([offer.credentialConfigurationIds, batchSize]).to.deep.equal([[DEGREE, PASSPORT], 3]);
    for (const [stated, shown] of [
      [undefined, undefined],
      [1, undefined],
      [100, 32],
    ]) {
      issuer.behaviour.batchSize = stated;
      expect(good(await holder.call('resolveOfferBatch', { json: { offerUrl: offerUrl() } })).batchSize).to.equal(
        shown,
      );
    }
  });

  it('receiveCredentials 200: what is selected alone, each copy a credential for a key of its own, in any order', async () => {
    issuer.behaviour.copies = (jwts) => jwts.toReversed();
    const received = good(await receive([copies()]));
    expect(received).to.have.keys(['credentialIds', 'deferredTransactionIds', 'deferredCredentials']);
    expect(received.credentialIds).to.have.members((await held()).map(({ id }) => id));
    expect((await held()).every(({ parsedDocument: { type } }) => type.includes('Degree'))).to.equal(true);
    expect(new Set(await subjects()).size).to.equal(2);
    expect([await subjects(), issuer.peer.count('/issuer/credential')]).to.not.include(holder.did);
    good(await receive([{ credentialConfigurationId: PASSPORT }]));
    expect((await subjects()).filter((did) => did === holder.did)).to.have.length(1);
    good(await receive([{ credentialConfigurationId: DEGREE, holderBindings: [{}] }]));
    expect((await subjects()).filter((did) => did === holder.did)).to.have.length(2);
  });

  it('receiveCredentials 400: names what cannot be received, before the code of the offer is spent', async () => {
    const [first = ''] = keyIds;
    const bound = (...holderBindings: Json[]) => [{ credentialConfigurationId: DEGREE, holderBindings }];
    const cases: [Json[], string][] = [
      [[{ credentialConfigurationId: 'Other' }], '/0/credentialConfigurationId'],
      [[copies(), copies()], '/1/credentialConfigurationId'],
      [bound({}, {}, {}, {}), '/0/holderBindings'],
      [bound({ keyId: first }, { keyId: first }), '/0/holderBindings/1'],
      [bound({ keyId: 'none' }), '/0/holderBindings/0/keyId'],
      [bound({ keyId: first, did: holder.did }), '/0/holderBindings/0/did'],
      [[], ''],
      [bound(), '/0/holderBindings'],
    ];
    for (const [credentials, place] of cases)
      expect(refusal(await receive(credentials)), place).to.deep.equal([400, `/body/credentials${place}`]);
    issuer.behaviour.batchSize = undefined;
    expect(refusal(await receive([copies()]))).to.deep.equal([400, '/body/credentials/0/holderBindings']);
    expect(issuer.peer.count('/issuer/token')).to.equal(0);
  });

  describe('with a login', () => {
    const login = async (more: Json = {}) => {
      const json = { offerUrl: loginOffer(issuer, [DEGREE, PASSPORT]), redirectUri: REDIRECT_URI, ...more };
      const begun = good(await holder.call('createAuthorizationUrlBatch', { json }));
      const { code, iss } = await browse(begun.authorizationUrl, REDIRECT_URI);
      return { begun, code, iss, codeVerifier: begun.codeVerifier };
    };
    const authorized = async (credentials: Json[], more: Json = {}) => {
      const { begun: _, ...answer } = await login(more);
      const place = { credentialIssuer: issuer.issuer, credentialEndpoint: `${issuer.issuer}/credential` };
      return holder.call('receiveAuthorizedBatch', { json: { ...answer, ...place, credentials } });
    };

    it('createAuthorizationUrlBatch, receiveAuthorizedBatch 200: a login for a part of an offer, received in copies', async () => {
      const codes = giveCodes(issuer);
      const { begun } = await login();
      expect(begun.credentialConfigurationIds).to.deep.equal([DEGREE, PASSPORT]);
      const received = good(await authorized([copies()], { credentialConfigurationIds: [DEGREE] }));
      expect(codes.asked.map((asked) => asked.get('scope'))).to.deep.equal(['degree passport', 'degree']);
      expect(received).to.have.keys(['credentialIds', 'deferredTransactionIds', 'deferredCredentials']);
      expect(received.credentialIds).to.have.members((await held()).map(({ id }) => id));
      expect(new Set(await subjects()).size).to.equal(2);
    });

    it('createAuthorizationUrlBatch, receiveAuthorizedBatch 400: what is not offered, and what the login is not for', async () => {
      giveCodes(issuer);
      const json = { offerUrl: loginOffer(issuer, [DEGREE]), credentialConfigurationIds: [DEGREE, PASSPORT] };
      expect(refusal(await holder.call('createAuthorizationUrlBatch', { json }))).to.deep.equal([
        400,
        '/body/credentialConfigurationIds/1',
      ]);
      const other = await authorized([copies(PASSPORT)], { credentialConfigurationIds: [DEGREE] });
      expect(refusal(other)).to.deep.equal([400, '/body/credentials/0/credentialConfigurationId']);
      const { holderBindings } = copies();
      const many = [{ credentialConfigurationId: DEGREE, holderBindings: [...holderBindings, ...holderBindings] }];
      expect(refusal(await authorized(many))).to.deep.equal([400, '/body/credentials/0/holderBindings']);
      expect(issuer.peer.count('/issuer/token')).to.equal(0);
    });
  });

  it('receiveCredentials 502: two copies for one key are not stored', async () => {
    issuer.behaviour.copies = ([jwt = '']) => [jwt, jwt];
    expect((await receive([copies()])).status).to.equal(502);
    expect(await held()).to.deep.equal([]);
    // Fewer than were requested are what there is.
    issuer.behaviour.copies = (jwts) => jwts.slice(1);
    expect(good(await receive([copies()])).credentialIds).to.have.length(1);
  });

  it('receiveCredentials 502, 200: what is missing of a selection comes with the same call, and with no other', async () => {
    const deliver = issuer.peer.routes['/issuer/credential'];
    issuer.peer.routes['/issuer/credential'] = (request) =>
      /Passport/.test(request.body) ? { status: 503 } : deliver?.(request);
    const selection = [copies(), copies(PASSPORT)];
    const failed = await receive(selection);
    expect([failed.status, failed.body.resumable]).to.deep.equal([502, true]);
    expect(refusal(await receive([copies()]))).to.deep.equal([400, '/body/credentials']);
    issuer.peer.routes['/issuer/credential'] = deliver ?? (() => undefined);
    expect(good(await receive(selection)).credentialIds).to.have.length(4);
    expect([issuer.peer.count('/issuer/token'), new Set(await subjects()).size]).to.deep.equal([1, 2]);
  });

  it('listPendingCredentials, resumePendingCredential 200: what comes later is asked for by its id, and reported once', async () => {
    const later = deferAll(issuer, 'v1');
    const { deferredCredentials } = good(await receive([copies(PASSPORT), { credentialConfigurationId: DEGREE }]));
    const list = await waiting();
    expect(list).to.deep.equal(
      deferredCredentials.map(({ deferredCredentialId: id, ...one }: Json) => ({ id, ...one })),
    );
    expect(list[0]).to.deep.include({ credentialConfigurationId: PASSPORT, intervalSeconds: 5 });
    const [{ id }, other] = list;
    expect(good(await resume(id))).to.deep.equal({ type: 'deferred', storedCredentialIds: [], credentials: [list[0]] });
    expect(later.asked).to.deep.equal([]);
    later.isReady = true;
    server.clock.advance(5000);
    await until(async () => (await held()).length === 2);
    const stranger = await newWalletUser(server);
    expect((await resume(id, stranger)).status).to.equal(404);
    for (const one of [id, other.id]) {
      // The wallet may be asking by itself.
      let answer = await resume(one);
      await until(async () => {
        if (answer.status === 200) return true;
        answer = await resume(one);
        return false;
      });
      expect(answer.body.type).to.equal('stored');
      expect(answer.body.credentialIds).to.have.length(1);
      expect((await resume(one)).status).to.equal(404);
    }
    expect(await waiting()).to.deep.equal([]);
  });

  it('resumePendingCredential 400, 502, 504: what the issuer answers', async () => {
    const later = deferAll(issuer, 'v1');
    good(await receive([{ credentialConfigurationId: DEGREE }]));
    const [{ id }] = await waiting();
    const routes = issuer.peer.routes;
    const answered = routes['/issuer/deferred'] ?? (() => undefined);
    const cases: [number, () => void][] = [
      [502, () => Object.assign(later, { answer: () => ({ status: 500 }) })],
      [504, () => Object.assign(routes, { '/issuer/deferred': () => undefined })],
      [
        400,
        () => Object.assign(later, { answer: () => ({ status: 400, body: { error: 'credential_request_denied' } }) }),
      ],
    ];
    for (const [status, fail] of cases) {
      fail();
      let last = 200;
      await until(async () => {
        // The wallet may be asking by itself, which is busy, or has put it off again.
        server.clock.advance(5000);
        last = (await resume(id)).status;
        return last !== 503 && last !== 200;
      });
      expect(last).to.be.oneOf(status === 400 ? [400, 404] : [status]);
      routes['/issuer/deferred'] = answered;
    }
    expect(await waiting()).to.deep.equal([]);
  });
});
