import { type DerElement, DerError, derElements } from './strict-der.ts';

const INTEGER = 0x02;
const OID = 0x06;
const SEQUENCE = 0x30;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const UNIQUE_IDS = [0x81, 0x82];

/** An AlgorithmIdentifier (RFC 5280 §4.1.1.2). */
export interface Algorithm {
  oid: string;
  parameters?: DerElement;
}

/** An Extension (RFC 5280 §4.1); `value` is the content of its octet string. */
export interface Extension {
  oid: string;
  critical: boolean;
  value: Uint8Array;
}

/** The fields of a certificate (RFC 5280 §4.1). Times are in milliseconds since the epoch. */
interface CertificateParts {
  /** As it is written: 0 means version 1. */
  version: number;
  serialNumber: Uint8Array;
  signature: Algorithm;
  issuer: DerElement;
  notBefore: number;
  notAfter: number;
  subject: DerElement;
  keyAlgorithm: Algorithm;
  extensions: Extension[];
}

/** Parses the fields of a certificate whose encoding is strict DER. @throws DerError */
export function certificateParts(certificate: DerElement): CertificateParts {
  const [body, algorithm, signature, ...more] = inSequence(certificate);
  if (more.length > 0 || signature?.tag !== 0x03) throw new DerError('it has no signature');
  const fields = inSequence(body);
  const version = fields[0]?.tag === VERSION ? versionOf(fields.shift()) : 0;
  const [serial, innerAlgorithm, issuer, validity, subject, key, ...optional] = fields;
  if (serial?.tag !== INTEGER) throw new DerError('the serial number is not an integer');
  if (!algorithm || !innerAlgorithm || Buffer.compare(innerAlgorithm.whole, algorithm.whole) !== 0)
    throw new DerError('its two signature algorithms differ');
  const [notBefore, notAfter, ...others] = inSequence(validity).map(timeOf);
  if (notBefore === undefined || notAfter === undefined || others.length > 0)
    throw new DerError('the validity is not two times');
  return {
    version,
    serialNumber: serial.content,
    signature: algorithmOf(algorithm),
    issuer: present(issuer),
    notBefore,
    notAfter,
    subject: present(subject),
    keyAlgorithm: algorithmOf(inSequence(key)[0]),
    extensions: extensionsOf(optional),
  };
}

function present(element: DerElement | undefined): DerElement {
  if (!element) throw new DerError('a field is missing');
  return element;
}

/** Returns the elements of a SEQUENCE. @throws DerError for any other element */
export function inSequence(element: DerElement | undefined): DerElement[] {
  if (element?.tag !== SEQUENCE) throw new DerError('a field is not a sequence');
  return derElements(element.content);
}

function versionOf(explicit: DerElement | undefined): number {
  const [number, ...others] = derElements(present(explicit).content);
  if (number?.tag !== INTEGER || number.content.length !== 1 || others.length > 0)
    throw new DerError('the version is not a small number');
  return number.content[0] ?? 0;
}

function algorithmOf(element: DerElement | undefined): Algorithm {
  const [oid, parameters, ...others] = inSequence(element);
  if (others.length > 0) throw new DerError('an algorithm is malformed');
  return { oid: oidOf(oid), parameters };
}

function timeOf({ tag, content }: DerElement): number {
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) throw new DerError('a time is of an unknown kind');
  const text = Buffer.from(content).toString('latin1');
  // Two digits of a year mean 1950 to 2049 (RFC 5280 §4.1.2.5.1).
  const digits = tag === GENERALIZED_TIME ? text : `${text < '5' ? '20' : '19'}${text}`;
  const [year = 0, month = 0, day, hour, minute, second] = [0, 4, 6, 8, 10, 12].map((at) =>
    Number(digits.slice(at, at === 0 ? 4 : at + 2)),
  );
  const ms = Date.UTC(2000, month - 1, day, hour, minute, second);
  return new Date(ms).setUTCFullYear(year);
}

/** Returns the dotted form of an object identifier (X.690 §8.19). @throws DerError for any other element */
export function oidOf(element: DerElement | undefined): string {
  if (element?.tag !== OID) throw new DerError('a field is not an object identifier');
  const numbers: number[] = [];
  let number = 0;
  for (const octet of element.content) {
    number = number * 128 + (octet & 127);
    if (octet >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

function extensionsOf(optional: DerElement[]): Extension[] {
  const rest = optional.filter(({ tag }) => !UNIQUE_IDS.includes(tag));
  if (rest.length === 0) return [];
  const [list, ...others] = derElements(rest[0]?.content ?? new Uint8Array());
  if (rest[0]?.tag !== EXTENSIONS || rest.length > 1 || others.length > 0)
    throw new DerError('there is a field that is not known');
  return inSequence(list).map(extensionOf);
}

function extensionOf(element: DerElement): Extension {
  const parts = inSequence(element);
  const [oid, flag, octets] = parts.length === 2 ? [parts[0], undefined, parts[1]] : parts;
  if (parts.length > 3 || octets?.tag !== 0x04 || (flag && flag.tag !== 0x01))
    throw new DerError('an extension is malformed');
  return { oid: oidOf(oid), critical: flag?.content[0] === 0xff, value: octets.content };
}
