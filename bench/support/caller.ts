import { type Connection, encode, expectOk } from './load.ts';

/** Sends requests on one connection and returns the bodies of the answers. */
export class Caller {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get(url: string): Promise<string> {
    const { pathname, search } = new URL(url);
    return this.#send('GET', `${pathname}${search}`);
  }

  post(target: string, body: unknown, token?: string): Promise<string> {
    return this.#send('POST', target, { type: 'application/json', body: JSON.stringify(body), token });
  }

  form(target: string, fields: Record<string, string>): Promise<string> {
    const body = new URLSearchParams(fields).toString();
    return this.#send('POST', target, { type: 'application/x-www-form-urlencoded', body });
  }

  #send(method: string, target: string, content?: { type: string; body: string; token?: string }): Promise<string> {
    const headers = {
      ...(content && { 'content-type': content.type }),
      ...(content?.token && { authorization: `Bearer ${content.token}` }),
    };
    return expectOk(this.#connection.send(encode({ method, target, headers, body: content?.body })));
  }
}

/** A parameter of a link for wallets. */
export const parameterOf = (link: string, name: string): string =>
  new URL(link.replace(/^[^?]*/, 'https://wallet.example/')).searchParams.get(name) ?? '';

/** The grant of a code in the offer (OpenID4VCI 1.0 §4.1.1). */
export const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
