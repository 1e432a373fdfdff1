import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddressOf, isTrustedPeer } from '../../domain/network/client-address.ts';
import type { IpRange } from '../../domain/network/ip.ts';

/** The addresses of callers (decisions §9). The header `Forwarded` (RFC 7239) is ignored. */
export class ClientAddresses {
  readonly #proxies: readonly IpRange[];
  /** The peer address by connection, for requests without `X-Forwarded-For`. */
  readonly #peers = new WeakMap<Socket, string>();

  /** `X-Forwarded-For` is trusted when one of `proxies` sends it. */
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

  /** The host that the caller asked for: `Host`, or the first of `X-Forwarded-Host` when a trusted proxy sends it. */
  hostOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const { host = '', 'x-forwarded-host': forwarded } = headers;
    if (forwarded === undefined || !isTrustedPeer(socket.remoteAddress, this.#proxies)) return host;
    return [forwarded].flat().join().split(',')[0]?.trim() ?? '';
  }
}
