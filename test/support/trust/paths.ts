import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { type PathValidationResult, validatePath } from '../../../domain/x509/path-validation.ts';
import { type CertificateSpec, makeCertificate, type TestCertificate, testKeys } from './certificates.ts';

const certificates = new NodeCertificates();

/** A presented chain and the trust anchors. */
export interface TestPath {
  chain: TestCertificate[];
  anchors: TestCertificate[];
  now?: number;
}

/** The answer of path validation, with real parsing and real signatures. */
export const judge = ({ chain, anchors, now = Date.now() }: TestPath): PathValidationResult =>
  validatePath({
    chain: chain.map(({ der }) => certificates.parse(der)),
    anchors: anchors.map(({ der }) => certificates.parse(der)),
    now,
    signedBy: (certificate, issuer) => certificates.signedBy(certificate, issuer),
  });

/** Changes to an ordinary path of root, intermediate and leaf. */
export interface PathChange {
  root?: CertificateSpec;
  intermediate?: CertificateSpec;
  leaf?: CertificateSpec;
}

export interface ThreeCertificates {
  root: TestCertificate;
  intermediate: TestCertificate;
  leaf: TestCertificate;
}

/** Root, intermediate and leaf with P-256 keys and the given changes. */
export function threeCertificates(change: PathChange = {}): ThreeCertificates {
  const root = makeCertificate({ subject: 'CN=Root,O=A', keys: testKeys('P-256', 0), ca: true, ...change.root });
  const intermediate = makeCertificate({
    subject: 'CN=Intermediate,O=A',
    keys: testKeys('P-256', 1),
    issuer: root,
    ca: true,
    ...change.intermediate,
  });
  const leaf = makeCertificate({
    subject: 'CN=Leaf,O=A',
    keys: testKeys('P-256', 2),
    issuer: intermediate,
    ...change.leaf,
  });
  return { root, intermediate, leaf };
}

/** The ordinary path with the given changes; the root is a trust anchor and not in the chain. */
export function changedPath(change: PathChange = {}): TestPath {
  const { root, intermediate, leaf } = threeCertificates(change);
  return { chain: [leaf, intermediate], anchors: [root] };
}
