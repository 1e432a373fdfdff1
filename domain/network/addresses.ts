import { type IpBytes, type IpRange, inRange, parseIp, parseRange } from './ip.ts';

/** IPv4 blocks that are not the public internet (RFC 6890 registry), and cloud platform addresses among public ones. */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The only IPv6 block in global use (RFC 4291 §2.4): mapped, translated, local and multicast addresses lie outside. */
const GLOBAL_IPV6 = '2000::/3';

/** What is not public within it: protocol assignments and Teredo, documentation, 6to4. */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function range(text: string): IpRange {
  const known = parseRange(text);
  if (!known) throw new Error(`${text} is not a block of addresses`);
  return known;
}

const refused = [...REFUSED_IPV4, ...REFUSED_IPV6].map(range);
const globalIpv6 = range(GLOBAL_IPV6);

/** Whether an address belongs to the public internet; anything that is not an address does not. */
export function isPublicAddress(text: string): boolean {
  const ip = parseIp(text);
  if (!ip || (ip.length === 16 && !inRange(ip, globalIpv6))) return false;
  return !refused.some((block) => inRange(ip, block));
}

/** A destination that the operator allows although it is not public. */
export type AllowEntry = { host: string; port?: number } | { range: IpRange };

/** The destination of a call. */
export interface Destination {
  /** As in the URL. */
  host: string;
  port: number;
  /** The address that would be connected to; '' before the name is resolved. */
  address: string;
}

/**
 * Reads an entry of `allow`: a host, a host with a port (IPv6 in brackets then), or a block of addresses.
 * @throws Error naming outbound.conf
 */
export function parseAllowEntry(text: string): AllowEntry {
  const entry = text.includes('/') ? rangeEntry(text) : hostEntry(text);
  if (!entry) throw new Error(`outbound.conf: allow: "${text}" is not a host, host:port or CIDR block`);
  return entry;
}

function rangeEntry(text: string): AllowEntry | undefined {
  const block = parseRange(text);
  return block && { range: block };
}

function hostEntry(text: string): AllowEntry | undefined {
  const bare = parseIp(text);
  if (bare) return { host: bare.join('.') };
  const [, name = '', digits] = /^(\[[^\]]+\]|[^:[\]]+)(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (!isHost(name) || (port !== undefined && port > 65535)) return undefined;
  return { host: canonicalHost(name), port };
}

/** A name whose last label is a number would be read as an IPv4 address (WHATWG URL, host parsing). */
const isHost = (name: string): boolean =>
  name.length <= 254 &&
  (hostAddress(name) !== undefined ||
    (/^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.?$/i.test(name) &&
      !/(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(name)));

/** Returns the address that a host name is itself, without resolving it. */
export function hostAddress(host: string): IpBytes | undefined {
  const bracketed = /^\[(.*)\]$/.exec(host)?.[1];
  return parseIp(bracketed ?? host);
}

const canonicalHost = (host: string): string => hostAddress(host)?.join('.') ?? host.toLowerCase().replace(/\.$/, '');

/** Whether both are one place: the same port, and the same host by its name or by the address it resolves to. */
export function isSamePlace(left: Destination, right: Destination): boolean {
  const names = ({ host, address }: Destination): string[] =>
    [host, address].filter((name) => name !== '').map(canonicalHost);
  return left.port === right.port && names(left).some((name) => names(right).includes(name));
}

/** Whether one of the entries covers the destination: its host exactly as the URL names it, or its address. */
export function allows(entries: readonly AllowEntry[], { host, port, address }: Destination): boolean {
  const name = canonicalHost(host);
  const ip = parseIp(address);
  return entries.some((entry) =>
    'range' in entry
      ? ip !== undefined && inRange(ip, entry.range)
      : entry.host === name && (entry.port === undefined || entry.port === port),
  );
}
