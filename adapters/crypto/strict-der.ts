/** One element of DER (X.690 §8.1): identifier octet, contents, and the whole encoding. */
export interface DerElement {
  tag: number;
  content: Uint8Array;
  whole: Uint8Array;
}

export class DerError extends Error {}

const MAX_DEPTH = 24;
const CONSTRUCTED = 0x20;
const utf8 = new TextDecoder('utf-8', { fatal: true });

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte > 0 && byte < 0x80);
const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 16));
const DAY = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const TIME = '(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d';
const UTC_TIME = new RegExp(`^\\d{2}${DAY}${TIME}Z$`);
const GENERALIZED_TIME = new RegExp(`^\\d{4}${DAY}${TIME}Z$`);

/** Checks of DER and RFC 5280 on the contents of universal primitive types; other types have none. */
const CONTENTS: Record<number, (bytes: Uint8Array) => boolean> = {
  1: (bytes) => bytes.length === 1 && (bytes[0] === 0 || bytes[0] === 0xff),
  2: (bytes) => bytes.length > 0 && !isPadded(bytes),
  3: (bytes) => isBitString(bytes),
  5: (bytes) => bytes.length === 0,
  6: (bytes) => bytes.length > 0 && isOid(bytes),
  12: (bytes) => !bytes.includes(0) && utf8.decode(bytes) !== undefined,
  19: isAscii,
  20: (bytes) => !bytes.includes(0),
  22: isAscii,
  23: (bytes) => bytes.length === 13 && UTC_TIME.test(text(bytes)),
  24: (bytes) => bytes.length === 15 && GENERALIZED_TIME.test(text(bytes)),
  26: isAscii,
  28: (bytes) => bytes.length % 4 === 0,
  30: (bytes) => bytes.length % 2 === 0,
};

/** The first nine bits of a longer integer are never all alike (X.690 §8.3.2). */
const isPadded = ([first, second]: Uint8Array): boolean =>
  second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));

function isBitString(bytes: Uint8Array): boolean {
  const unused = bytes[0] ?? 8;
  if (unused > 7 || (bytes.length === 1 && unused > 0)) return false;
  return bytes.length === 1 || ((bytes.at(-1) ?? 0) & ((1 << unused) - 1)) === 0;
}

const isOid = (bytes: Uint8Array): boolean =>
  (bytes.at(-1) ?? 0x80) < 0x80 && bytes.every((byte, index) => byte !== 0x80 || (bytes[index - 1] ?? 0) >= 0x80);

/** Parses the elements that fill `bytes` exactly. @throws DerError when the encoding is not DER */
export function derElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    if ((tag & 0x1f) === 0x1f || tag === 0) throw new DerError('a tag is not supported');
    const { length, start } = readLength(bytes, at + 1);
    const end = start + length;
    if (end > bytes.length) throw new DerError('an element is longer than its container');
    elements.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return elements;
}

/** Only the shortest definite form is DER (X.690 §10.1). */
function readLength(bytes: Uint8Array, at: number): { length: number; start: number } {
  const first = bytes[at] ?? 0x80;
  if (first < 0x80) return { length: first, start: at + 1 };
  const octets = first - 0x80;
  const length = bytes.subarray(at + 1, at + 1 + octets).reduce((sum, octet) => sum * 256 + octet, 0);
  const shortest = length < 0x80 ? 0 : Math.ceil(Math.log2(length + 1) / 8);
  if (octets > 3 || octets === 0 || octets !== shortest) throw new DerError('a length is not in its shortest form');
  return { length, start: at + 1 + octets };
}

/** Parses bytes that are exactly one element, and checks all elements inside. @throws DerError */
export function strictDer(bytes: Uint8Array): DerElement {
  const [element, ...others] = derElements(bytes);
  if (element === undefined || others.length > 0) throw new DerError('it is not exactly one element');
  check(element, 0);
  return element;
}

function check({ tag, content }: DerElement, depth: number): void {
  if (depth > MAX_DEPTH) throw new DerError('it is nested too deep');
  const number = tag & 0x1f;
  const constructed = (tag & CONSTRUCTED) !== 0;
  if (tag < 0x40) {
    if (constructed !== (number === 16 || number === 17)) throw new DerError('a type is in the wrong form');
    if (!constructed && CONTENTS[number]?.(content) === false) throw new DerError('a value is not well-formed');
  }
  if (constructed) for (const inner of derElements(content)) check(inner, depth + 1);
}
