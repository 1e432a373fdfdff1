import { expect } from 'chai';
import { AttestedIssuance, AttestedWallet, REDIRECT_URI, type Sent } from '../../actors/attested-wallet.ts';
import { LoginServer } from '../../actors/login-server.ts';
import type { Answer } from '../../support/servers/server.ts';
import type { ModuleName } from './modules.ts';

type Texts = Record<string, string | undefined>;

/** What the browser of the user ended with: the parameters that the client got, or the page of an error. */
export type Landing = { sentBack: URLSearchParams } | { page: Answer };

/** How a flow begins: the client asks by a scope, or it got an offer. */
const FLOWS = ['wallet_initiated', 'issuer_initiated'] as const;

/** A client of the conformance suite, and the browser of its user, who logs in whenever a server asks for it. */
export class Client extends AttestedWallet {
  readonly login: LoginServer;
  readonly #issuance: AttestedIssuance;
  readonly #flow: (typeof FLOWS)[number];
  #issuerState: string | undefined;

  private constructor(
    parts: { issuance: AttestedIssuance; login: LoginServer; flow: (typeof FLOWS)[number] },
    id: string,
  ) {
    super(parts.issuance, id);
    this.#issuance = parts.issuance;
    this.#flow = parts.flow;
    this.login = parts.login;
  }

  static async of(
    parts: { issuance: AttestedIssuance; login: LoginServer; flow: (typeof FLOWS)[number] },
    id = 'https://first.example',
  ) {
    const client = new Client(parts, id);
    if (parts.flow === 'issuer_initiated') client.#issuerState = await parts.issuance.issuerState();
    return client;
  }

  /** Another client of the plan, with an attestation, keys and an offer of its own. */
  another(id = 'https://second.example'): Promise<Client> {
    return Client.of({ issuance: this.#issuance, login: this.login, flow: this.#flow }, id);
  }

  override parameters(changes: Texts = {}): Record<string, string> {
    return super.parameters({ issuer_state: this.#issuerState, ...changes });
  }

  /** Pushes a request that must be accepted; returns its reference. */
  async reference(changes: Texts = {}, sent: Sent = {}): Promise<string> {
    const { status, body, headers } = await this.push(changes, sent);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body.expires_in).to.be.a('number').and.be.within(1, 599);
    expectSecret(body.request_uri.replace('urn:ietf:params:oauth:request_uri:', ''));
    return body.request_uri;
  }

  /** What the suite sends with a reference unless the module says otherwise: all of the parameters again. */
  async open(requestUri: string, changes: Texts = {}): Promise<Landing> {
    return this.browse(await this.authorize(this.parameters({ ...changes, request_uri: requestUri })));
  }

  /** The browser follows redirects until it is back at the client, or at a page. */
  async browse(first: Answer): Promise<Landing> {
    let answer = first;
    for (let steps = 0; steps < 5 && answer.status === 302; steps += 1) {
      const url = new URL(answer.headers.get('location') ?? '');
      if (url.href.startsWith(REDIRECT_URI)) return { sentBack: url.searchParams };
      if (url.origin === this.server.url) {
        const query = Object.fromEntries(url.searchParams);
        answer = await this.server.call('finishExternalLogin', { query });
      } else {
        const { status, headers } = await fetch(url, { redirect: 'manual' });
        answer = { status, headers, body: undefined };
      }
    }
    return { page: answer };
  }

  /** The code of a request that must be authorized. */
  async authorizedCode(changes: Texts = {}, sent: Sent = {}): Promise<string> {
    const landing = await this.open(await this.reference(changes, sent));
    const { code, state, iss } = sentBackTo(landing);
    expect([state, iss]).to.deep.equal([this.parameters(changes).state, this.issuer]);
    expectSecret(code);
    return code ?? '';
  }

  /** The tokens of a whole flow that must succeed; the credential can be had with them. */
  async flow(changes: Texts = {}, { par, token }: { par?: Sent; token?: Sent } = {}): Promise<Answer['body']> {
    const { status, body, headers } = await this.redeem(await this.authorizedCode(changes, par), {}, token);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect([body.token_type, headers.get('cache-control')]).to.deep.equal(['DPoP', 'no-store']);
    expect(body).to.not.have.property('id_token');
    expectSecret(body.access_token);
    return body;
  }

  async expectCredential(token: string, sent: Sent = {}, headers: Record<string, string> = {}): Promise<void> {
    const { status, body } = await this.claim(token, sent, headers);
    expect(status, JSON.stringify(body)).to.equal(200);
  }
}

/** The parameters that the client got. */
export function sentBackTo(landing: Landing): Record<string, string | undefined> {
  if ('page' in landing) throw new Error(`The user saw a page: ${JSON.stringify(landing.page.body)}`);
  return Object.fromEntries(landing.sentBack);
}

/** The error that the client got, or the one on the page that the user saw. */
export const errorOf = (landing: Landing): string | undefined =>
  'page' in landing ? landing.page.body?.error : (landing.sentBack.get('error') ?? undefined);

/** At least 128 bits, and characters that need no encoding (RFC 6749 appendix A). */
export function expectSecret(text: string | undefined): void {
  expect(text).to.match(/^[A-Za-z0-9._~-]{22,}$/);
}

/** An error of an OAuth endpoint (RFC 6749 §5.2). */
export function expectError(answer: Answer, status: number | number[], error: string | string[]): void {
  expect([status].flat(), JSON.stringify(answer.body)).to.include(answer.status);
  expect(answer.headers.get('content-type')).to.match(/^application\/json/);
  expect([error].flat()).to.include(answer.body.error);
  expect(answer.body.error_description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
}

/** Starts an issuer that demands HAIP, and a server where its users log in, for the modules of a file. */
export function useHaipIssuer() {
  let login: LoginServer;
  let issuance: AttestedIssuance;
  before(async () => {
    login = await LoginServer.start();
    const authenticationService = { server: login.settings };
    const profile = { walletInitiated: true, authenticationMethod: 'PWD' };
    issuance = await AttestedIssuance.start('HAIP', profile, { authenticationService });
  });
  after(async () => {
    await issuance?.close();
    await login?.close();
  });
  /** The test of a module: once without an offer, and once with one. */
  return (name: ModuleName, run: (client: Client) => Promise<void>): void => {
    it(name, async () => {
      for (const flow of FLOWS) await run(await Client.of({ issuance, login, flow }));
    });
  };
}
