import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A client certificate for login and the certificate authority that the server trusts. */
interface DemoCertificates {
  /** The certificate authority, for `trusted-ca.conf`. */
  caPem: string;
  /** Standard base64 of DER, the client's certificate first (RFC 7515 §4.1.6). */
  chain: string[];
  /** The client's private RSA-2048 key (RS256). */
  key: webcrypto.CryptoKey;
}

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const HOUR_MS = 3_600_000;

/** Creates a certificate authority and a client certificate that it signs; both expire after 24 hours. */
export async function makeDemoCertificates(now = Date.now()): Promise<DemoCertificates> {
  const [caKeys, keys] = await Promise.all([generate(), generate()]);
  const validity = { notBefore: new Date(now - HOUR_MS), notAfter: new Date(now + 24 * HOUR_MS) };
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: '01',
    name: 'O=Credenza demo, CN=Demo client CA',
    keys: caKeys,
    signingAlgorithm: RSA,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const leaf = await X509CertificateGenerator.create({
    ...validity,
    serialNumber: '02',
    subject: 'O=Credenza demo, CN=Alice',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: RSA,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      await AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { caPem: `${ca.toString('pem')}\n`, chain: [leaf.toString('base64')], key: keys.privateKey };
}

const generate = (): Promise<webcrypto.CryptoKeyPair> => webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
