import type { DistinguishedName, ParsedCertificate } from '../../ports/certificates.ts';

/** Whether two names are equal (RFC 5280 §7.1). */
export const isSameName = (left: DistinguishedName, right: DistinguishedName): boolean =>
  left.rdns.length === right.rdns.length && startsWith(left, right);

/** Whether `name` lies in the subtree below `base`: it begins with the same RDNs (RFC 5280 §7.1). */
export const startsWith = (name: DistinguishedName, base: DistinguishedName): boolean =>
  base.rdns.length <= name.rdns.length && base.rdns.every((rdn, index) => name.rdns[index] === rdn);

/** Whether issuer and subject are the same name (RFC 5280 §3.2). */
export const isSelfIssued = (certificate: ParsedCertificate): boolean =>
  isSameName(certificate.subject, certificate.issuer);
