import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import { SecondFactors } from '../../../domain/accounts/second-factors.ts';
import { matchingStep, otpauthUrl, stepAt, totpCode } from '../../../domain/accounts/totp.ts';
import { hmacSha1, utf8 } from '../../../domain/foundation/bytes.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { secretOf } from '../../actors/administration.ts';

/** RFC 6238, appendix B: the seconds and the last six digits of each code for SHA-1. */
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];
const SECRET = utf8('12345678901234567890');
const codeOf = (ms: number, secret = SECRET) => totpCode(secret, stepAt(ms), hmacSha1);
const instant = fc.integer({ min: 100_000, max: 4_000_000_000_000 });

describe('time-based codes', () => {
  it('are those of RFC 6238', () => {
    for (const [seconds, code] of VECTORS) expect(codeOf(seconds * 1000)).to.equal(code);
  });

  it('property: match one step before and after, and never a step that was used or an earlier one', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), (now, drift, used) => {
        const step = stepAt(now) + drift;
        const code = totpCode(SECRET, step, hmacSha1);
        const isAcceptable = Math.abs(drift) <= 1 && step > stepAt(now) + used;
        const found = matchingStep(SECRET, { code, now, lastStep: stepAt(now) + used }, hmacSha1);
        if (isAcceptable) expect(found).to.equal(step);
        else if (found !== undefined) expect(totpCode(SECRET, found, hmacSha1)).to.equal(code);
      }),
    );
  });

  it('are enrolled by a URI in which nothing breaks out of its place', () => {
    const url = new URL(otpauthUrl(SECRET, { issuer: 'id.example/?&', account: 'a b&secret=x@example.org' }));
    expect(url.protocol).to.equal('otpauth:');
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      issuer: 'id.example/?&',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('second factors', () => {
  const account = { id: 'ada', email: 'ada@example.org', superadmin: false };
  async function fixture(required: 'none' | 'superadmins' | 'administrators' = 'none') {
    let now = 1_700_000_000_000;
    const clock = { now: () => now };
    const parts = { store: new MemoryStore(clock), clock, random: systemRandom };
    const factors = new SecondFactors(parts, { required, issuer: 'credenza' });
    const outcome = (work: Promise<unknown>) =>
      work.then(
        () => 'ok',
        (error) => (isDomainError(error) ? error.code : error),
      );
    const check = (code?: string, who = account) => outcome(factors.check(who, code));
    const advance = (seconds: number) => {
      now += seconds * 1000;
    };
    const code = (secret: Uint8Array) => codeOf(now, secret);
    return { factors, check, advance, code, outcome };
  }

  it('are asked for once they are confirmed, and each code is used once', async () => {
    const { factors, check, advance, code, outcome } = await fixture();
    expect(await check()).to.equal('ok');
    const first = secretOf((await factors.enrol(account)).secret);
    expect(await check()).to.equal('ok');
    const secret = secretOf((await factors.enrol(account)).secret);
    expect(await outcome(factors.confirm(account, code(first)))).to.equal('LoginRequired');
    const recovery = await factors.confirm(account, code(secret));
    expect(new Set(recovery)).to.have.length(10);
    expect(await outcome(factors.enrol(account))).to.equal('Conflict');
    expect(await outcome(factors.confirm(account, code(secret)))).to.equal('Conflict');
    expect(await check()).to.equal('CodeRequired');
    expect(await check(code(secret))).to.equal('LoginRequired');
    advance(30);
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => check(code(secret))));
    expect(outcomes.sort()).to.deep.equal([...Array(4).fill('LoginRequired'), 'ok']);
    const [one = ''] = recovery;
    const spellings = [one, one.toLowerCase(), one.replaceAll('-', ' ')];
    const used = await Promise.all(spellings.map((text) => check(text)));
    expect(used.sort()).to.deep.equal(['LoginRequired', 'LoginRequired', 'ok']);
    await factors.remove(account.id);
    expect(await check()).to.equal('ok');
  });

  it('are demanded of superadmins or of all', async () => {
    const superadmin = { ...account, superadmin: true };
    const of = async (required: 'superadmins' | 'administrators') => {
      const { check } = await fixture(required);
      return Promise.all([check(undefined), check(undefined, superadmin)]);
    };
    expect(await of('superadmins')).to.deep.equal(['ok', 'EnrolmentRequired']);
    expect(await of('administrators')).to.deep.equal(['EnrolmentRequired', 'EnrolmentRequired']);
  });
});
