import type { DistinguishedName, GeneralName, ParsedCertificate } from '../../ports/certificates.ts';
import { matchesDns, matchesEmail, matchesIp, matchesUri } from './constraint-matching.ts';

/** The name constraints of the certificates above one in a path (RFC 5280 §6.1.2 (b), (c)). */
export interface NameRules {
  /** One list per certificate that permits anything: a name must be within a subtree of each list of its type. */
  readonly permitted: readonly (readonly GeneralName[])[];
  /** A name must be within none of these subtrees. */
  readonly excluded: readonly GeneralName[];
}

/** The rules before the first certificate: everything is permitted. */
export const NO_NAME_RULES: NameRules = { permitted: [], excluded: [] };

/** Returns the rules for the certificates below `certificate` (RFC 5280 §6.1.4 (g)). */
export function withConstraintsOf(rules: NameRules, certificate: ParsedCertificate): NameRules {
  const { nameConstraints } = certificate;
  if (nameConstraints === undefined) return rules;
  const { permitted, excluded } = nameConstraints;
  return {
    permitted: permitted.length === 0 ? rules.permitted : [...rules.permitted, permitted],
    excluded: [...rules.excluded, ...excluded],
  };
}

const MAX_COMPARISONS = 250_000;

/** Returns why the names of a certificate violate `rules`, as the end of a sentence, or undefined (RFC 5280 §6.1.3 (b), (c)). */
export function nameViolation(rules: NameRules, certificate: ParsedCertificate): string | undefined {
  const constraints = rules.excluded.length + rules.permitted.reduce((sum, list) => sum + list.length, 0);
  if (constraints === 0) return undefined;
  const names = namesOf(certificate);
  if (names.length * constraints > MAX_COMPARISONS) return 'has too many names to check against the name constraints';
  for (const name of names) {
    if (rules.excluded.some((base) => matches(name, base, 'excluded') !== false))
      return `has a name (${name.type}) that the name constraints exclude`;
    if (!rules.permitted.every((list) => permits(list, name)))
      return `has a name (${name.type}) that the name constraints do not permit`;
  }
  return undefined;
}

/** The subject counts as a directory name, its e-mail addresses as e-mail names (RFC 5280 §4.2.1.10). */
const namesOf = ({ subject, subjectAltNames }: ParsedCertificate): GeneralName[] => [
  ...(subject.rdns.length === 0 ? [] : [{ type: 'dirName', name: subject } as const]),
  ...subject.emails.map((value) => ({ type: 'email', value }) as const),
  ...subjectAltNames,
];

/** A list without a subtree of the name's type permits every name of that type. */
function permits(list: readonly GeneralName[], name: GeneralName): boolean {
  const sameType = list.filter((base) => base.type === name.type);
  return sameType.length === 0 || sameType.some((base) => matches(name, base, 'permitted') === true);
}

/**
 * Whether `name` is within the subtree `base`; undefined when either cannot be interpreted: such a name is excluded and
 * not permitted. Names of different types never match.
 */
function matches(name: GeneralName, base: GeneralName, list: 'permitted' | 'excluded'): boolean | undefined {
  if (name.type === 'dns' && base.type === 'dns') return matchesDns(name.value, base.value, list);
  if (name.type === 'email' && base.type === 'email') return matchesEmail(name.value, base.value);
  if (name.type === 'uri' && base.type === 'uri') return matchesUri(name.value, base.value);
  if (name.type === 'ip' && base.type === 'ip') return matchesIp(name.bytes, base.bytes);
  if (name.type === 'dirName' && base.type === 'dirName') return startsWith(name.name, base.name);
  return name.type === base.type ? undefined : false;
}

/** Whether two names are equal (RFC 5280 §7.1). */
export const isSameName = (left: DistinguishedName, right: DistinguishedName): boolean =>
  left.rdns.length === right.rdns.length && startsWith(left, right);

/** Whether `name` is in the subtree below `base`: it begins with the same RDNs (RFC 5280 §7.1). */
const startsWith = (name: DistinguishedName, base: DistinguishedName): boolean =>
  base.rdns.length <= name.rdns.length && base.rdns.every((rdn, index) => name.rdns[index] === rdn);

/** Whether issuer and subject are the same name (RFC 5280 §3.2). */
export const isSelfIssued = (certificate: ParsedCertificate): boolean =>
  isSameName(certificate.subject, certificate.issuer);

const COUNTRY_TYPE = '2.5.4.6';
const COUNTRY = `["${COUNTRY_TYPE}",`;

/** The country of a name in its canonical form; undefined when it has none. */
export const countryOf = ({ rdns }: DistinguishedName): string | undefined =>
  rdns.find((rdn) => rdn.startsWith(COUNTRY));

/** The same of a name with this country code (ISO 3166-1). */
export const countryNamed = (code: string): string => JSON.stringify([COUNTRY_TYPE, code.toLowerCase()]);
