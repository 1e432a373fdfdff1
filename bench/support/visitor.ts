import { type Connection, encode, type Received } from './load.ts';

/** A browser with the cookies of one visit. */
export class Visitor {
  readonly #connection: Connection;
  readonly #cookies = new Map<string, string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Opens the path of a URL, or posts a form there. @throws Error when it does not exist, or fails */
  async open(url: string, form?: Record<string, string>): Promise<Received> {
    const { pathname, search } = new URL(url, 'http://127.0.0.1');
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const target = `${pathname}${search}`;
    const posted = form && {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    };
    const answer = await this.#connection.send(encode({ method: 'GET', headers: { cookie }, ...posted, target }));
    if (answer.status >= 400) throw new Error(`${pathname} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
    for (const [, name = '', value = ''] of answer.head.matchAll(/\r\nset-cookie: ([^=]+)=([^;\r]*)/gi))
      this.#cookies.set(name, value);
    return answer;
  }

  /** Does as `open`; returns where it leads. @throws Error when it leads nowhere */
  async leaves(url: string, form?: Record<string, string>): Promise<string> {
    const { head } = await this.open(url, form);
    const [, location] = /\r\nlocation: ([^\r]+)/i.exec(head) ?? [];
    if (location === undefined) throw new Error(`${url} leads nowhere`);
    return location;
  }
}
