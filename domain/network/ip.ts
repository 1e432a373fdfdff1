/** An IP address in network order: 4 bytes for IPv4, 16 for IPv6. */
export type IpBytes = readonly number[];

/** A block of addresses of one family. */
export interface IpRange {
  bytes: IpBytes;
  /** Leading bits that all addresses of the block share. */
  bits: number;
}

/** Reads dotted decimal IPv4 or RFC 4291 §2.2 IPv6, without zone or brackets; returns undefined for any other spelling. */
export const parseIp = (text: string): IpBytes | undefined => (text.includes(':') ? parseIpv6(text) : parseIpv4(text));

function parseIpv4(text: string): number[] | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIpv6(text: string): number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const left = parseGroups(head, tail === undefined);
  const right = parseGroups(tail ?? '', true);
  if (!left || !right) return undefined;
  const missing = 16 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...left, ...new Array<number>(missing).fill(0), ...right];
}

/** The bytes of colon-separated groups; the very last group of an address may be dotted decimal. */
function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    const dotted = last && index === groups.length - 1 ? parseIpv4(group) : undefined;
    if (dotted) bytes.push(...dotted);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes;
}

/** Reads CIDR notation (RFC 4632 §3.1); bits set beyond the prefix are rejected as a probable mistake. */
export function parseRange(text: string): IpRange | undefined {
  const [address = '', prefix = '', ...more] = text.split('/');
  const bytes = parseIp(address);
  if (!bytes || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined;
  const bits = Number(prefix);
  if (bits > bytes.length * 8) return undefined;
  return bytes.every((byte, index) => (byte & ~mask(bits, index) & 255) === 0) ? { bytes, bits } : undefined;
}

/** Whether an address lies in a block of its own family. */
export const inRange = (ip: IpBytes, range: IpRange): boolean =>
  ip.length === range.bytes.length &&
  ip.every((byte, index) => ((byte ^ (range.bytes[index] ?? 0)) & mask(range.bits, index)) === 0);

/** The bits of the byte at `index` that belong to a prefix of `bits`. */
const mask = (bits: number, index: number): number => (0xff00 >> Math.min(Math.max(bits - index * 8, 0), 8)) & 255;
