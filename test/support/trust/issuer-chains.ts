import { createHash } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityKeyIdentifier,
  ExtendedKeyUsage,
  KeyIdentifier,
  KeyUsageFlags,
  SubjectKeyIdentifier,
} from '@peculiar/asn1-x509';
import { base64url } from '../../../domain/foundation/bytes.ts';
import { MDL_DOCUMENT_SIGNER } from '../../../domain/x509/signer-profiles.ts';
import {
  type CertificateSpec,
  makeCertificate,
  type TestCertificate,
  type TestExtension,
  type TestKeys,
  testKeys,
} from './certificates.ts';

const der = (value: unknown): Uint8Array => new Uint8Array(AsnConvert.serialize(value));

/** The key identifier of a key (RFC 5280 §4.2.1.2): SHA-1 of a part of it; any digest serves here. */
export const keyIdOf = ({ publicKey }: TestKeys): Uint8Array =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest()
    .subarray(0, 20);

/** The key identifier as DCQL writes it. */
export const akiOf = ({ keys }: TestCertificate): string => base64url(keyIdOf(keys));

const subjectKeyId = (keys: TestKeys): TestExtension => ({
  oid: '2.5.29.14',
  value: der(new SubjectKeyIdentifier(keyIdOf(keys))),
});

/** Names the key of the issuer (RFC 5280 §4.2.1.1). */
export const authorityKeyId = ({ keys }: TestCertificate): TestExtension => ({
  oid: '2.5.29.35',
  value: der(new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdOf(keys)) })),
});

/** A critical extended key usage. */
export const usageExtension = (...purposes: string[]): TestExtension => ({
  oid: '2.5.29.37',
  critical: true,
  value: der(new ExtendedKeyUsage(purposes)),
});

/** An issuing authority (ISO 18013-5 Annex B.1.2); each `number` has another key and name. */
export function iaca(number = 0, spec: CertificateSpec = {}): TestCertificate {
  const keys = testKeys('P-256', 100 + number);
  return makeCertificate({
    subject: `C=ZZ,O=Example,CN=Authority ${number}`,
    ca: true,
    pathLength: 0,
    keyUsage: KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign,
    keys,
    extensions: [subjectKeyId(keys)],
    ...spec,
  });
}

/** A document signer below an authority (ISO 18013-5 Annex B.1.4). */
export function documentSigner(issuer: TestCertificate, spec: CertificateSpec = {}): TestCertificate {
  const keys = testKeys('P-256', 200);
  return makeCertificate({
    subject: 'C=ZZ,O=Example,CN=Document signer',
    issuer,
    keys,
    extensions: [authorityKeyId(issuer), subjectKeyId(keys), usageExtension(MDL_DOCUMENT_SIGNER)],
    ...spec,
  });
}
