import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ConnectionInfo,
  clientAddressOf,
  isLocalClient,
  isTrustedPeer,
} from '../../../domain/network/client-address.ts';
import type { IpRange } from '../../../domain/network/ip.ts';

/** Where a request comes from. */
interface Client {
  /** The canonical address. */
  source: string;
  /** Whether it is of a network of the operator: loopback, or one of the proxies. */
  isLocal: boolean;
}

/** The addresses of callers (decisions §9). The header `Forwarded` (RFC 7239) is ignored. */
export class ClientAddresses {
  /** The clients by connection, of requests without `X-Forwarded-For`. */
  readonly #peers = new WeakMap<Socket, Client>();

  /** `X-Forwarded-For` is trusted when one of `proxies` sends it. */
  constructor(private readonly proxies: readonly IpRange[]) {}

  of(request: Pick<IncomingMessage, 'socket' | 'headers'>): Client {
    const info = infoOf(request);
    if (info.forwardedFor !== '') return this.#read(info);
    const known = this.#peers.get(request.socket) ?? this.#read(info);
    this.#peers.set(request.socket, known);
    return known;
  }

  /** The host that the caller asked for: `Host`, or the first of `X-Forwarded-Host` when a trusted proxy sends it. */
  hostOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const { host = '', 'x-forwarded-host': forwarded } = headers;
    if (forwarded === undefined || !isTrustedPeer(socket.remoteAddress, this.proxies)) return host;
    return [forwarded].flat().join().split(',')[0]?.trim() ?? '';
  }

  #read(info: ConnectionInfo): Client {
    return { source: clientAddressOf(info, this.proxies), isLocal: isLocalClient(info, this.proxies) };
  }
}

function infoOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): ConnectionInfo {
  const { 'x-forwarded-for': forwarded = '' } = headers;
  return { peer: socket.remoteAddress, forwardedFor: Array.isArray(forwarded) ? forwarded.join() : forwarded };
}
