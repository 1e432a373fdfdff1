import { randomUUID } from 'node:crypto';
import type { Answer, TestServer } from '../support/servers/server.ts';

/** The `Origin` header of a page; none when the page's own server forwards its requests. */
export type PageOrigin = string | undefined;

/**
 * The page of a web wallet. Its script stores the token in the cookie `auth.token`, which authenticates every request
 * but one. Texts are sent labelled as JSON.
 */
export class WalletPage {
  readonly #server: TestServer;
  readonly #origin: PageOrigin;
  token = '';
  wallet = '';

  constructor(server: TestServer, origin: PageOrigin = undefined) {
    this.#server = server;
    this.#origin = origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send('GET', path, { headers });
  }

  /** Sends an object as JSON, a text unchanged; both are labelled JSON. */
  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    if (body === undefined) return this.#send('POST', path, { headers });
    const type = { 'content-type': 'application/json', accept: 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.#send('POST', path, { body: text, headers: { ...type, ...headers } });
  }

  delete(path: string): Promise<Answer> {
    return this.#send('DELETE', path, {});
  }

  /** A path below the wallet. */
  at(path: string): string {
    return `/wallet-api/wallet/${this.wallet}/${path}`;
  }

  /** The first requests of every page of a logged-in user. */
  async open(): Promise<void> {
    await this.get('/wallet-api/auth/session', { authorization: `Bearer ${this.token}` });
    for (let visit = 0; visit < 2; visit += 1) {
      const { body } = await this.get('/wallet-api/wallet/accounts/wallets');
      this.wallet = body.wallets[0].id;
    }
  }

  #send(method: string, path: string, { body, headers = {} }: { body?: string; headers?: Record<string, string> }) {
    const cookie: Record<string, string> = this.token === '' ? {} : { cookie: `auth.token=${this.token}` };
    const origin: Record<string, string> = this.#origin === undefined ? {} : { origin: this.#origin };
    return this.#server.fetch(path, { method, body, headers: { ...cookie, ...origin, ...headers } });
  }
}

/** A page on which a new user has logged in. */
export async function loggedIn(server: TestServer, origin?: PageOrigin): Promise<WalletPage> {
  const page = new WalletPage(server, origin);
  const credentials = { email: `${randomUUID()}@example.org`, password: 'a long enough password', type: 'email' };
  await page.post('/wallet-api/auth/register', { name: 'Ada', ...credentials });
  page.token = (await page.post('/wallet-api/auth/login', credentials)).body.token;
  await page.open();
  return page;
}

/** The origin of the portal's pages. */
export const PORTAL = 'http://portal.example:7102';

/** A request of the portal's page: from another origin, with no header of its own but the content type. */
export function portalCall(
  server: TestServer,
  path: string,
  { json, headers = {} }: { json?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const from = { origin: PORTAL, accept: 'application/json, text/plain, */*', ...headers };
  if (json === undefined) return server.fetch(path, { headers: from });
  const body = JSON.stringify(json);
  return server.fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...from } });
}

/** The CORS preflight request of a browser. */
export const preflight = (server: TestServer, path: string, { origin, method, headers }: Preflight): Promise<Answer> =>
  server.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers.join(','),
    },
  });

interface Preflight {
  origin: string;
  method: string;
  headers: string[];
}

/** A degree as in a repository of templates, with a fresh id. */
export const degreeTemplate = () => ({
  '@context': ['https://www.w3.org/2018/credentials/v1', 'https://www.w3.org/2018/credentials/examples/v1'],
  id: randomUUID(),
  type: ['VerifiableCredential', 'UniversityDegree'],
  issuer: { id: 'did:example:replaced', name: 'Example University', image: 'https://university.example/logo.png' },
  issuanceDate: '2020-03-10T04:24:12.164Z',
  credentialSubject: { id: 'did:example:replaced', degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
});

/** A link as pages pass it on: everything from the question mark under another scheme, inner URIs not encoded. */
export const handedOn = (link: string, scheme: string): string =>
  `${scheme}://${decodeURIComponent(link.slice(link.indexOf('?'))).replaceAll('"', '%22')}`;
