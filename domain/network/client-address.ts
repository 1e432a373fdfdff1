import { type IpBytes, type IpRange, inRange, parseIp, parseRange } from './ip.ts';

/** The facts that the client address of a request is derived from. */
export interface ConnectionInfo {
  /** The address of the peer of the connection; undefined after the peer disconnected. */
  peer: string | undefined;
  /** `X-Forwarded-For`, all its lines joined by commas; '' for none. */
  forwardedFor: string;
}

/** Reads `trustedProxies`: addresses and blocks. @throws Error when an entry is neither */
export function readProxies(entries: readonly string[]): IpRange[] {
  return entries.map((entry) => {
    const bytes = readAddress(entry);
    const block = bytes ? { bytes, bits: bytes.length * 8 } : parseRange(entry);
    if (!block) throw new Error(`services.conf: trustedProxies: "${entry}" is not an address or a CIDR block`);
    return block;
  });
}

/**
 * Returns the source that a request is counted for (decisions §9): the peer or, when that is a trusted proxy, the first
 * address from the right of `X-Forwarded-For` that is not. An attacker controls the entries to the left of it, and of any
 * malformed entry.
 */
export function clientAddressOf({ peer, forwardedFor }: ConnectionInfo, proxies: readonly IpRange[]): string {
  let source = readAddress(peer ?? '');
  if (!source) return 'unknown';
  const hops = forwardedFor === '' || proxies.length === 0 ? [] : forwardedFor.split(',');
  while (hops.length > 0 && isTrusted(source, proxies)) {
    const next = readAddress((hops.pop() ?? '').trim());
    if (!next) break;
    source = next;
  }
  return canonical(source);
}

/** Whether the peer of a connection is a trusted proxy. */
export function isTrustedPeer(peer: string | undefined, proxies: readonly IpRange[]): boolean {
  const ip = proxies.length === 0 ? undefined : readAddress(peer ?? '');
  return ip !== undefined && isTrusted(ip, proxies);
}

const isTrusted = (ip: IpBytes, proxies: readonly IpRange[]): boolean => proxies.some((block) => inRange(ip, block));

/** An address with or without port, brackets and zone; an IPv4 address written as IPv6 (RFC 4291 §2.5.5.2) is folded. */
function readAddress(text: string): IpBytes | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const ip = parseIp((bracketed ?? withPort ?? text).replace(/%[^%]*$/, ''));
  const isMapped = ip?.length === 16 && ip.slice(0, 10).every((byte) => byte === 0) && ip[10] === 255 && ip[11] === 255;
  return isMapped ? ip.slice(12) : ip;
}

/** One subscriber has at least a /64 of IPv6 (RFC 6177), so all of it is one source. */
function canonical(ip: IpBytes): string {
  if (ip.length === 4) return ip.join('.');
  const groups = [0, 2, 4, 6].map((at) => (((ip[at] ?? 0) << 8) | (ip[at + 1] ?? 0)).toString(16));
  return `${groups.join(':')}::/64`;
}
