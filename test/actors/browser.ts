import type { TestServer } from '../support/servers/server.ts';

/** A cookie of a browser. */
interface Cookie {
  value: string;
  path: string;
}

/** How a browser opens a URL. */
interface Opening {
  method?: string;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

/** What a browser got. */
export interface Page {
  status: number;
  url: string;
  headers: Headers;
  text: string;
}

/** A browser that keeps the cookies (RFC 6265 §5) of one server, and follows redirects when it is asked to. */
export class Browser {
  readonly #cookies = new Map<string, Cookie>();

  constructor(private readonly server: Pick<TestServer, 'fetch'>) {}

  /** Opens a URL of the server without following where it leads. */
  async open(url: string, { method = 'GET', form, headers = {} }: Opening = {}): Promise<Page> {
    const { pathname, search } = new URL(url);
    const answer = await this.server.fetch(`${pathname}${search}`, {
      method,
      body: form && new URLSearchParams(form).toString(),
      headers: {
        accept: 'text/html',
        cookie: this.cookieFor(url),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return { status: answer.status, url, headers: answer.headers, text };
  }

  /** What it was given to keep, as the headers said it. */
  readonly kept: string[] = [];

  /** The header `Cookie` for a URL. */
  cookieFor(url: string): string {
    const { pathname } = new URL(url);
    const sent = [...this.#cookies].filter(
      ([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')),
    );
    return sent.map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ');
  }

  /** Opens a URL and follows redirects for as long as they stay at its host. */
  async follow(url: string): Promise<Page> {
    let page = await this.open(url);
    for (let next = locationOf(page); next?.startsWith(new URL(url).origin); next = locationOf(page))
      page = await this.open(next);
    return page;
  }

  #keep(line: string): void {
    this.kept.push(line);
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    const key = `${pair.slice(0, at)} ${path}`;
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(key);
    else this.#cookies.set(key, { value: pair.slice(at + 1), path });
  }
}

/** Where a page leads to. */
export const locationOf = ({ headers, url }: Page): string | undefined => {
  const location = headers.get('location');
  return location === null ? undefined : new URL(location, url).href;
};
