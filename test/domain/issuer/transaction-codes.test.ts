import { expect } from 'chai';
import fc from 'fast-check';
import { isFailure } from '../../../adapters/http/edge/failures.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { MAX_WRONG_TX_CODES } from '../../../domain/issuer/endpoints/token-endpoint.ts';
import { createOffer } from '../../../domain/issuer/openid4vci/draft13.ts';
import { createTxCode, isTxCode } from '../../../domain/issuer/sessions/transaction-codes.ts';
import { codeOf, degreeContent, type IssuerInProcess, issuerInProcess } from '../../support/servers/issuer-services.ts';

const create = (txCode: object, value?: string) => createTxCode('s', { txCode, value }, systemRandom);

describe('transaction codes', () => {
  it('a generated value is six digits, or as long as asked for, of its alphabet without look-alikes', () => {
    expect(create({}).value).to.match(/^[0-9]{6}$/);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32 }), (length) => {
        expect(create({ length }).value).to.match(new RegExp(`^[0-9]{${length}}$`));
        expect(create({ length, inputMode: 'text' }).value).to.match(new RegExp(`^[2-9A-HJ-NP-Z]{${length}}$`));
      }),
    );
  });

  it('only its own value fits, in its own session; the value is not stored', () => {
    const { txCode, value } = create({ length: 8, inputMode: 'text' });
    expect([
      isTxCode('s', txCode, value),
      isTxCode('t', txCode, value),
      isTxCode('s', txCode, `${value}2`),
    ]).to.deep.equal([true, false, false]);
    expect(JSON.stringify(txCode)).to.not.include(value);
  });

  for (const [what, txCode, value, field] of [
    ['a length of 0', { length: 0 }, undefined, 'txCode'],
    ['a length over 32', { length: 33 }, undefined, 'txCode'],
    ['a value of another length', { length: 5 }, '1234', 'txCodeValue'],
    ['letters in a numeric value', {}, '12a4', 'txCodeValue'],
  ] as const)
    it(`refuses ${what}`, () => {
      expect(() => create(txCode, value)).to.throw(field);
    });

  describe('at the token endpoint', () => {
    let on: IssuerInProcess;
    before(async () => {
      on = await issuerInProcess();
    });

    async function offer(more: object = {}) {
      const created = await on.services.offers.create(on.issuer, {
        content: degreeContent(on),
        ...more,
      });
      return { ...created, code: await codeOf(on, created.id) };
    }

    const redeem = (code: string, txCode?: string) =>
      on.services.tokenEndpoint.redeem(on.issuer, { code, txCode, configurationIds: [], event: {} });

    const refusal = (call: Promise<unknown>): Promise<DomainError> =>
      call.then(
        () => Promise.reject(new Error('not refused')),
        (error) => error,
      );

    it('the offer says what is needed, and the right value redeems the code once', async () => {
      const txCode = { length: 4, description: 'By post' };
      const { id, code, txCodeValue } = await offer({ txCode, txCodeValue: '0042' });
      const { grants } = await on.services.offers.get(on.issuer, id, createOffer);
      expect(Object.values(grants)[0]).to.deep.include({
        tx_code: { input_mode: 'numeric', length: 4, description: 'By post' },
      });
      expect(txCodeValue).to.equal('0042');
      expect((await redeem(code, '0042')).accessToken).to.be.a('string');
      expect((await refusal(redeem(code, '0042'))).oauthError).to.equal('invalid_grant');
    });

    it('a missing or needless one is invalid_request and is not counted (OpenID4VCI 1.0 §6.3)', async () => {
      const { code, txCodeValue } = await offer({ txCode: {} });
      for (let times = 0; times < 2 * MAX_WRONG_TX_CODES; times += 1)
        expect((await refusal(redeem(code))).oauthError).to.equal('invalid_request');
      await redeem(code, txCodeValue);
      const plain = await offer();
      expect((await refusal(redeem(plain.code, '1'))).oauthError).to.equal('invalid_request');
      await redeem(plain.code);
    });

    it('a wrong one is invalid_grant, counts as a failure of its source, and the fifth consumes the code', async () => {
      const [one, two] = [
        await offer({ txCode: {}, txCodeValue: '1234' }),
        await offer({ txCode: {}, txCodeValue: '1234' }),
      ];
      for (let times = 1; times < MAX_WRONG_TX_CODES; times += 1)
        for (const { code } of [one, two]) {
          const error = await refusal(redeem(code, '4321'));
          expect([error.oauthError, isFailure(error)]).to.deep.equal(['invalid_grant', true]);
        }
      await redeem(one.code, '1234');
      expect((await refusal(redeem(two.code, '4321'))).oauthError).to.equal('invalid_grant');
      expect((await refusal(redeem(two.code, '1234'))).oauthError).to.equal('invalid_grant');
    });

    it('of any number of guesses at once at most five are compared', async () => {
      const { code } = await offer({ txCode: {}, txCodeValue: '0050' });
      const guesses = Array.from({ length: 100 }, (_, guess) => String(guess).padStart(4, '0'));
      const answers = await Promise.allSettled(guesses.map((guess) => redeem(code, guess)));
      expect(answers.filter(({ status }) => status === 'fulfilled')).to.have.length(0);
    });

    it('a value without a transaction code, and either with another grant, are refused by name', async () => {
      const authorization = { method: 'NONE' as const };
      for (const [more, field] of [
        [{ txCodeValue: '1' }, 'txCodeValue'],
        [{ txCode: {}, authorization }, 'txCode'],
      ] as const)
        expect((await refusal(offer(more))).message).to.include(field);
    });
  });
});
