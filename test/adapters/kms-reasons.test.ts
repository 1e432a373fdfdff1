import { expect } from 'chai';
import fc from 'fast-check';
import { toDomainError, withoutSecrets } from '../../adapters/kms/remote/failures.ts';
import { KmsFailure, type KmsFault } from '../../adapters/kms/remote/kms.ts';
import { DomainError } from '../../domain/foundation/errors.ts';

const FAULTS: KmsFault[] = ['credentials', 'unknown-key', 'unusable-key', 'request', 'throttled', 'unavailable'];

describe('the reasons of key management services', () => {
  it('have no text of a configuration, however deep, long or broken into lines it is (property)', () => {
    const secret = fc.stringMatching(/^[!-~][ -~\n\t]{6,60}[!-~]$/);
    const config = fc.record({
      auth: fc.record({ a: secret, b: secret, region: fc.constant('eu-central-1') }),
      pem: secret,
    });
    fc.assert(
      fc.property(config, fc.constantFrom(...FAULTS), fc.boolean(), (value, fault, wrapped) => {
        const secrets = [value.auth.a, value.auth.b, value.pem];
        const text = `eu-central-1 ${secrets.join(' and ')}`;
        const error = wrapped ? new KmsFailure(fault, text, new Error(text)) : new Error(text);
        const answer = toDomainError(error, { title: 'AWS KMS', config: value });
        const said = [answer.message, answer.detail, (answer.cause as Error | undefined)?.message].join(' ');
        expect(said).to.include('eu-central-1');
        for (const one of secrets) expect(said).to.not.include(one).and.not.include(one.replaceAll(/\s+/g, ' '));
      }),
    );
  });

  it('are one line of at most 300 characters', () => {
    expect(withoutSecrets(' a\r\n\tb\u0000c ', {})).to.equal('a b c');
    expect(withoutSecrets('x'.repeat(10_000), {})).to.have.length(300);
  });

  it('that are short texts of a configuration are left, since removing them would leave nothing to read', () => {
    expect(withoutSecrets('the key is gone', { auth: { a: 'key', b: '       ' } })).to.equal('the key is gone');
  });

  it('are given to callers for refusals only: for an outage to the log', () => {
    const answer = (fault: KmsFault) =>
      toDomainError(new KmsFailure(fault, 'reason'), { title: 'AWS KMS', config: {} });
    for (const fault of FAULTS) {
      const isOutage = fault === 'throttled' || fault === 'unavailable';
      expect(answer(fault).code, fault).to.equal(isOutage ? 'UpstreamFailed' : 'BadRequest');
      expect(answer(fault).message.includes('reason'), fault).to.equal(!isOutage);
    }
    const guarded = new DomainError('AddressRefused', 'not public');
    expect(toDomainError(new Error('wrapped', { cause: guarded }), { title: '', config: {} })).to.equal(guarded);
  });
});
