import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { IpRange } from '../../domain/network/ip.ts';
import { sourceOf } from '../../domain/network/source-address.ts';

/** Where requests come from (decisions §9). The header `Forwarded` (RFC 7239) is never believed. */
export class Sources {
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
    if (forwardedFor !== '') return sourceOf({ peer: socket.remoteAddress, forwardedFor }, this.#proxies);
    const known = this.#peers.get(socket) ?? sourceOf({ peer: socket.remoteAddress, forwardedFor }, this.#proxies);
    this.#peers.set(socket, known);
    return known;
  }
}
