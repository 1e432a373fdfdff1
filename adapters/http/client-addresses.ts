import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddressOf } from '../../domain/network/client-address.ts';
import type { IpRange } from '../../domain/network/ip.ts';

/** Where requests come from (decisions §9). The header `Forwarded` (RFC 7239) is never believed. */
export class ClientAddresses {
  readonly #proxies: readonly IpRange[];
  /** The peers of connections, for all of their requests that nobody forwarded. */
  readonly #peers = new WeakMap<Socket, string>();

  /** Of `proxies` the `X-Forwarded-For` is believed. */
  constructor(proxies: readonly IpRange[]) {
    this.#proxies = proxies;
  }

  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const { 'x-forwarded-for': forwarded = '' } = headers;
    const forwardedFor = Array.isArray(forwarded) ? forwarded.join() : forwarded;
    if (forwardedFor !== '') return clientAddressOf({ peer: socket.remoteAddress, forwardedFor }, this.#proxies);
    const known =
      this.#peers.get(socket) ?? clientAddressOf({ peer: socket.remoteAddress, forwardedFor }, this.#proxies);
    this.#peers.set(socket, known);
    return known;
  }
}
