import { createHash, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import * as client from 'openid-client';
import type { WrittenClient } from '../../domain/sign-in/written-sign-in.ts';
import type { TestServer } from '../support/servers/server.ts';

import { Browser, type Page } from './browser.ts';

/** What answers requests. */
type Answering = Pick<TestServer, 'fetch'>;

/** Where the relying parties of tests get answers. */
export const CALLBACK = 'https://shop.example.org/callback';

/** What a relying party asks for besides what every one does. */
type Asked = Record<string, string>;

/** A sign-in that a relying party began in a browser. */
export interface BegunSignIn {
  browser: Browser;
  page: Page;
  /** What the answer must fit. */
  checks: client.AuthorizationCodeGrantChecks;
}

/** The ways in which relying parties authenticate. */
export type Authentication = WrittenClient['authentication'];

/** At which provider a client is registered, and as what. */
interface Registration {
  issuer: string;
  id: string;
  credentials: ClientCredentials;
}

/** A client of a provider: the certified library `openid-client`, with its credentials. */
export class RelyingParty {
  private constructor(
    readonly server: Answering,
    readonly configuration: client.Configuration,
  ) {}

  /** Reads the metadata of a provider of a server. */
  static async at(server: Answering, { issuer, id, credentials }: Registration): Promise<RelyingParty> {
    const options = { execute: [client.allowInsecureRequests], [client.customFetch]: fetchAt(server) };
    const metadata = { id_token_signed_response_alg: credentials.algorithm };
    const configuration = await client.discovery(new URL(issuer), id, metadata, credentials.authenticate, options);
    return new RelyingParty(server, configuration);
  }

  /** Sends a browser to the provider; by a pushed request where it says so. */
  async begin(asked: Asked = {}, { pushed = false } = {}): Promise<BegunSignIn> {
    const { url, checks } = await this.request(asked, { pushed });
    return { ...(await this.open(url)), checks };
  }

  /** Opens the URL of a request in a browser of its own. */
  async open(url: string): Promise<Pick<BegunSignIn, 'browser' | 'page'>> {
    const browser = new Browser(this.server);
    return { browser, page: await browser.follow(url) };
  }

  /** The URL of a request, and what its answer must fit. */
  async request(asked: Asked = {}, { pushed = false } = {}) {
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const parameters = {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...asked,
    };
    const url = pushed
      ? await client.buildAuthorizationUrlWithPAR(this.configuration, parameters)
      : client.buildAuthorizationUrl(this.configuration, parameters);
    return { url: url.href, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } };
  }

  /** Exchanges the code of an answer. */
  exchange(location: string, checks: client.AuthorizationCodeGrantChecks) {
    return client.authorizationCodeGrant(this.configuration, new URL(location), checks);
  }

  /** Reads userinfo for the tokens of a sign-in. */
  userinfo({ access_token: token, claims }: Awaited<ReturnType<RelyingParty['exchange']>>) {
    return client.fetchUserInfo(this.configuration, token, claims()?.sub ?? '');
  }
}

/** Sends the requests of a client to a server, regardless of its public URL. */
const fetchAt =
  (server: Answering): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const sent = { method, headers, body: body?.toString() };
    const answer = await server.fetch(`${pathname}${search}`, sent);
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers });
  };

/** What a client proves with, and what its provider knows of that. */
export interface ClientCredentials {
  authenticate: client.ClientAuth;
  /** Of those that have one. */
  secret?: string;
  algorithm: 'ES256' | 'RS256';
  registered: Pick<WrittenClient, 'authentication' | 'secretDigest' | 'jwks' | 'idTokenAlgorithm'>;
}

/** Makes the credentials of a client. */
export async function clientCredentials(
  authentication: Authentication,
  algorithm: 'ES256' | 'RS256' = 'ES256',
): Promise<ClientCredentials> {
  const secret = randomBytes(32).toString('base64url');
  const secretDigest = createHash('sha256').update(secret).digest('hex');
  const registered = { authentication, idTokenAlgorithm: algorithm };
  if (authentication === 'none') return { algorithm, registered, authenticate: client.None() };
  if (authentication === 'client_secret_basic')
    return {
      algorithm,
      secret,
      registered: { ...registered, secretDigest },
      authenticate: client.ClientSecretBasic(secret),
    };
  if (authentication === 'client_secret_post')
    return {
      algorithm,
      secret,
      registered: { ...registered, secretDigest },
      authenticate: client.ClientSecretPost(secret),
    };
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'client', alg: 'ES256', use: 'sig' };
  return {
    algorithm,
    registered: { ...registered, jwks: { keys: [jwk as Record<string, unknown>] } },
    authenticate: client.PrivateKeyJwt({ key: privateKey, kid: 'client' }),
  };
}
