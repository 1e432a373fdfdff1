import { hex } from '../../../domain/foundation/bytes.ts';
import { invalidField } from '../../../domain/foundation/errors.ts';

/** The largest mdoc, in bytes; the deepest nesting, embedded CBOR included; the most items. */
const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
const MAX_ITEMS = 20_000;

/** Tags of dates, COSE structures and embedded CBOR. Others make decoders build types of their own. */
const DATE_TIME = 0;
const EPOCH = 1;
const COSE_MAC0 = 17;
const COSE_SIGN1 = 18;
const EMBEDDED = 24;
const FULL_DATE = 1004;
const TAGS = [DATE_TIME, EPOCH, COSE_MAC0, COSE_SIGN1, EMBEDDED, FULL_DATE];

const INDEFINITE = 31;
const BREAK = 0xff;
const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bounds of a kind of CBOR, where they are not those of an mdoc. */
export interface CborBounds {
  maxBytes?: number;
  maxItems?: number;
  /** Whether the names of members may be bytes. */
  byteNames?: boolean;
  /** Tags beside those of mdocs. */
  moreTags?: readonly number[];
}

/** Where the scan of a text of CBOR is. */
interface Scan {
  bytes: Uint8Array;
  offset: number;
  /** Shared by embedded CBOR. */
  items: { left: number; readonly most: number };
  definiteOnly: boolean;
  byteNames: boolean;
  tags: readonly number[];
}

/** Checks that bytes are one well-formed item (RFC 8949 §5.3.1) within the bounds, before a decoder sees them. @throws DomainError `BadRequest` */
export function checkCbor(bytes: Uint8Array, bounds?: CborBounds): void {
  check(bytes, { ...bounds, definiteOnly: false });
}

/** Checks the same, and that every length is definite, also within embedded CBOR. @throws DomainError `BadRequest` */
export function checkDefiniteCbor(bytes: Uint8Array): void {
  check(bytes, { definiteOnly: true });
}

function check(
  bytes: Uint8Array,
  { definiteOnly, moreTags = [], ...bounds }: CborBounds & Pick<Scan, 'definiteOnly'>,
): void {
  const { maxBytes = MAX_BYTES, maxItems = MAX_ITEMS, byteNames = false } = bounds;
  if (bytes.length > maxBytes) throw invalidField([], `may have at most ${maxBytes} bytes`);
  const items = { left: maxItems, most: maxItems };
  scanWhole({ bytes, offset: 0, items, definiteOnly, byteNames, tags: [...TAGS, ...moreTags] }, 1);
}

function scanWhole(scan: Scan, depth: number): void {
  scanItem(scan, depth);
  if (scan.offset !== scan.bytes.length) throw malformed();
}

function scanItem(scan: Scan, depth: number): void {
  if (depth > MAX_DEPTH) throw invalidField([], `may not be nested deeper than ${MAX_DEPTH}`);
  scan.items.left -= 1;
  if (scan.items.left < 0) throw invalidField([], `may have at most ${scan.items.most} items`);
  const initial = byteAt(scan);
  const [type, info] = [initial >> 5, initial & 31];
  SCANNERS[type]?.(scan, info, depth);
}

type Scanner = (scan: Scan, info: number, depth: number) => void;

const scanBytes: Scanner = (scan, info) => skip(scan, argument(scan, info));

const scanText: Scanner = (scan, info) => {
  textAt(scan, argument(scan, info));
};

/** By major type. */
const SCANNERS: readonly Scanner[] = [
  argument,
  argument,
  scanBytes,
  scanText,
  (scan, info, depth) => scanItems(scan, info, () => scanItem(scan, depth + 1)),
  scanMap,
  scanTagged,
  scanSimple,
];

function scanItems(scan: Scan, info: number, scanOne: () => void): void {
  if (info === INDEFINITE) {
    if (scan.definiteOnly) throw invalidField([], 'has an indefinite length');
    while (scan.bytes[scan.offset] !== BREAK) scanOne();
    scan.offset += 1;
    return;
  }
  for (let left = argument(scan, info); left > 0; left -= 1) scanOne();
}

/** Readers differ in which of two members of one name counts (RFC 8949 §5.6), so there may be one only. */
function scanMap(scan: Scan, info: number, depth: number): void {
  const names = new Set<string>();
  scanItems(scan, info, () => {
    const start = scan.offset;
    scanItem(scan, depth + 1);
    const name = nameAt({ ...scan, offset: start });
    if (names.has(name)) throw invalidField([], 'has a map with two members of one name');
    names.add(name);
    scanItem(scan, depth + 1);
  });
}

/** The name of a member as JSON shows it: a text, or an integer in decimal digits; and bytes, where they may be one. */
function nameAt(scan: Scan): string {
  const initial = byteAt(scan);
  const [type, value] = [initial >> 5, argument(scan, initial & 31)];
  if (type === 0) return String(value);
  if (type === 1) return String(-1 - value);
  if (type === 3) return textAt(scan, value);
  if (type === 2 && scan.byteNames) return `h${hex(scan.bytes.subarray(scan.offset, scan.offset + value))}`;
  throw invalidField([], 'has a map with a name that is neither a text nor an integer');
}

function scanTagged(scan: Scan, info: number, depth: number): void {
  const tag = argument(scan, info);
  if (!scan.tags.includes(tag)) throw invalidField([], `has the tag ${tag}, which is not expected`);
  const start = scan.offset;
  scanItem(scan, depth + 1);
  if (tag !== EMBEDDED) return;
  const inner = { ...scan, offset: start };
  const initial = byteAt(inner);
  if (initial >> 5 !== 2) throw malformed();
  argument(inner, initial & 31);
  scanWhole({ ...scan, bytes: scan.bytes.subarray(inner.offset, scan.offset), offset: 0 }, depth + 2);
}

/** Booleans, null, undefined and floating-point numbers. */
function scanSimple(scan: Scan, info: number): void {
  if (info >= 20 && info <= 23) return;
  if (info < 25 || info > 27) throw malformed();
  skip(scan, 2 ** (info - 24));
}

function argument(scan: Scan, info: number): number {
  if (info < 24) return info;
  if (info > 27) throw malformed();
  let value = 0;
  for (let left = 2 ** (info - 24); left > 0; left -= 1) value = value * 256 + byteAt(scan);
  return value;
}

function byteAt(scan: Scan): number {
  const value = scan.bytes[scan.offset];
  if (value === undefined) throw malformed();
  scan.offset += 1;
  return value;
}

/** Texts are UTF-8 (RFC 8949 §3.1); decoders that put a replacement for other bytes make two texts one. */
function textAt(scan: Scan, length: number): string {
  const start = scan.offset;
  skip(scan, length);
  try {
    return TEXT.decode(scan.bytes.subarray(start, scan.offset));
  } catch {
    throw invalidField([], 'has a text that is not UTF-8');
  }
}

function skip(scan: Scan, length: number): void {
  if (length > scan.bytes.length - scan.offset) throw malformed();
  scan.offset += length;
}

const malformed = (): Error => invalidField([], 'is not one item of well-formed CBOR');
