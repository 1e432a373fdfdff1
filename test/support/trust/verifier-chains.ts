import { createHash } from 'node:crypto';
import { KeyUsageFlags } from '@peculiar/asn1-x509';
import { exportJWK } from 'jose';
import { altNamesExtension, makeCertificate, type TestCertificate, testKeys } from './certificates.ts';

/** The DNS name of the verifier of tests. */
export const VERIFIER_HOST = 'verifier.example.com';

/** The authority of the verifiers of tests. */
export const readers: TestCertificate = makeCertificate({
  subject: 'CN=Readers',
  ca: true,
  keyUsage: KeyUsageFlags.keyCertSign,
  keys: testKeys('P-256', 70),
});

/** A verifier's key with its certificate, in the members of a session; the certificate is certified unless `isAlone`. */
export async function certifiedKey({
  isAlone = false,
  host = VERIFIER_HOST,
  identifier,
}: {
  isAlone?: boolean;
  host?: string;
  /** By which a registrar knows the verifier. */
  identifier?: string;
} = {}) {
  const keys = testKeys('P-256', 71);
  const leaf = makeCertificate({
    subject: identifier === undefined ? `CN=${host}` : `CN=${host}+2.5.4.97=${identifier}`,
    keys,
    issuer: isAlone ? undefined : readers,
    keyUsage: KeyUsageFlags.digitalSignature,
    extensions: [altNamesExtension([{ dNSName: host }])],
  });
  const base64 = ({ der }: TestCertificate): string => Buffer.from(der).toString('base64');
  return {
    key: { type: 'jwk', jwk: await exportJWK(keys.privateKey) },
    x5c: [base64(leaf)],
    withRoot: [base64(leaf), base64(readers)],
    pem: leaf.pem,
    publicKey: keys.publicKey,
    sanDns: `x509_san_dns:${host}`,
    hash: `x509_hash:${createHash('sha256').update(leaf.der).digest('base64url')}`,
  };
}
