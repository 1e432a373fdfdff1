import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy in front of a server. */
export interface Proxy {
  /** With the prefix, without a slash at the end. */
  url: string;
  /** Breaks every connection; new ones are accepted. */
  cut(): void;
}

/** Serves a server below a prefix, which it strips, for the tests of the enclosing `describe`. */
export function useProxy(server: { url: string }, prefix: string): Proxy {
  const proxy = { url: '', cut: () => undefined } as Proxy;
  let listener: Server;
  before(async () => {
    listener = createServer((incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      const target = new URL(url.startsWith(prefix) ? url.slice(prefix.length) : '/none', server.url);
      const forwarded = request(target, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      outgoing.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}${prefix}`;
    proxy.cut = () => listener.closeAllConnections();
  });
  after(() => {
    listener.close();
    listener.closeAllConnections();
  });
  return proxy;
}
