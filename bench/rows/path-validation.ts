import { X509Certificate } from '@peculiar/x509';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { validatePath } from '../../domain/x509/path-validation.ts';
import { certify } from '../support/certificates.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';

/** Path validation of leaf, intermediate and root by all the rules, with nothing known before and with everything known. */
export async function pathValidation(): Promise<Line[]> {
  const root = await certify({ name: 'CN=Root,O=Bench' });
  const intermediate = await certify({ name: 'CN=Intermediate,O=Bench', issuer: root });
  const leaf = await certify({ name: 'CN=Leaf,O=Bench', issuer: intermediate, ca: false });
  const ders = [leaf, intermediate, root].map(({ der }) => der);
  const validate = (certificates: InstanceType<typeof NodeCertificates>) => {
    const input = {
      anchors: [certificates.parse(root.der)],
      chain: ders.map((der) => certificates.parse(der)),
      now: Date.now(),
      signedBy: certificates.signedBy.bind(certificates),
    };
    const result = validatePath(input);
    if (!result.valid) throw new Error(result.reason);
  };
  const kept = new NodeCertificates();
  const rates = await interleave({
    cold: repeat(() => validate(new NodeCertificates())),
    warm: repeat(() => validate(kept)),
    pairwise: repeat(() => pairwise(ders)),
  });
  const named = '@peculiar/x509 parse + verify pairwise';
  return [
    compared(
      { work: 'path of 3 certificates, none seen before', named, goal: { atLeast: 2.5 } },
      rates.cold,
      rates.pairwise,
    ),
    compared({ work: 'path of 3 certificates, all seen before', named }, rates.warm, rates.pairwise),
  ];
}

async function pairwise(ders: Uint8Array[]): Promise<void> {
  const certificates = ders.map((der) => new X509Certificate(Uint8Array.from(der)));
  for (const [at, certificate] of certificates.entries()) {
    const issuer = certificates[at + 1];
    if (issuer && !(await certificate.verify({ publicKey: issuer.publicKey })))
      throw new Error('A signature is not valid');
  }
}
