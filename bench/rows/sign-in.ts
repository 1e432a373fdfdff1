import { createHash } from 'node:crypto';
import { Caller, parameterOf } from '../support/caller.ts';
import { compared, interleave, type Line } from '../support/harness.ts';
import { type Connection, loadOf } from '../support/load.ts';
import { inTurn, MANY, makeParty, type Party, signBare } from '../support/parties.ts';
import { configFolder, fork, serveProduct } from '../support/servers.ts';
import { Visitor } from '../support/visitor.ts';

const SLICE_MS = 500;
/** The code of both sides is compiled after some thousand requests. */
const WARM_UP = 20;
const TYPE = 'urn:example:card';
const CALLBACK = 'https://shop.example.org/callback';
const CLIENT = { client_id: 'shop', client_secret: 'a-secret-of-the-client-of-32-bytes' };
/** The pair of RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const ASKED = new URLSearchParams({
  client_id: CLIENT.client_id,
  response_type: 'code',
  scope: 'openid',
  redirect_uri: CALLBACK,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});

const FAMILY_NAME = { query: 'card', path: ['family_name'] };

/** `sign-in.conf`: a client whose people show the family name of a card with a wallet on the same device. */
const CONFIGURATION = {
  clients: {
    shop: {
      name: 'Shop',
      redirectUris: [CALLBACK],
      authentication: 'client_secret_post',
      secretDigest: createHash('sha256').update(CLIENT.client_secret).digest('hex'),
      profiles: ['card'],
    },
  },
  profiles: {
    card: {
      issuers: 'any',
      dcqlQuery: {
        credentials: [
          { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [TYPE] }, claims: [{ path: ['family_name'] }] },
        ],
      },
      claims: { family_name: { ...FAMILY_NAME, required: true } },
      subject: { values: [FAMILY_NAME] },
      flows: ['same_device'],
      encryptedResponse: false,
    },
  },
};

const now = (): number => Math.floor(Date.now() / 1000);
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A person with a card. */
interface Holder extends Party {
  card: string;
}

/** Gives a new holder a card of an issuer, as SD-JWT VC with one claim to disclose. */
function holderOf(issuer: Party): Holder {
  const holder = makeParty();
  const disclosure = Buffer.from(JSON.stringify([holder.publicJwk.x, 'family_name', 'Lovelace'])).toString('base64url');
  const claims = {
    iss: issuer.did,
    vct: TYPE,
    iat: now(),
    cnf: { jwk: holder.publicJwk },
    _sd: [digestOf(disclosure)],
  };
  const jwt = signBare({ typ: 'dc+sd-jwt', kid: issuer.kid }, claims, issuer.privateKey);
  return { ...holder, card: `${jwt}~${disclosure}~` };
}

/** Answers the request of a link for wallets; returns where the browser is sent to. */
async function present(caller: Caller, link: string, { card, privateKey }: Holder): Promise<string> {
  const request = JSON.parse(await caller.get(parameterOf(link, 'request_uri')));
  const binding = { aud: request.client_id, nonce: request.nonce, iat: now(), sd_hash: digestOf(card) };
  const presentation = `${card}${signBare({ typ: 'kb+jwt' }, binding, privateKey)}`;
  const answer = { state: request.state, vp_token: JSON.stringify({ card: [presentation] }) };
  return JSON.parse(await caller.form(new URL(request.response_uri).pathname, answer)).redirect_uri;
}

async function exchange(caller: Caller, target: string, location: string): Promise<void> {
  const code = parameterOf(location, 'code');
  const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
  const { id_token: idToken } = JSON.parse(await caller.form(target, { ...grant, ...CLIENT }));
  if (typeof idToken !== 'string') throw new Error('No person signed in');
}

/** Authorization request, page, link, request and answer of the wallet, return, page, end, tokens. */
const withCard = (nextHolder: () => Holder) => async (connection: Connection) => {
  const [visitor, caller] = [new Visitor(connection), new Caller(connection)];
  const page = await visitor.leaves(`/sign-in/authorize?${ASKED}`);
  await visitor.open(page);
  const back = await present(caller, await visitor.leaves(`${page}/wallet`), nextHolder());
  const end = await visitor.leaves(await visitor.leaves(back));
  await exchange(caller, '/sign-in/token', await visitor.leaves(end));
};

/** Authorization request, page, password, end, tokens. */
async function withLogin(connection: Connection): Promise<void> {
  const visitor = new Visitor(connection);
  const page = await visitor.leaves(`/auth?${ASKED}`);
  await visitor.open(page);
  const end = await visitor.leaves(page, { name: 'ada', password: 'only an example' });
  await exchange(new Caller(connection), '/token', await visitor.leaves(end));
}

/** People sign in at a client over HTTP, from its request to the ID token. */
export async function signIn(): Promise<Line[]> {
  const issuer = makeParty();
  const nextHolder = inTurn(Array.from({ length: MANY }, () => holderOf(issuer)));
  const files = {
    store: { type: 'memory' },
    'rate-limit': { exempt: ['127.0.0.1'] },
    'sign-in': CONFIGURATION,
  };
  const [ours, library] = await Promise.all([
    serveProduct({ folder: configFolder(files) }),
    fork('baselines/login-by-library', [...Object.values(CLIENT), CALLBACK]),
  ]);
  const { card, login } = await interleave(
    { card: loadOf(ours, withCard(nextHolder), SLICE_MS), login: loadOf(library, withLogin, SLICE_MS) },
    { warmUp: WARM_UP },
  );
  await Promise.all([ours.close(), library.close()]);
  const named = 'oidc-provider, login in memory, 5 requests';
  return [
    compared({ work: 'sign-in with a card, 9 requests, HTTP, memory', named, goal: { atLeast: 0.5 } }, card, login),
  ];
}
