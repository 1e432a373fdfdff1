import { createHash, randomBytes } from 'node:crypto';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer } from '../../demo/actors/issuer.ts';
import type { Answer, Call, TestServer } from '../support/servers/server.ts';
import { offerId } from './issuance.ts';
import { credentialRequest, proofOf } from './wallet.ts';

/** Where the wallet takes codes. */
export const REDIRECT_URI = 'https://wallet.example/callback';

type Parameters = Record<string, string | undefined>;

const verifier = randomBytes(32).toString('base64url');

/** The values that are there. */
const present = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** The parameters of the URL in an answer. */
export const returned = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);

/** The operations of each draft. */
const OPERATIONS = {
  draft13: {
    authorize: 'requestAuthorization',
    push: 'pushAuthorization',
    token: 'requestAccessToken',
    credential: 'requestCredential',
  },
  draft11: {
    authorize: 'requestDraft11Authorization',
    push: 'pushDraft11Authorization',
    token: 'requestDraft11Token',
    credential: 'requestDraft11Credential',
  },
} as const;

/** A wallet that redeems offers of a draft with codes of the authorization endpoint. */
export class CodeWallet {
  readonly #server: TestServer;
  readonly #draft: keyof typeof OPERATIONS;

  constructor(server: TestServer, draft: keyof typeof OPERATIONS = 'draft13') {
    this.#server = server;
    this.#draft = draft;
  }

  /** Offers the degree; returns the issuer state. */
  async offer(issuer: Issuer, changes: object = {}): Promise<string> {
    const standardVersion = this.#draft.toUpperCase();
    const json = degree(issuer, { standardVersion, authenticationMethod: 'NONE', ...changes });
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
    return this.#call('authorize', { query: this.parameters(issuerState, changes) });
  }

  push(issuerState: string, changes: Parameters = {}): Promise<Answer> {
    return this.#call('push', { form: this.parameters(issuerState, changes) });
  }

  /** Opens a pushed request. */
  open(requestUri: string): Promise<Answer> {
    return this.#call('authorize', { query: { client_id: 'wallet', request_uri: requestUri } });
  }

  redeem(code: string | undefined, changes: Parameters = {}): Promise<Answer> {
    const form = { grant_type: 'authorization_code', code, client_id: 'wallet', redirect_uri: REDIRECT_URI };
    return this.#call('token', { form: present({ ...form, code_verifier: verifier, ...changes }) });
  }

  /** Redeems a code and claims the degree. */
  async claim(code: string | undefined, changes: Parameters = {}): Promise<Answer> {
    const { body } = await this.redeem(code, changes);
    const claims = { aud: `${this.#server.url}/${this.#draft}` };
    const proof = proofOf(this.#server, makeHolderKey(), { nonce: body.c_nonce, claims });
    const types = ['VerifiableCredential', 'UniversityDegree'];
    const json = this.#draft === 'draft11' ? { format: 'jwt_vc_json', types, proof } : credentialRequest(proof);
    return this.#call('credential', { token: body.access_token, json });
  }

  #call(operation: keyof (typeof OPERATIONS)['draft13'], call: Call): Promise<Answer> {
    return this.#server.call(OPERATIONS[this.#draft][operation], call);
  }
}
