import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ConnectionInfo,
  clientAddressOf,
  isLocalClient,
  isTrustedPeer,
} from '../../../domain/network/client-address.ts';
import type { IpRange } from '../../../domain/network/ip.ts';

/** The addresses of callers (decisions §9). The header `Forwarded` (RFC 7239) is ignored. */
export class ClientAddresses {
  /** The peer address by connection, for requests without `X-Forwarded-For`. */
  readonly #peers = new WeakMap<Socket, string>();

  /** `X-Forwarded-For` is trusted when one of `proxies` sends it. */
  constructor(private readonly proxies: readonly IpRange[]) {}

  of(request: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const info = infoOf(request);
    if (info.forwardedFor !== '') return clientAddressOf(info, this.proxies);
    const known = this.#peers.get(request.socket) ?? clientAddressOf(info, this.proxies);
    this.#peers.set(request.socket, known);
    return known;
  }

  /** Whether a request comes from a network of the operator: loopback, or one of the proxies. */
  isLocal(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
    return isLocalClient(infoOf(request), this.proxies);
  }

  /** The host that the caller asked for: `Host`, or the first of `X-Forwarded-Host` when a trusted proxy sends it. */
  hostOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const { host = '', 'x-forwarded-host': forwarded } = headers;
    if (forwarded === undefined || !isTrustedPeer(socket.remoteAddress, this.proxies)) return host;
    return [forwarded].flat().join().split(',')[0]?.trim() ?? '';
  }
}

function infoOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): ConnectionInfo {
  const { 'x-forwarded-for': forwarded = '' } = headers;
  return { peer: socket.remoteAddress, forwardedFor: Array.isArray(forwarded) ? forwarded.join() : forwarded };
}
