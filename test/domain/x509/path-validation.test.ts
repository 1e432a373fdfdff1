import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { checkAnchor } from '../../../domain/x509/path-validation.ts';
import {
  DAY,
  type KeyName,
  makeCertificate,
  type TestCertificate,
  testKeys,
} from '../../support/trust/certificates.ts';
import { changedPath, judge, threeCertificates } from '../../support/trust/paths.ts';

const KEY_NAMES: KeyName[] = ['RSA', 'RSA3072', 'P-256', 'P-384', 'P-521', 'secp256k1', 'Ed25519'];
const keyName = fc.constantFrom(...KEY_NAMES);

/** A generated path: the keys from the root down, the limits of the authorities, the names they permit. */
interface Shape {
  keys: KeyName[];
  limited: boolean;
  constrained: boolean;
  rootListed: boolean;
  hash: 'sha256' | 'sha384' | 'sha512';
}

const shape: fc.Arbitrary<Shape> = fc.record({
  keys: fc.array(keyName, { minLength: 2, maxLength: 5 }),
  limited: fc.boolean(),
  constrained: fc.boolean(),
  rootListed: fc.boolean(),
  hash: fc.constantFrom('sha256' as const, 'sha384' as const, 'sha512' as const),
});

const NAMES = [{ dNSName: 'a.team.example.com' }, { rfc822Name: 'ann@example.com' }, { iPAddress: '10.1.2.3' }];
const PERMITTED = [{ dNSName: 'example.com' }, { rfc822Name: 'example.com' }, { iPAddress: '10.0.0.0/8' }];

function generatedPath({ keys, limited, constrained, hash }: Shape) {
  const path: TestCertificate[] = [];
  for (const [depth, key] of keys.entries()) {
    const isLeaf = depth === keys.length - 1;
    path.unshift(
      makeCertificate({
        subject: `CN=Level ${depth},O=A`,
        keys: testKeys(key, depth % 2),
        issuer: path[0],
        hash,
        ca: !isLeaf,
        pathLength: limited && !isLeaf ? keys.length - depth - 2 : undefined,
        permitted: constrained && !isLeaf ? PERMITTED : undefined,
        excluded: constrained && depth === 0 ? [{ dNSName: 'secret.example.com' }] : undefined,
        altNames: isLeaf ? NAMES : undefined,
      }),
    );
  }
  return path;
}

describe('validatePath', () => {
  it('accepts every well-made path of 0 to 3 intermediates with any keys, limits and names, root listed or not', () => {
    fc.assert(
      fc.property(shape, (made) => {
        const path = generatedPath(made);
        const chain = made.rootListed ? path : path.slice(0, -1);
        expect(judge({ chain, anchors: path.slice(-1) })).to.deep.equal({ valid: true });
      }),
      { numRuns: 60 },
    );
  });

  it('rejects every well-made path when its root is not trusted', () => {
    const other = makeCertificate({ subject: 'CN=Other', keys: testKeys('P-256', 9), ca: true });
    fc.assert(
      fc.property(shape, (made) => {
        expect(judge({ chain: generatedPath(made), anchors: [other] }).valid).to.equal(false);
        expect(judge({ chain: generatedPath(made), anchors: [] }).valid).to.equal(false);
      }),
      { numRuns: 10 },
    );
  });

  it('rejects every order of a path but leaf first', () => {
    const path = generatedPath({
      keys: ['P-256', 'P-256', 'P-256', 'P-256'],
      limited: false,
      constrained: false,
      rootListed: true,
      hash: 'sha256',
    });
    const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    fc.assert(
      fc.property(orders, (order) => {
        const chain = order.flatMap((index) => path.slice(index, index + 1));
        expect(judge({ chain, anchors: path.slice(-1) }).valid).to.equal(order.join() === '0,1,2,3');
      }),
      { numRuns: 40 },
    );
  });

  it('accepts a certificate from the first to the last moment of its validity only', () => {
    const start = Date.UTC(2030, 0, 1);
    const end = Date.UTC(2030, 0, 2);
    const wide = { notBefore: new Date(start - DAY), notAfter: new Date(end + DAY) };
    const narrow = { notBefore: new Date(start), notAfter: new Date(end) };
    const paths = (['root', 'intermediate', 'leaf'] as const).map((which) =>
      changedPath({ root: wide, intermediate: wide, leaf: wide, [which]: narrow }),
    );
    const moments = fc.oneof(
      fc.constantFrom(start - 1, start, end, end + 1),
      fc.integer({ min: start - DAY, max: end + DAY }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), moments, (path, now) => {
        expect(judge({ ...path, now }).valid).to.equal(now >= start && now <= end);
      }),
    );
  });

  it('compares names without regard to case and space', () => {
    const path = changedPath({
      intermediate: { issuerName: 'CN=\\ ROOT \\ ,O=a', subject: 'CN=Two   Words,O=Straße' },
      leaf: { issuerName: 'CN=two words,O=STRAßE' },
    });
    expect(judge(path)).to.deep.equal({ valid: true });
  });

  it('accepts self-issued intermediates beyond the path length', () => {
    const { root, intermediate } = threeCertificates({ intermediate: { pathLength: 0 } });
    const renewed = makeCertificate({
      subject: 'CN=Intermediate,O=A',
      keys: testKeys('P-256', 5),
      issuer: intermediate,
      ca: true,
    });
    const leaf = makeCertificate({ subject: 'CN=Leaf', keys: testKeys('P-256', 2), issuer: renewed });
    expect(judge({ chain: [leaf, renewed, intermediate], anchors: [root] })).to.deep.equal({ valid: true });
  });

  it('accepts an intermediate as the anchor, listed or not', () => {
    const { intermediate, leaf } = threeCertificates();
    expect(judge({ chain: [leaf], anchors: [intermediate] })).to.deep.equal({ valid: true });
    expect(judge({ chain: [leaf, intermediate], anchors: [intermediate] })).to.deep.equal({ valid: true });
  });

  it('accepts a self-signed anchor presented alone', () => {
    const { root } = threeCertificates();
    expect(judge({ chain: [root], anchors: [root] })).to.deep.equal({ valid: true });
  });

  it('uses the valid one of two anchors with one name, with different keys or with the same', () => {
    const { root, intermediate, leaf } = threeCertificates();
    const rekeyed = makeCertificate({ subject: root.subject, keys: testKeys('P-256', 7), ca: true });
    const old = makeCertificate({
      subject: root.subject,
      keys: root.keys,
      ca: true,
      notAfter: new Date(Date.now() - 1),
    });
    const chain = [leaf, intermediate];
    expect(judge({ chain, anchors: [rekeyed, root] })).to.deep.equal({ valid: true });
    expect(judge({ chain, anchors: [old, root] })).to.deep.equal({ valid: true });
    expect(judge({ chain, anchors: [root, old] })).to.deep.equal({ valid: true });
  });

  it('accepts ten certificates', () => {
    const path = [makeCertificate({ subject: 'CN=0', keys: testKeys('P-256', 0), ca: true })];
    for (let level = 1; level <= 10; level++)
      path.unshift(
        makeCertificate({ subject: `CN=${level}`, keys: testKeys('P-256', level), issuer: path[0], ca: level < 10 }),
      );
    expect(judge({ chain: path.slice(0, 10), anchors: path.slice(10) })).to.deep.equal({ valid: true });
    expect(judge({ chain: path, anchors: path.slice(10) }).valid).to.equal(false);
  });
});

describe('checkAnchor', () => {
  const certificates = new NodeCertificates();
  const check = (certificate: TestCertificate) => checkAnchor(certificates.parse(certificate.der), Date.now());
  const root = { subject: 'CN=Root', ca: true, keys: testKeys('P-256', 0) };

  it('accepts a certificate authority that is valid now', () => {
    expect(check(makeCertificate(root))).to.equal(undefined);
  });

  const refused: [string, string, () => TestCertificate][] = [
    ['an expired one', 'has expired', () => makeCertificate({ ...root, notAfter: new Date(Date.now() - 1000) })],
    ['a future one', 'is not valid yet', () => makeCertificate({ ...root, notBefore: new Date(Date.now() + 60_000) })],
    ['an end entity', 'is not a certificate authority', () => makeCertificate({ ...root, ca: false })],
    ['version 1', 'is not a certificate authority', () => makeCertificate({ ...root, version: 1 })],
    ['a weak key', 'has a weak key', () => makeCertificate({ ...root, keys: testKeys('RSA1024') })],
    ['a weak digest', 'is signed with a weak digest', () => makeCertificate({ ...root, hash: 'sha1' })],
  ];
  for (const [what, reason, make] of refused)
    it(`rejects ${what}`, () => {
      expect(check(make())).to.equal(reason);
    });
});
