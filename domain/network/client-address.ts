import { type IpBytes, type IpRange, inRange, parseIp, parseRange } from './ip.ts';

/** The facts that the client address of a request is derived from. */
export interface ConnectionInfo {
  /** The address of the peer of the connection; undefined after the peer disconnected. */
  peer: string | undefined;
  /** `X-Forwarded-For`, all its lines joined by commas; '' for none. */
  forwardedFor: string;
}

/** Reads `trustedProxies`: addresses and blocks. @throws Error when an entry is neither */
export const readProxies = (entries: readonly string[]): IpRange[] =>
  entries.map((entry) => readBlock(entry, 'services.conf: trustedProxies'));

/**
 * Reads `exempt`: addresses and blocks of sources. A block of IPv6 has at most 64 bits, since all of a /64 is one source.
 * @throws Error when an entry is neither
 */
export const readSources = (entries: readonly string[]): IpRange[] =>
  entries.map((entry) => {
    const { bytes, bits } = readBlock(entry, 'rate-limit.conf: exempt');
    return { bytes, bits: Math.min(bits, bytes.length === 16 ? SOURCE_BITS : 32) };
  });

/** The bits of IPv6 that one source has in common: one subscriber has at least a /64 (RFC 6177). */
const SOURCE_BITS = 64;

/** Whether a source, as `clientAddressOf` returns it, is of one of these blocks. */
export function isSourceOf(source: string, blocks: readonly IpRange[]): boolean {
  const ip = parseIp(source) ?? parseRange(source)?.bytes;
  return ip !== undefined && blocks.some((block) => inRange(ip, block));
}

function readBlock(entry: string, place: string): IpRange {
  const bytes = readAddress(entry);
  const block = bytes ? { bytes, bits: bytes.length * 8 } : parseRange(entry);
  if (!block) throw new Error(`${place}: "${entry}" is not an address or a CIDR block`);
  return block;
}

/**
 * Returns the source that a request is counted for (decisions §9): the peer or, when that is a trusted proxy, the first
 * address from the right of `X-Forwarded-For` that is not. An attacker controls the entries to the left of it, and of any
 * malformed entry.
 */
export function clientAddressOf(info: ConnectionInfo, proxies: readonly IpRange[]): string {
  const source = sourceOf(info, proxies);
  return source ? canonical(source) : 'unknown';
}

/**
 * Whether a request comes from a network of the operator: a loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3) or a
 * trusted one. A request that a proxy without trust passed on does not.
 */
export function isLocalClient(info: ConnectionInfo, proxies: readonly IpRange[]): boolean {
  const source = sourceOf(info, proxies);
  if (!source) return false;
  if (isTrusted(source, proxies)) return true;
  return LOOPBACK.some((block) => inRange(source, block)) && info.forwardedFor === '';
}

/** 127.0.0.0/8 and ::1. */
const LOOPBACK: readonly IpRange[] = [
  { bytes: [127, 0, 0, 0], bits: 8 },
  { bytes: [...new Array<number>(15).fill(0), 1], bits: 128 },
];

function sourceOf({ peer, forwardedFor }: ConnectionInfo, proxies: readonly IpRange[]): IpBytes | undefined {
  let source = readAddress(peer ?? '');
  if (!source) return undefined;
  const hops = forwardedFor === '' || proxies.length === 0 ? [] : forwardedFor.split(',');
  while (hops.length > 0 && isTrusted(source, proxies)) {
    const next = readAddress((hops.pop() ?? '').trim());
    if (!next) break;
    source = next;
  }
  return source;
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

/** All of an IPv6 network of `SOURCE_BITS` is one source. */
function canonical(ip: IpBytes): string {
  if (ip.length === 4) return ip.join('.');
  const groups = [0, 2, 4, 6].map((at) => (((ip[at] ?? 0) << 8) | (ip[at + 1] ?? 0)).toString(16));
  return `${groups.join(':')}::/${SOURCE_BITS}`;
}
