import { X509Certificate as Read } from '@peculiar/x509';
import { expect } from 'chai';
import fc from 'fast-check';
import { PeculiarCertificates } from '../../../adapters/crypto/certificate-maker.ts';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import { IACA_DATA, SIGNER_DATA } from '../../../demo/actors/authority.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { yearsLater } from '../../../domain/foundation/time.ts';
import { CertificateOnboarding } from '../../../domain/issuer/onboarding/certificate-onboarding.ts';
import { readValidity } from '../../../domain/issuer/onboarding/certificate-validity.ts';
import { KeyBackends } from '../../../domain/keys/key-backends.ts';
import { isCountry } from '../../../domain/x509/countries.ts';
import type { KeyReference, Signer } from '../../../ports/key-service.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

const NOW = Date.parse('2026-05-06T07:08:09.123Z');

describe('onboarding with certificates', () => {
  const { service } = localKeys();
  let removed: string[];
  let failsToSign: (reference: KeyReference) => boolean;
  let isRemovable: boolean;
  const onboarding = new CertificateOnboarding({
    keys: new KeyBackends({
      jwk: Object.assign(Object.create(service), {
        create: service.create.bind(service),
        publicKey: service.publicKey.bind(service),
        close: service.close.bind(service),
        signer: (reference: KeyReference): Signer => {
          if (!failsToSign(reference)) return service.signer(reference);
          const sign = () => Promise.reject(new DomainError('UpstreamFailed', 'the backend is away'));
          return { ...reference, sign };
        },
        remove: async ({ id }: KeyReference) => {
          if (!isRemovable) throw new DomainError('UpstreamTimeout', 'the backend hangs');
          removed.push(id);
        },
      }),
    }),
    maker: new PeculiarCertificates(),
    certificates: new NodeCertificates(),
    clock: { now: () => NOW },
    random: systemRandom,
  });
  beforeEach(() => {
    removed = [];
    failsToSign = () => false;
    isRemovable = true;
  });

  it('names that are accepted stand in the certificates unchanged, and the path is valid', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((value) => value.trim() === value && !/[\p{Cc}\p{Cs}]/u.test(value));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (authority, organizationName, commonName) => {
        fc.pre(`${authority} IACA`.normalize('NFKC').toLowerCase() !== commonName.normalize('NFKC').toLowerCase());
        const data = { ...IACA_DATA, commonName: `${authority} IACA`, organizationName };
        const { iacaKey, certificatePEM: iacaPem } = await onboarding.createIaca({ certificateData: data });
        const { certificatePEM = '', certificateValidationResult } = await onboarding.createSigner({
          iacaSigner: { iacaKey, iacaPem, certificateData: data },
          certificateData: { ...SIGNER_DATA, organizationName, commonName },
        });
        expect(certificateValidationResult?.[0]?.severity).to.equal('INFO');
        const { subjectName } = new Read(certificatePEM);
        expect([subjectName.getField('O'), subjectName.getField('CN')]).to.deep.equal([
          [organizationName],
          [commonName],
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('a key of a signer that its authority cannot certify is removed, even when its removal fails too', async () => {
    const { iacaKey, certificatePEM: iacaPem } = await onboarding.createIaca({ certificateData: IACA_DATA });
    failsToSign = () => true;
    const attempt = () =>
      onboarding.createSigner({ iacaSigner: { iacaKey, iacaPem }, certificateData: SIGNER_DATA }).then(
        () => 'created',
        (error) => (isDomainError(error) ? error.code : error),
      );
    expect(await attempt()).to.equal('UpstreamFailed');
    expect(removed).to.have.length(1).and.not.include(Object(iacaKey.jwk).kid);
    isRemovable = false;
    expect(await attempt()).to.equal('UpstreamFailed');
  });

  it('the validity is that of the request exactly when it is in order, not over, and within its limits', () => {
    const DAY = 86_400_000;
    const latestEnd = (ms: number) => ms + 457 * DAY;
    const day = fc.integer({ min: -600, max: 900 });
    fc.assert(
      fc.property(day, day, day, day, (begin, end, from, length) => {
        const at = (days: number) => Math.floor(NOW / 1000) * 1000 + days * DAY;
        const within = { notBefore: at(from), notAfter: at(from + Math.abs(length)) };
        const dates = { notBefore: new Date(at(begin)).toISOString(), notAfter: new Date(at(end)).toISOString() };
        const isAllowed =
          begin < end &&
          end > 0 &&
          end - begin <= 457 &&
          begin <= 366 &&
          begin >= from &&
          end <= from + Math.abs(length);
        const read = () => readValidity(dates, { now: NOW, latestEnd, limit: '457 days', within });
        if (isAllowed) expect(read()).to.deep.equal({ notBefore: at(begin), notAfter: at(end) });
        else expect(read).to.throw(DomainError);
      }),
    );
  });

  it('20 years are years of the calendar', () => {
    expect(new Date(yearsLater(Date.parse('2028-02-29T01:02:03Z'), 20)).toISOString()).to.equal(
      '2048-02-29T01:02:03.000Z',
    );
    expect(new Date(yearsLater(Date.parse('2026-12-31T00:00:00Z'), 20)).toISOString()).to.equal(
      '2046-12-31T00:00:00.000Z',
    );
  });

  it('249 codes are assigned to countries, and 42 to users', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((one) => letters.map((other) => one + other)).filter(isCountry);
    expect(codes).to.have.length(249 + 42);
    expect(codes).to.include.members(['AT', 'DE', 'US', 'GB', 'XK', 'ZZ', 'QM']);
    for (const code of ['UK', 'EU', 'UT', 'AN']) expect(codes).not.to.include(code);
  });
});
