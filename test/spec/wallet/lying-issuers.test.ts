import { expect } from 'chai';
import { base64url, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { browse, giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { HttpPeer, type PeerRequest } from '../../actors/http-peer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { until } from '../../support/runs/waiting.ts';
import { useServer } from '../../support/servers/server.ts';
import { testKeys } from '../../support/trust/certificates.ts';
import { signMetadata } from '../../support/trust/signed-metadata.ts';

const REDIRECT_URI = 'https://wallet.example/callback';
const METADATA = '/issuer/.well-known/openid-credential-issuer';
type Json = Record<string, unknown>;

/** What an issuer does at one step, with a server of its own elsewhere, and what the user is shown. */
interface Lie {
  does(issuer: TestIssuer, elsewhere: string): void | Promise<void>;
  status: number;
  message: RegExp;
}

/** Changes the JSON that a path is answered with. */
function changing(issuer: TestIssuer, path: string, change: (body: Json) => Json): void {
  const route = issuer.peer.routes[path];
  issuer.peer.routes[path] = async (request: PeerRequest) => {
    const reply = (await route?.(request)) ?? {};
    return { ...reply, body: change(Object(reply.body)) };
  };
}

const redirecting = (path: string, before: (issuer: TestIssuer) => void = () => {}): Lie => ({
  does: (issuer, elsewhere) => {
    before(issuer);
    issuer.peer.routes[path] = () => ({ status: 307, headers: { location: `${elsewhere}${path}` } });
  },
  status: 502,
  message: /^The call ended at/,
});
const ofV1 = ({ behaviour }: TestIssuer) => Object.assign(behaviour, { nonces: 'endpoint' });

const LIES: Record<string, Lie> = {
  'metadata of another issuer': {
    does: (issuer, elsewhere) => changing(issuer, METADATA, (body) => ({ ...body, credential_issuer: elsewhere })),
    status: 400,
    message: /that of another credential_issuer/,
  },
  'metadata that another key than its own signed': {
    does: (issuer) => signMetadata(issuer, { keys: testKeys('P-256', 94) }),
    status: 502,
    message: /^The signed metadata of the issuer has a signature that is not valid$/,
  },
  'an authorization server of another name': {
    does: (issuer) => {
      changing(issuer, METADATA, ({ token_endpoint: _, ...body }) => ({
        ...body,
        authorization_servers: [`${issuer.peer.url}/server`],
      }));
      issuer.peer.routes['/.well-known/oauth-authorization-server/server'] = () => ({
        body: { issuer: issuer.issuer, token_endpoint: `${issuer.issuer}/token` },
      });
    },
    status: 400,
    message: /that of another authorization server/,
  },
  'a redirect of the code to another origin': redirecting('/issuer/token'),
  'a redirect of the token and the proof to another origin': redirecting('/issuer/credential'),
  'a token that is bound to a key that was not sent': {
    does: (issuer) => changing(issuer, '/issuer/token', (body) => ({ ...body, token_type: 'DPoP' })),
    status: 502,
    message: /bound to a key that was not sent/,
  },
  'a credential of another format than it offered': {
    does: (issuer) => {
      const credential_definition = { type: ['VerifiableCredential', 'Degree'] };
      const deliver = issuer.peer.routes['/issuer/credential'];
      changing(issuer, METADATA, (body) => ({
        ...body,
        credential_configurations_supported: { Degree_jwt_vc_json: { format: 'dc+sd-jwt', vct: 'urn:degree' } },
      }));
      issuer.peer.routes['/issuer/credential'] = (request) =>
        deliver?.({ ...request, body: JSON.stringify({ ...JSON.parse(request.body), credential_definition }) });
    },
    status: 400,
    message: /./,
  },
  'a credential for another key': {
    does: async (issuer) => {
      const jwk = await exportJWK((await generateKeyPair('ES256')).publicKey);
      issuer.behaviour.claims = (claims) => ({ ...claims, cnf: { jwk } });
    },
    status: 400,
    message: /bound to the key of another holder/,
  },
  'neither a credential nor a transaction': {
    does: (issuer) => changing(issuer, '/issuer/credential', () => ({ transaction_id: 7, credentials: [] })),
    status: 502,
    message: /delivered no credential/,
  },
  'nonces that are never right': {
    does: (issuer) => {
      ofV1(issuer);
      issuer.behaviour.staleProofs = 1000;
    },
    status: 400,
    message: /answered with 400/,
  },
};

describe('an issuer that lies', () => {
  const server = useServer({ settings: { wallet: { redirectUris: [REDIRECT_URI] } } });
  let holder: WalletUser;
  let issuer: TestIssuer;
  let elsewhere: HttpPeer;
  before(async () => {
    [holder, elsewhere] = [await newWalletUser(server), await new HttpPeer().listen()];
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
  });
  afterEach(() => issuer.close());
  after(() => elsewhere.close());

  const accept = (text = issuer.link()) => holder.call('acceptCredentialOffer', { text });
  const held = async () => (await holder.call('listWalletCredentials', { query: { showPending: 'true' } })).body;
  const waiting = async () => (await holder.call('listDeferredCredentials')).body;

  for (const [what, { does, status, message }] of Object.entries(LIES))
    it(`acceptCredentialOffer ${status}: ${what}: nothing is stored, and nothing goes elsewhere`, async () => {
      await does(issuer, elsewhere.url);
      const answer = await accept();
      expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      expect(answer.body.message).to.match(message);
      expect([await held(), await waiting(), elsewhere.seen]).to.deep.equal([[], [], []]);
      expect(issuer.peer.count('/issuer/credential')).to.be.at.most(2);
    });

  it('acceptCredentialOffer 200: an offer that changes after the user saw it is received as it was seen', async () => {
    const text = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(`${issuer.issuer}/offer`)}`;
    expect((await holder.call('resolveCredentialOffer', { text })).body.credential_configuration_ids).to.deep.equal([
      'Degree_jwt_vc_json',
    ]);
    issuer.peer.routes['/issuer/offer'] = () => ({ body: issuer.offer(['Passport_jwt_vc_json']) });
    const { body } = await accept(text);
    expect(body.map(({ type }: { type: string }) => type)).to.deep.equal(['Degree']);
  });

  it('finishOfferAuthorization 200: endpoints that it names after the login began are not called', async () => {
    giveCodes(issuer);
    const json = { offer: loginOffer(issuer), redirectUri: REDIRECT_URI };
    const begun = await holder.call('beginOfferAuthorization', { json });
    const answer = await browse(begun.body.authorizationUrl, REDIRECT_URI);
    changing(issuer, METADATA, (body) => ({
      ...body,
      token_endpoint: `${elsewhere.url}/issuer/token`,
      credential_endpoint: `${elsewhere.url}/issuer/credential`,
    }));
    const { status, body } = await holder.call('finishOfferAuthorization', { json: answer });
    expect([status, body.length, elsewhere.seen], JSON.stringify(body)).to.deep.equal([200, 1, []]);
  });

  it('collectDeferredCredential: one that redirects the transaction elsewhere is not followed', async () => {
    deferAll(issuer, 'v1');
    expect((await accept()).status).to.equal(200);
    const [{ id }] = await waiting();
    const location = `${elsewhere.url}/issuer/deferred`;
    issuer.peer.routes['/issuer/deferred'] = () => ({ status: 307, headers: { location } });
    server.clock.advance(5000);
    await until(() => issuer.peer.count('/issuer/deferred') > 0);
    expect([(await held()).length, elsewhere.seen, (await waiting())[0].id]).to.deep.equal([0, [], id]);
    await holder.call('abandonDeferredCredential', { path: { id } });
  });
});

describe('an issuer that lies about copies', () => {
  const server = useServer({ settings: { wallet: { batchSize: 2 } } });
  let holder: WalletUser;
  let issuer: TestIssuer;
  before(async () => {
    [holder, issuer] = [await newWalletUser(server), await startIssuer()];
    ofV1(issuer);
    const cards = {
      format: 'dc+sd-jwt',
      vct: 'urn:card',
      cryptographic_binding_methods_supported: ['jwk'],
    };
    changing(issuer, METADATA, (body) => ({
      ...body,
      batch_credential_issuance: { batch_size: 2 },
      credential_configurations_supported: { Degree_jwt_vc_json: cards },
    }));
  });
  after(() => issuer.close());

  /** Lets the issuer sign a card for each proof, and give what `change` makes of them. */
  async function giveCards(change: (cards: string[]) => string[]): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const did = `did:jwk:${base64url.encode(JSON.stringify(await exportJWK(publicKey)))}`;
    const cardFor = async (proof: string) => {
      const { jwk } = decodeProtectedHeader(proof);
      const claims = { iss: did, vct: 'urn:card', cnf: { jwk } };
      const header = { alg: 'ES256', typ: 'dc+sd-jwt', kid: `${did}#0` };
      return `${await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)}~`;
    };
    issuer.peer.routes['/issuer/credential'] = async ({ body }) => {
      const cards = await Promise.all(JSON.parse(body).proofs.jwt.map(cardFor));
      return { body: { credentials: change(cards).map((credential) => ({ credential })) } };
    };
  }

  const LISTS: [string, (cards: string[]) => string[], number, number | undefined][] = [
    ['gives one of them twice', ([first = '']) => [first, first], 400, undefined],
    ['gives more than were asked for', ([first = '', second = '']) => [first, second, first], 400, undefined],
    ['gives them in another order', (cards) => cards.toReversed(), 200, 2],
    ['gives fewer than were asked for', ([first = '']) => [first], 200, 1],
  ];
  for (const [what, change, status, copies] of LISTS)
    it(`acceptCredentialOffer ${status}: ${what}`, async () => {
      await resetWallet(holder);
      await giveCards(change);
      const answer = await holder.call('acceptCredentialOffer', { text: issuer.link() });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      if (status === 400) expect(answer.body.message).to.match(/bound to a key of another, or of another copy/);
      const held = (await holder.call('listWalletCredentials')).body;
      expect(held.map((one: { copies?: number }) => one.copies)).to.deep.equal(copies === undefined ? [] : [copies]);
    });
});
