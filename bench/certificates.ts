import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } from '@peculiar/x509';

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const DAY = 86_400_000;

/** A certificate with its key. */
interface Certified {
  der: Uint8Array;
  keys: webcrypto.CryptoKeyPair;
  name: string;
}

/** A leaf, an intermediate authority and the root, with RSA keys of 2048 bits. */
export async function makeChain(): Promise<{ chain: Certified[]; root: Certified }> {
  const root = await certify('CN=Root,O=Bench');
  const intermediate = await certify('CN=Intermediate,O=Bench', root);
  const leaf = await certify('CN=Leaf,O=Bench', intermediate, false);
  return { chain: [leaf, intermediate, root], root };
}

async function certify(name: string, issuer?: Certified, ca = true): Promise<Certified> {
  const keys = (await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: Math.floor(Math.random() * 1e9)
        .toString(16)
        .padStart(10, '1'),
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
