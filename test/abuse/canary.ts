import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';

/** A listener on every address of this machine, IPv4 and IPv6, that counts who connects. */
export class Canary {
  hits = 0;
  readonly #server: Server;

  static async listen(): Promise<Canary> {
    const canary = new Canary();
    await once(canary.#server.listen(0), 'listening');
    return canary;
  }

  private constructor() {
    this.#server = createServer((socket) => {
      this.hits += 1;
      socket.on('error', () => {});
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.unref().close();
  }
}

/** This machine, in every spelling of a URL's host. */
const THIS_MACHINE = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'inner.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
];

/** Addresses of other machines that are not public. */
const NEARBY = [
  '169.254.169.254',
  '[::ffff:a9fe:a9fe]',
  '168.63.129.16',
  '10.0.0.1',
  '0xa.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
];

/** Hosts that the server must never call. */
export const HOSTS = [...THIS_MACHINE, ...NEARBY];

/** URLs that the server must never call, regardless of their host. */
export const urlsOf = (port: number): string[] => [
  `http://user:pass@127.0.0.1:${port}/`,
  `http://user@127.0.0.1:${port}/`,
  `http://8.8.8.8:80@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}/`,
  `HTTP://127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}/`,
  `http:///127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_x`,
  `unix:/var/run/docker.sock`,
  'file:///etc/passwd',
  'data:application/json,{}',
  'javascript:fetch(1)',
  `//127.0.0.1:${port}/`,
];
