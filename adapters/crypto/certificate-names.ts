import type { DistinguishedName, GeneralName, NameConstraints } from '../../ports/certificates.ts';
import { inSequence, oidOf } from './certificate-parts.ts';
import { type DerElement, DerError, derElements, strictDer } from './strict-der.ts';

const SET = 0x31;
const EMAIL_ADDRESS = '1.2.840.113549.1.9.1';

/** The canonical text of a name: strings by RFC 4518 regardless of their encoding, other values by bytes. @throws DerError */
export function distinguishedName(name: DerElement): DistinguishedName {
  const emails: string[] = [];
  const rdns = inSequence(name).map((rdn) => {
    if (rdn.tag !== SET) throw new DerError('a part of a name is not a set');
    const attributes = derElements(rdn.content).map((attribute) => {
      const { type, value } = attributeOf(attribute);
      const string = STRINGS[value.tag]?.(Buffer.from(value.content));
      if (string?.includes('\0')) throw new DerError('a name has a NUL');
      if (type === EMAIL_ADDRESS && string !== undefined) emails.push(string);
      return JSON.stringify([type, string === undefined ? [hex(value.whole)] : prepared(string)]);
    });
    return attributes.sort().join('+');
  });
  return { rdns, emails };
}

function attributeOf(attribute: DerElement): { type: string; value: DerElement } {
  const [type, value, ...others] = inSequence(attribute);
  if (!value || others.length > 0) throw new DerError('an attribute of a name is malformed');
  return { type: oidOf(type), value };
}

/** Decoders of the string types of names, by tag. */
const STRINGS: Record<number, (bytes: Buffer) => string> = {
  12: (bytes) => bytes.toString('utf8'),
  19: (bytes) => bytes.toString('latin1'),
  20: (bytes) => bytes.toString('latin1'),
  22: (bytes) => bytes.toString('latin1'),
  28: (bytes) =>
    String.fromCodePoint(...Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32BE(at * 4))),
  30: (bytes) => bytes.swap16().toString('utf16le'),
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Names that differ only in compatibility forms, case or space are equal (RFC 4518 §2). */
const prepared = (value: string): string => value.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

const OTHER_FORMS: Record<number, 'otherName' | 'x400Address' | 'ediPartyName' | 'registeredID'> = {
  160: 'otherName',
  163: 'x400Address',
  165: 'ediPartyName',
  136: 'registeredID',
};

const TEXT_FORMS: Record<number, 'email' | 'dns' | 'uri'> = { 129: 'email', 130: 'dns', 134: 'uri' };
const DIRECTORY_NAME = 0xa4;
const IP_ADDRESS = 0x87;

/** The names of a GeneralNames value. @throws DerError */
export function generalNames(value: Uint8Array): GeneralName[] {
  const { tag, content } = strictDer(value);
  const elements = derElements(content);
  if (tag !== 0x30 || elements.length === 0) throw new DerError('the alternative names are not a list');
  return elements.flatMap(generalName);
}

function generalName({ tag, content }: DerElement): GeneralName[] {
  const textForm = TEXT_FORMS[tag];
  if (textForm !== undefined) return [{ type: textForm, value: printable(content) }];
  if (tag === IP_ADDRESS) return [{ type: 'ip', bytes: Uint8Array.from(content) }];
  if (tag === DIRECTORY_NAME) return [{ type: 'dirName', name: distinguishedName(strictDer(content)) }];
  const type = OTHER_FORMS[tag];
  if (type === undefined) throw new DerError('a general name has no known form');
  return type === 'otherName' ? [{ type }, ...smtpUtf8Mailbox(content)] : [{ type }];
}

function printable(content: Uint8Array): string {
  if (!content.every((byte) => byte >= 0x20 && byte < 0x7f)) throw new DerError('a name has characters outside ASCII');
  return Buffer.from(content).toString('latin1');
}

const SMTP_UTF8_MAILBOX = '06082b06010505070809';

/** E-mail constraints also apply to internationalized addresses, which are an otherName (RFC 9598 §6). */
function smtpUtf8Mailbox(content: Uint8Array): GeneralName[] {
  const [type, value] = derElements(content);
  if (hex(type?.whole ?? new Uint8Array()) !== SMTP_UTF8_MAILBOX || value === undefined) return [];
  return [{ type: 'email', value: Buffer.from(strictDer(value.content).content).toString('utf8') }];
}

const PERMITTED = 0xa0;
const EXCLUDED = 0xa1;

/** The subtrees of a NameConstraints value; minimum and maximum must not be used (RFC 5280 §4.2.1.10). @throws DerError */
export function nameConstraints(value: Uint8Array): NameConstraints {
  const { tag, content } = strictDer(value);
  const lists = derElements(content);
  const tags = lists.map((list) => list.tag).join();
  if (tag !== 0x30 || !['160', '161', '160,161'].includes(tags))
    throw new DerError('the name constraints are malformed');
  const subtrees = (wanted: number) =>
    lists.filter((list) => list.tag === wanted).flatMap((list) => derElements(list.content).flatMap(subtree));
  return { permitted: subtrees(PERMITTED), excluded: subtrees(EXCLUDED) };
}

function subtree({ tag, content }: DerElement): GeneralName[] {
  const [base, ...limits] = derElements(content);
  if (tag !== 0x30 || base === undefined || limits.length > 0) throw new DerError('a constrained subtree is malformed');
  return generalName(base);
}
