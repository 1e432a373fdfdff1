import { createHash, randomBytes } from 'node:crypto';
import type { Answer, TestServer } from '../support/server.ts';
import { degree, type Issuer, offerId } from './issuance.ts';
import { credentialRequest, makeHolderKey, proofOf, requestCredential } from './wallet.ts';

/** Where the wallet takes codes. */
export const REDIRECT_URI = 'https://wallet.example/callback?own=1';

type Parameters = Record<string, string | undefined>;

const verifier = randomBytes(32).toString('base64url');

/** The values that are there. */
const present = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** The parameters of the URL in an answer. */
export const returned = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);

/** A wallet that redeems offers over draft 13 with codes of the authorization endpoint. */
export class CodeWallet {
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** Offers the degree; returns the issuer state. */
  async offer(issuer: Issuer, changes: object = {}): Promise<string> {
    const json = degree(issuer, { authenticationMethod: 'NONE', ...changes });
    const answer = await this.#server.call('issueJwtCredential', { json });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return offerId(answer.body);
  }

  /** The parameters of an authorization request; those of `changes` that are undefined are left out. */
  parameters(issuerState: string, changes: Parameters = {}): Record<string, string> {
    return present({
      response_type: 'code',
      client_id: 'wallet',
      redirect_uri: REDIRECT_URI,
      issuer_state: issuerState,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: '7f3a',
      ...changes,
    });
  }

  authorize(issuerState: string, changes: Parameters = {}): Promise<Answer> {
    return this.#server.call('requestAuthorization', { query: this.parameters(issuerState, changes) });
  }

  push(issuerState: string, changes: Parameters = {}): Promise<Answer> {
    return this.#server.call('pushAuthorization', { form: this.parameters(issuerState, changes) });
  }

  /** Opens a pushed request. */
  open(requestUri: string): Promise<Answer> {
    return this.#server.call('requestAuthorization', { query: { client_id: 'wallet', request_uri: requestUri } });
  }

  redeem(code: string | undefined, changes: Parameters = {}): Promise<Answer> {
    const form = { grant_type: 'authorization_code', code, client_id: 'wallet', redirect_uri: REDIRECT_URI };
    return this.#server.call('requestAccessToken', { form: present({ ...form, code_verifier: verifier, ...changes }) });
  }

  /** Redeems a code and claims the degree. */
  async claim(code: string | undefined, changes: Parameters = {}): Promise<Answer> {
    const { body } = await this.redeem(code, changes);
    const proof = proofOf(this.#server, makeHolderKey(), { nonce: body.c_nonce });
    return requestCredential(this.#server, body.access_token, credentialRequest(proof));
  }
}
