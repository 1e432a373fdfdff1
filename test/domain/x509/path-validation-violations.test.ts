import { KeyUsageFlags } from '@peculiar/asn1-x509';
import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { validatePath } from '../../../domain/x509/path-validation.ts';
import { makeCertificate, type TestExtension, testKeys } from '../../support/trust/certificates.ts';
import { changedPath, judge, type TestPath, threeCertificates } from '../../support/trust/paths.ts';

const certificates = new NodeCertificates();
const past = new Date(Date.now() - 2000);
const future = new Date(Date.now() + 24 * 3_600_000);
const unknownCritical: TestExtension = { oid: '1.2.3.4.5', critical: true, value: Uint8Array.of(5, 0) };
const unknown: TestExtension = { ...unknownCritical, critical: false };
const policyConstraints: TestExtension = {
  oid: '2.5.29.36',
  critical: true,
  value: Uint8Array.of(0x30, 3, 0x80, 1, 0),
};

function endEntityAsIssuer(): TestPath {
  const { root, intermediate, leaf } = threeCertificates();
  const below = makeCertificate({ subject: 'CN=Below', keys: testKeys('P-256', 3), issuer: leaf });
  return { chain: [below, leaf, intermediate], anchors: [root] };
}

function tooLong(limits: { root?: number; intermediate?: number }): TestPath {
  const { root, intermediate } = threeCertificates({
    root: { pathLength: limits.root },
    intermediate: { pathLength: limits.intermediate },
  });
  const second = makeCertificate({ subject: 'CN=2', keys: testKeys('P-256', 3), issuer: intermediate, ca: true });
  const leaf = makeCertificate({ subject: 'CN=Leaf', keys: testKeys('P-256', 2), issuer: second });
  return { chain: [leaf, second, intermediate], anchors: [root] };
}

/** Two authorities that certify each other, with nothing above them. */
function cycle(): TestPath {
  const { root } = threeCertificates();
  const a = makeCertificate({ subject: 'CN=A', keys: testKeys('P-256', 3), ca: true });
  const b = makeCertificate({ subject: 'CN=B', keys: testKeys('P-256', 4), issuer: a, ca: true });
  const aByB = makeCertificate({ subject: 'CN=A', keys: a.keys, issuer: b, ca: true });
  const leaf = makeCertificate({ subject: 'CN=Leaf', keys: testKeys('P-256', 2), issuer: b });
  return { chain: [leaf, b, aByB], anchors: [root] };
}

function rearranged(pick: (three: ReturnType<typeof threeCertificates>) => TestPath): () => TestPath {
  return () => pick(threeCertificates());
}

const sameNameOtherKey = { keys: testKeys('P-256', 8), ca: true };

/** Every single violation with the reason of its rejection. */
const VIOLATIONS: [string, string, () => TestPath][] = [
  ['an expired leaf', 'certificate 1 has expired', () => changedPath({ leaf: { notAfter: past } })],
  ['an expired intermediate', 'certificate 2 has expired', () => changedPath({ intermediate: { notAfter: past } })],
  ['an expired anchor', 'the trust anchor has expired', () => changedPath({ root: { notAfter: past } })],
  ['a leaf of the future', 'certificate 1 is not valid yet', () => changedPath({ leaf: { notBefore: future } })],
  [
    'an intermediate of the future',
    'certificate 2 is not valid yet',
    () => changedPath({ intermediate: { notBefore: future } }),
  ],
  ['an anchor of the future', 'the trust anchor is not valid yet', () => changedPath({ root: { notBefore: future } })],
  [
    'a wrong issuer name on the leaf',
    'certificate 1 names another issuer than the certificate after it',
    () => changedPath({ leaf: { issuerName: 'CN=Other' } }),
  ],
  [
    'a wrong issuer name on the intermediate',
    'certificate 2 was not issued by a trusted certificate authority',
    () => changedPath({ intermediate: { issuerName: 'CN=Other' } }),
  ],
  [
    'an issuer name in another order',
    'certificate 1 names another issuer than the certificate after it',
    () => changedPath({ leaf: { issuerName: 'O=A,CN=Intermediate' } }),
  ],
  [
    'an anchor of the same name with another key',
    'certificate 2 is not signed by the key of its issuer',
    rearranged(({ root, intermediate, leaf }) => ({
      chain: [leaf, intermediate],
      anchors: [makeCertificate({ subject: root.subject, ...sameNameOtherKey })],
    })),
  ],
  [
    'an intermediate of the same name with another key',
    'certificate 1 is not signed by the key of its issuer',
    rearranged(({ root, intermediate, leaf }) => ({
      chain: [leaf, makeCertificate({ subject: intermediate.subject, issuer: root, ...sameNameOtherKey })],
      anchors: [root],
    })),
  ],
  [
    'a listed root of the same name with another key',
    'certificate 3 is not signed by the key of its issuer',
    rearranged(({ root, intermediate, leaf }) => ({
      chain: [leaf, intermediate, makeCertificate({ subject: root.subject, ...sameNameOtherKey })],
      anchors: [root],
    })),
  ],
  ['an end entity as issuer', 'certificate 2 is not a certificate authority', endEntityAsIssuer],
  [
    'an intermediate without basic constraints',
    'certificate 2 is not a certificate authority',
    () => changedPath({ intermediate: { ca: false, keyUsage: KeyUsageFlags.keyCertSign } }),
  ],
  [
    'an anchor without basic constraints',
    'the trust anchor is not a certificate authority',
    () => changedPath({ root: { ca: false } }),
  ],
  [
    'a path longer than the intermediate allows',
    'certificate 2 makes the path longer than its issuer allows',
    () => tooLong({ intermediate: 0 }),
  ],
  [
    'a path longer than the anchor allows',
    'certificate 2 makes the path longer than its issuer allows',
    () => tooLong({ root: 1 }),
  ],
  [
    'an intermediate below an anchor that allows none',
    'certificate 2 makes the path longer than its issuer allows',
    () => changedPath({ root: { pathLength: 0 } }),
  ],
  [
    'a lower authority that allows itself more',
    'certificate 2 makes the path longer than its issuer allows',
    () => tooLong({ root: 1, intermediate: 5 }),
  ],
  [
    'an intermediate that may not sign certificates',
    'certificate 2 may not sign certificates by its key usage',
    () => changedPath({ intermediate: { keyUsage: KeyUsageFlags.digitalSignature | KeyUsageFlags.cRLSign } }),
  ],
  [
    'an anchor that may not sign certificates',
    'the trust anchor may not sign certificates by its key usage',
    () => changedPath({ root: { keyUsage: KeyUsageFlags.cRLSign } }),
  ],
  ...(['root', 'intermediate', 'leaf'] as const).flatMap((which, index): [string, string, () => TestPath][] => {
    const subject = index === 0 ? 'the trust anchor' : `certificate ${3 - index}`;
    const change = (extensions: TestExtension[]) => () => changedPath({ [which]: { extensions } });
    return [
      [
        `an unknown critical extension (${which})`,
        `${subject} has a critical extension that is not supported`,
        change([unknownCritical]),
      ],
      [`a duplicate extension (${which})`, `${subject} has an extension twice`, change([unknown, unknown])],
    ];
  }),
  [
    'a duplicate key usage extension',
    'certificate 2 has an extension twice',
    () =>
      changedPath({
        intermediate: { extensions: [{ oid: '2.5.29.15', critical: true, value: Uint8Array.of(3, 2, 1, 6) }] },
      }),
  ],
  [
    'critical policy constraints, which are not supported',
    'certificate 2 has a critical extension that is not supported',
    () => changedPath({ intermediate: { extensions: [policyConstraints] } }),
  ],
  [
    'an intermediate of version 1',
    'certificate 2 is not a certificate authority',
    () => changedPath({ intermediate: { version: 1 } }),
  ],
  [
    'an anchor of version 1',
    'the trust anchor is not a certificate authority',
    () => changedPath({ root: { version: 1 } }),
  ],
  [
    'an authority without a name',
    'certificate 2 is a certificate authority without a name',
    () => changedPath({ intermediate: { subject: '' }, leaf: { issuerName: 'CN=x' } }),
  ],
  [
    'an RSA key of 1024 bits (leaf)',
    'certificate 1 has a weak key',
    () => changedPath({ leaf: { keys: testKeys('RSA1024') } }),
  ],
  [
    'an RSA key of 1024 bits (intermediate)',
    'certificate 2 has a weak key',
    () => changedPath({ intermediate: { keys: testKeys('RSA1024') } }),
  ],
  [
    'an RSA key of 1024 bits (anchor)',
    'the trust anchor has a weak key',
    () => changedPath({ root: { keys: testKeys('RSA1024') } }),
  ],
  ['an EC key of 224 bits', 'certificate 1 has a weak key', () => changedPath({ leaf: { keys: testKeys('P-224') } })],
  ['SHA-1 on the leaf', 'certificate 1 is signed with a weak digest', () => changedPath({ leaf: { hash: 'sha1' } })],
  [
    'SHA-1 on the intermediate',
    'certificate 2 is signed with a weak digest',
    () => changedPath({ intermediate: { hash: 'sha1' } }),
  ],
  [
    'MD5',
    'certificate 1 is signed with a weak digest',
    () => changedPath({ intermediate: { keys: testKeys() }, leaf: { hash: 'md5' } }),
  ],
  [
    'a swapped order',
    'certificate 2 was not issued by a trusted certificate authority',
    rearranged(({ root, intermediate, leaf }) => ({ chain: [intermediate, leaf], anchors: [root] })),
  ],
  [
    'the root first',
    'certificate 3 was not issued by a trusted certificate authority',
    rearranged(({ root, intermediate, leaf }) => ({ chain: [root, intermediate, leaf], anchors: [root] })),
  ],
  [
    'a missing intermediate',
    'certificate 1 was not issued by a trusted certificate authority',
    rearranged(({ root, leaf }) => ({ chain: [leaf], anchors: [root] })),
  ],
  [
    'a missing intermediate with the root listed',
    'certificate 1 was not issued by a trusted certificate authority',
    rearranged(({ root, leaf }) => ({ chain: [leaf, root], anchors: [root] })),
  ],
  [
    'an extra certificate at the end',
    'certificate 3 was not issued by a trusted certificate authority',
    rearranged(({ root, intermediate, leaf }) => ({
      chain: [leaf, intermediate, makeCertificate({ subject: 'CN=Extra', keys: testKeys('P-256', 8), ca: true })],
      anchors: [root],
    })),
  ],
  [
    'an extra certificate in the middle',
    'certificate 2 names another issuer than the certificate after it',
    rearranged(({ root, intermediate, leaf }) => ({
      chain: [leaf, makeCertificate({ subject: 'CN=Extra', keys: testKeys('P-256', 8), ca: true }), intermediate],
      anchors: [root],
    })),
  ],
  [
    'a root that only signed itself',
    'certificate 3 was not issued by a trusted certificate authority',
    rearranged(({ root, intermediate, leaf }) => ({
      chain: [leaf, intermediate, root],
      anchors: [makeCertificate({ subject: 'CN=Other', keys: testKeys('P-256', 9), ca: true })],
    })),
  ],
  ['a cycle', 'certificate 3 was not issued by a trusted certificate authority', cycle],
  [
    'the same certificate twice',
    'certificate 3 is in the chain twice',
    rearranged(({ root, intermediate, leaf }) => ({ chain: [leaf, intermediate, intermediate], anchors: [root] })),
  ],
  [
    'no certificate',
    'the chain must have 1 to 10 certificates',
    rearranged(({ root }) => ({ chain: [], anchors: [root] })),
  ],
  [
    '11 certificates',
    'the chain must have 1 to 10 certificates',
    rearranged(({ root, leaf }) => ({ chain: Array.from({ length: 11 }, () => leaf), anchors: [root] })),
  ],
  [
    '1000 certificates',
    'the chain must have 1 to 10 certificates',
    rearranged(({ root, leaf }) => ({ chain: Array.from({ length: 1000 }, () => leaf), anchors: [root] })),
  ],
  [
    'no anchors',
    'certificate 2 was not issued by a trusted certificate authority',
    () => ({ ...changedPath(), anchors: [] }),
  ],
];

describe('validatePath: a path with a single violation', () => {
  it('is accepted without the violation', () => {
    expect(judge(changedPath())).to.deep.equal({ valid: true });
  });

  for (const [violation, reason, make] of VIOLATIONS)
    it(`rejects ${violation}`, () => {
      expect(judge(make())).to.deep.equal({ valid: false, reason });
    });

  it('checks no signature below one that is wrong, so that an attacker cannot cause expensive work', () => {
    const { root, intermediate, leaf } = threeCertificates();
    const chain = [leaf, intermediate].map(({ der }) => certificates.parse(der));
    let checks = 0;
    const signedBy = () => {
      checks++;
      return false;
    };
    const answer = validatePath({ chain, anchors: [certificates.parse(root.der)], now: Date.now(), signedBy });
    expect(answer.valid).to.equal(false);
    expect(checks).to.equal(1);
  });
});
