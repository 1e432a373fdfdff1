import { randomBytes, webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } from '@peculiar/x509';

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const DAY = 86_400_000;

/** A certificate with its key. */
export interface Certified {
  der: Uint8Array;
  keys: webcrypto.CryptoKeyPair;
  name: string;
}

/** What to certify; without an issuer the certificate signs itself. */
export interface CertifiedSpec {
  name: string;
  issuer?: Certified;
  ca?: boolean;
}

/** Makes a certificate with an RSA key of 2048 bits. */
export async function certify({ name, issuer, ca = true }: CertifiedSpec): Promise<Certified> {
  const keys = (await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: `01${randomBytes(8).toString('hex')}`,
      subject: name,
      issuer: issuer?.name ?? name,
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + 365 * DAY),
      signingAlgorithm: RSA,
      publicKey: keys.publicKey,
      signingKey: (issuer?.keys ?? keys).privateKey,
      extensions: [
        new BasicConstraintsExtension(ca, undefined, true),
        new KeyUsagesExtension(ca ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature, true),
      ],
    },
    webcrypto as unknown as Parameters<typeof X509CertificateGenerator.create>[1],
  );
  return { der: new Uint8Array(certificate.rawData), keys, name };
}
