import { AsnConvert } from '@peculiar/asn1-schema';
import { Name, OtherName } from '@peculiar/asn1-x509';
import { Name as NamedText } from '@peculiar/x509';
import type { TestName } from './certificates.ts';

/** A directory name; RDNs from the most significant on. */
export const directoryName = (text: string): TestName => ({
  directoryName: AsnConvert.parse(new NamedText(text).toArrayBuffer(), Name),
});

const utf8String = (text: string): ArrayBuffer => {
  const bytes = new TextEncoder().encode(text);
  return Uint8Array.of(12, bytes.length, ...bytes).buffer;
};

/** A name of a private form (otherName). */
export const otherName = (typeId = '1.3.6.1.4.1.311.20.2.3', text = 'ann'): TestName => ({
  otherName: new OtherName({ typeId, value: utf8String(text) }),
});

/** An internationalized e-mail address (RFC 9598). */
export const smtpUtf8Mailbox = (address: string): TestName => otherName('1.3.6.1.5.5.7.8.9', address);
