import type { AlternativeName, NamePart } from '../../../ports/certificate-maker.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { readHttpUrl } from '../../network/urls.ts';
import { isCountry } from '../../x509/countries.ts';

/** The members of certificate data that make the subject. */
interface SubjectData {
  country: string;
  commonName: string;
  stateOrProvinceName?: string;
  organizationName?: string;
  localityName?: string;
}

/** How an authority can be reached. */
interface IssuerAlternativeNameConf {
  email?: string;
  uri?: string;
}

/** What the certificate of an authority says. */
export interface IacaCertificateData extends SubjectData {
  issuerAlternativeNameConf: IssuerAlternativeNameConf;
  notBefore?: string;
  notAfter?: string;
  crlDistributionPointUri?: string;
}

/** What the certificate of a signer says. */
export interface SignerCertificateData extends SubjectData {
  crlDistributionPointUri?: string;
  subjectAlternativeName?: { uri?: string; dns?: string };
  notBefore?: string;
  notAfter?: string;
}

/** The attributes of a subject in their order, with the longest values (RFC 5280 appendix A.1). */
const PARTS: readonly { member: keyof SubjectData; attribute: NamePart['attribute']; maxLength: number }[] = [
  { member: 'country', attribute: 'C', maxLength: 2 },
  { member: 'stateOrProvinceName', attribute: 'ST', maxLength: 128 },
  { member: 'localityName', attribute: 'L', maxLength: 128 },
  { member: 'organizationName', attribute: 'O', maxLength: 64 },
  { member: 'commonName', attribute: 'CN', maxLength: 64 },
];

/** Reads the subject of a certificate. @throws DomainError `BadRequest` naming the member */
export function readSubject(data: SubjectData): NamePart[] {
  if (!isCountry(data.country))
    throw invalidField(['country'], 'must be the alpha-2 code of a country (ISO 3166-1), in upper case');
  return PARTS.flatMap(({ member, attribute, maxLength }) => {
    const value = data[member];
    return value === undefined ? [] : [{ attribute, value: readText(value, member, maxLength) }];
  });
}

// A lone surrogate has no encoding in UTF-8.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

function readText(value: string, member: string, maxLength: number): string {
  if (value === '' || value.trim() !== value) throw invalidField([member], 'must be a text without space around it');
  if ([...value].length > maxLength) throw invalidField([member], `may have at most ${maxLength} characters`);
  if (UNPRINTABLE.test(value)) throw invalidField([member], 'may not have control characters');
  return value;
}

const EMAIL = /^[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,189}$/;

/** Reads how an authority can be reached. @throws DomainError `BadRequest` naming the member */
export function readContact({ email, uri }: IssuerAlternativeNameConf): AlternativeName[] {
  if (email === undefined && uri === undefined)
    throw invalidField([], 'must name an email address or a URI (ISO 18013-5 Annex B)');
  if (email !== undefined && !EMAIL.test(email)) throw invalidField(['email'], 'must be an email address in ASCII');
  return [
    ...(email === undefined ? [] : [{ type: 'email', value: email } as const]),
    ...(uri === undefined ? [] : [{ type: 'uri', value: readCertificateUrl(uri, 'uri') } as const]),
  ];
}

/** Reads a URL that stands in a certificate, in ASCII (RFC 5280 §7.4). @throws DomainError `BadRequest` naming `member` */
export function readCertificateUrl(value: string, member: string): string {
  const url = at([member], () => readHttpUrl(value));
  if (!/^[!-~]+$/.test(url)) throw invalidField([member], 'must be in ASCII: encode other characters');
  return url;
}

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const HOST = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);

/** Reads the names that a signer is found by. @throws DomainError `BadRequest` naming the member */
export function readAltNames({ uri, dns }: { uri?: string; dns?: string }): AlternativeName[] {
  if (dns !== undefined && !HOST.test(dns)) throw invalidField(['dns'], 'must be a host name');
  return [
    ...(uri === undefined ? [] : [{ type: 'uri', value: readCertificateUrl(uri, 'uri') } as const]),
    ...(dns === undefined ? [] : [{ type: 'dns', value: dns } as const]),
  ];
}

/** Whether two names are one for a verifier (RFC 5280 §7.1). */
export const isSameSubject = (left: readonly NamePart[], right: readonly NamePart[]): boolean =>
  canonicalName(left) === canonicalName(right);

/** Whether a name has the same value of an attribute as another; true where one of them has none. */
export const agreesOn = (attribute: NamePart['attribute'], left: readonly NamePart[], right: readonly NamePart[]) => {
  const [one, other] = [left, right].map((name) => name.filter((part) => part.attribute === attribute));
  return one?.length === 0 || other?.length === 0 || isSameSubject(one ?? [], other ?? []);
};

/** Equal for names that are one for a verifier. */
export const canonicalName = (name: readonly NamePart[]): string =>
  JSON.stringify(
    name.map(({ attribute, value }) => [attribute, value.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()]),
  );
