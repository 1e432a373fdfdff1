import { generateKeyPairSync, sign, webcrypto } from 'node:crypto';
import { PublicKey, X509Crl, X509CrlReason } from '@peculiar/x509';
import { expect } from 'chai';
import fc from 'fast-check';
import { PeculiarCertificates } from '../../adapters/crypto/certificate-maker.ts';
import { MAX_REVOKED } from '../../domain/x509/revocation-list.ts';
import type { RevocationReason, RevokedCertificate } from '../../ports/certificate-maker.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { longestHold } from '../support/runs/cpu.ts';

const REASONS: RevocationReason[] = [
  'unspecified',
  'keyCompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'privilegeWithdrawn',
];

const CURVES = [
  { keyType: 'secp256r1', namedCurve: 'P-256', digest: 'sha256' },
  { keyType: 'secp384r1', namedCurve: 'P-384', digest: 'sha384' },
  { keyType: 'secp521r1', namedCurve: 'P-521', digest: 'sha512' },
] as const;

const signers = CURVES.map(({ keyType, namedCurve, digest }) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  const signed = async (data: Uint8Array) => sign(digest, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { keyType, publicJwk: publicKey.export({ format: 'jwk' }) as PublicJwk, publicKey, sign: signed };
});

/** Whole seconds; from 2050 on they have another form. */
const time = fc.integer({ min: 0, max: Date.parse('2200-01-01') / 1000 }).map((seconds) => seconds * 1000);
const serialNumber = fc
  .tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ minLength: 0, maxLength: 19 }))
  .map(([first, rest]) => Buffer.from([first, ...rest]).toString('hex'));
const revoked = fc.uniqueArray(
  fc.record<RevokedCertificate>({ serialNumber, revokedAt: time, reason: fc.constantFrom(...REASONS) }),
  { selector: (one) => one.serialNumber, maxLength: 20 },
);

const making = (
  signer: (typeof signers)[number],
  content: { number: number; thisUpdate: number; nextUpdate: number; revoked: readonly RevokedCertificate[] },
): Promise<Uint8Array> => {
  const issuer = {
    name: [{ attribute: 'CN' as const, value: 'Authority' }],
    altNames: [],
    publicJwk: signer.publicJwk,
  };
  return new PeculiarCertificates().revocationList({ ...content, issuer }, signer);
};

describe('lists of revoked certificates', () => {
  it('are read by another reader as they were given, and their signature is right', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...signers),
        fc.record({ number: fc.nat(), thisUpdate: time, nextUpdate: time, revoked }),
        async (signer, content) => {
          const list = new X509Crl(Buffer.from(await making(signer, content)));
          expect(list.issuer).to.equal('CN=Authority');
          expect([list.thisUpdate.getTime(), list.nextUpdate?.getTime()]).to.deep.equal([
            content.thisUpdate,
            content.nextUpdate,
          ]);
          expect(list.extensions.map(({ type }) => type)).to.deep.equal(['2.5.29.35', '2.5.29.20']);
          const read = list.entries.map((entry) => ({
            serialNumber: entry.serialNumber,
            revokedAt: entry.revocationDate.getTime(),
            reason: X509CrlReason[entry.reason ?? X509CrlReason.unspecified],
          }));
          expect(read).to.deep.equal(content.revoked);
          const publicKey = new PublicKey(signer.publicKey.export({ type: 'spki', format: 'der' }));
          expect(await list.verify({ publicKey }, webcrypto as never)).to.equal(true);
        },
      ),
      { numRuns: 30 },
    ));

  it('of as many certificates as there may be leave other work its turn', async () => {
    const [signer] = signers as [(typeof signers)[number]];
    const all = Array.from({ length: MAX_REVOKED }, (_, n) => ({
      serialNumber: (2n ** 159n + BigInt(n)).toString(16),
      revokedAt: 0,
      reason: 'keyCompromise' as const,
    }));
    const content = { number: 1, thisUpdate: 0, nextUpdate: 0, revoked: all };
    await making(signer, { ...content, revoked: [] });
    expect(await longestHold(() => making(signer, content))).to.be.below(100);
  });
});
