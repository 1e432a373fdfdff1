import { expect } from 'chai';
import fc from 'fast-check';
import type { EntryStatus } from '../../../domain/credentials/credential-status.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { conditionsOf } from '../../../domain/status/status-conditions.ts';
import { refusedField, tryPolicy, vcSubject } from '../../support/credentials/policies.ts';

const entry = (type: string, purpose: string | undefined, value: number, size = 1): EntryStatus => ({
  type,
  ...(purpose !== undefined && { purpose }),
  value,
  size,
});

const bitstring = (purpose: string, value: number, size = 1) => entry('BitstringStatusListEntry', purpose, value, size);
const token = (value: number, size = 1) => entry('TokenStatusList', undefined, value, size);

/** Runs a policy on a credential whose status entries have these values. */
function onEntries(policy: string, entries: EntryStatus[], args?: unknown) {
  const status = entries.map((value) => ({ kind: 'credentialStatus', value }) as const);
  const statuses = { entries: async () => entries, lookUp: async () => entries.flatMap(conditionsOf) };
  return tryPolicy(policy, { args, subject: vcSubject({ status }), context: { statuses } });
}

const W3C = { discriminator: 'w3c', type: 'BitstringStatusList', purpose: 'revocation', value: 0 };

describe('policy credential-status', () => {
  const cases: [what: string, args: unknown, entries: EntryStatus[], code: string][] = [
    ['a value that is demanded', W3C, [bitstring('revocation', 0)], 'passed'],
    ['another value', W3C, [bitstring('revocation', 1)], 'status-set'],
    ['one of several values', { ...W3C, value: undefined, values: [0, 3] }, [bitstring('revocation', 3, 2)], 'passed'],
    [
      'none of several values',
      { ...W3C, value: undefined, values: [0, 3] },
      [bitstring('revocation', 2, 2)],
      'status-set',
    ],
    [
      'type and purpose in other case',
      { ...W3C, type: 'bitstringstatuslist', purpose: 'REVOCATION' },
      [bitstring('revocation', 0)],
      'passed',
    ],
    ['another type', W3C, [entry('StatusList2021Entry', 'revocation', 0)], 'status-missing'],
    ['another purpose', W3C, [bitstring('suspension', 0)], 'status-missing'],
    ['two entries of which one is set', W3C, [bitstring('revocation', 0), bitstring('revocation', 1)], 'status-set'],
    ['a token list', { discriminator: 'ietf', value: 0 }, [token(0)], 'passed'],
    ['an invalid value of a token list', { discriminator: 'ietf', value: 0 }, [token(1)], 'status-set'],
    ['a token list where another list is demanded', W3C, [token(0)], 'status-missing'],
    [
      'another list where a token list is demanded',
      { discriminator: 'ietf', value: 0 },
      [bitstring('revocation', 0)],
      'status-missing',
    ],
    ['no entry', W3C, [], 'nothing-to-check'],
  ];
  for (const [what, args, entries, code] of cases)
    it(`${code}: ${what}`, async () => {
      const line = await onEntries('credential-status', entries, args);
      expect([line.code, line.is_success]).to.deep.equal([code, code === 'passed' || code === 'nothing-to-check']);
      if (code === 'nothing-to-check') expect(line.result).to.deep.equal({ policy_available: false });
    });

  it('w3c-list: each demand is checked, and every failure is in the reason', async () => {
    const list = [W3C, { ...W3C, purpose: 'suspension' }];
    const args = { discriminator: 'w3c-list', list };
    const check = async (revoked: number, suspended: number) =>
      (
        await onEntries(
          'credential-status',
          [bitstring('suspension', suspended), bitstring('revocation', revoked)],
          args,
        )
      ).reason;
    expect(await check(0, 0)).to.equal('The status is the demanded one');
    expect(await check(1, 0)).to.equal('Status validation failed: expected 0, but got 1');
    expect(await check(1, 1)).to.match(/^Verification failed: .*\n.*got 1$/);
    const one = await onEntries('credential-status', [bitstring('revocation', 0)], args);
    expect([one.is_success, one.code]).to.deep.equal([false, 'status-missing']);
  });

  it('cannot be run: a list that cannot be determined refuses, with a code for the cause', async () => {
    const failures = {
      StatusRetrieval: 'unreachable',
      AddressRefused: 'unreachable',
      StatusVerification: 'undetermined',
    } as const;
    for (const [thrown, code] of Object.entries(failures)) {
      const entries = async () => {
        throw new DomainError(thrown as keyof typeof failures, 'why');
      };
      const context = { statuses: { entries, lookUp: entries } };
      const subject = vcSubject({ status: [{ kind: 'credentialStatus', value: {} }] });
      const lines = [
        await tryPolicy('credential-status', { args: W3C, subject, context }),
        await tryPolicy('revoked-status-list', { subject, context }),
      ];
      for (const line of lines) expect(line).to.deep.include({ is_success: false, code, reason: 'why', error: 'why' });
    }
  });

  it('no list is asked for a credential whose signature is not valid', async () => {
    let asked = 0;
    const lookUp = async () => {
      asked += 1;
      return [];
    };
    const subject = vcSubject({ verifyIssuer: async () => ({ valid: false, refusal: 'signature' }) });
    const line = await tryPolicy('credential-status', {
      args: W3C,
      subject,
      context: { statuses: { entries: lookUp, lookUp } },
    });
    expect([line.code, asked]).to.deep.equal(['not-run', 0]);
    expect(line.reason).to.include('signature');
  });

  it('the newer generation writes the same argument as a member', async () => {
    const statuses = { entries: async () => [bitstring('revocation', 1)], lookUp: async () => [] };
    const line = await tryPolicy('credential-status', { inline: { argument: W3C }, context: { statuses } });
    expect([line.code, line.args]).to.deep.equal(['status-set', W3C]);
  });

  it('refuses an argument that it cannot read, by its member', async () => {
    const bad: [unknown, RegExp][] = [
      [undefined, /args: is required/],
      ['w3c', /args: must be an object/],
      [{ discriminator: 'other' }, /args\.discriminator/],
      [{ ...W3C, value: -1 }, /args\.value/],
      [{ ...W3C, values: [0] }, /args\.value/],
      [{ ...W3C, value: undefined, values: [] }, /args\.values/],
      [{ ...W3C, purpose: undefined }, /args\.purpose/],
      [{ ...W3C, more: 1 }, /args\.more/],
      [{ discriminator: 'w3c-list', list: [] }, /args\.list/],
      [{ discriminator: 'w3c-list', list: [W3C, 1] }, /args\.list\[1]/],
      [{ discriminator: 'w3c-list', list: Array(11).fill(W3C) }, /args\.list/],
      [{ discriminator: 'ietf', purpose: 'x', value: 0 }, /args\.purpose/],
    ];
    for (const [args, message] of bad)
      expect(await refusedField('credential-status', { args }), JSON.stringify(args)).to.match(message);
  });

  it('passes exactly if every entry of the demanded kind has a demanded value', async () => {
    const value = fc.nat({ max: 3 });
    const entries = fc.array(fc.record({ purpose: fc.constantFrom('revocation', 'suspension'), value }), {
      minLength: 1,
      maxLength: 4,
    });
    const values = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(entries, values, async (sketches, demanded) => {
        const made = sketches.map((one) => bitstring(one.purpose, one.value, 2));
        const { is_success } = await onEntries('credential-status', made, {
          ...W3C,
          value: undefined,
          values: demanded,
        });
        const ofPurpose = sketches.filter(({ purpose }) => purpose === 'revocation');
        expect(is_success).to.equal(ofPurpose.length > 0 && ofPurpose.every((one) => demanded.includes(one.value)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('policy revoked-status-list', () => {
  const cases: [what: string, entries: EntryStatus[], code: string][] = [
    ['nothing is set', [bitstring('revocation', 0), bitstring('suspension', 0)], 'passed'],
    ['it is revoked', [bitstring('revocation', 1)], 'status-set'],
    ['it is suspended', [bitstring('revocation', 0), bitstring('suspension', 1)], 'status-set'],
    ['another purpose is set', [bitstring('revocation', 0), bitstring('refresh', 1)], 'passed'],
    ['a token list has it valid', [token(0, 2)], 'passed'],
    ['a token list has it revoked', [token(1)], 'status-set'],
    ['a token list has it suspended', [token(2, 2)], 'status-set'],
    ['a value without a meaning', [token(3, 2)], 'undetermined'],
    ['a status, but none of revocation', [bitstring('suspension', 0)], 'status-missing'],
    ['no status', [], 'nothing-to-check'],
  ];
  for (const [what, entries, code] of cases)
    it(`${code}: ${what}`, async () => {
      const line = await onEntries('revoked-status-list', entries);
      expect([line.code, line.is_success]).to.deep.equal([code, code === 'passed' || code === 'nothing-to-check']);
    });
});
