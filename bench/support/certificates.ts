import { type JsonWebKey, randomBytes, webcrypto } from 'node:crypto';
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
  /** The P-256 key to certify instead of a new RSA key. */
  publicJwk?: JsonWebKey;
}

/** Makes a certificate, with an RSA key of 2048 bits unless another one is given. */
export async function certify({ name, issuer, ca = true, publicJwk }: CertifiedSpec): Promise<Certified> {
  const keys = (await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: `01${randomBytes(8).toString('hex')}`,
      subject: name,
      issuer: issuer?.name ?? name,
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + 365 * DAY),
      signingAlgorithm: RSA,
      publicKey: publicJwk ? await importP256(publicJwk) : keys.publicKey,
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

const importP256 = (jwk: JsonWebKey) =>
  webcrypto.subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, { name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'verify',
  ]);

/** A certificate as PEM. */
export const pemOf = ({ der }: Certified): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
