import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemIds } from '../../../adapters/system/system.ts';
import { LoginAttempts } from '../../../domain/accounts/login-attempts.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';

const RULES = { threshold: 3, windowSeconds: 60, lockSeconds: 100 };
const wrong = () => new DomainError('LoginRequired', 'wrong');

function fixture(rules = RULES) {
  let now = 1_700_000_000_000;
  const clock = { now: () => now };
  const attempts = new LoginAttempts({ store: new MemoryStore(clock), clock, ids: systemIds }, rules);
  /** Returns whether the password was compared. */
  const attempt = async (isRight: boolean, identity = 'ada', source = '192.0.2.1'): Promise<boolean> => {
    let admitted = false;
    await attempts
      .run({ identity, source }, async (isAdmitted) => {
        admitted = isAdmitted;
        await Promise.resolve();
        if (!isRight || !isAdmitted) throw wrong();
      })
      .catch(() => undefined);
    return admitted;
  };
  const advance = (seconds: number) => {
    now += seconds * 1000;
  };
  return { attempts, attempt, advance };
}

describe('failed logins', () => {
  it('lock an account for the whole time from the one that reaches the threshold on, and it alone', async () => {
    const { attempt, advance } = fixture();
    for (const isAdmitted of [true, true, true, false]) expect(await attempt(false)).to.equal(isAdmitted);
    expect(await attempt(true, 'other')).to.equal(true);
    advance(99.999);
    expect(await attempt(true)).to.equal(false);
    advance(0.001);
    expect(await attempt(true)).to.equal(true);
  });

  it('at once are no more than one after the other', async () => {
    const { attempt } = fixture();
    const admitted = await Promise.all(Array.from({ length: 50 }, () => attempt(false)));
    expect(admitted.filter((one) => one)).to.have.length(3);
  });

  it('right logins at once are all admitted while they are fewer than the threshold, and are not counted', async () => {
    const { attempt } = fixture();
    for (let round = 0; round < 10; round += 1)
      expect(await Promise.all([attempt(true), attempt(true)])).to.deep.equal([true, true]);
  });

  it('errors that say nothing about the password are not counted', async () => {
    const { attempts, attempt } = fixture();
    const failing = async () => {
      throw new DomainError('Overloaded', 'busy');
    };
    for (let n = 0; n < 10; n += 1) await attempts.run({ identity: 'ada', source: '' }, failing).catch(() => undefined);
    expect(await attempt(true)).to.equal(true);
  });

  it('end with `clear`, and never lock with the threshold 0', async () => {
    const { attempts, attempt } = fixture();
    for (let n = 0; n < 4; n += 1) await attempt(false);
    await attempts.clear('ada');
    expect(await attempt(true)).to.equal(true);
    const never = fixture({ ...RULES, threshold: 0 });
    for (let n = 0; n < 30; n += 1) expect(await never.attempt(false)).to.equal(true);
  });

  it('of others lock out others only: a source that logged in before has a counter of its own', async () => {
    const { attempt, advance } = fixture();
    expect(await attempt(true)).to.equal(true);
    for (let n = 0; n < 4; n += 1) await attempt(false, 'ada', '192.0.2.66');
    expect([await attempt(true, 'ada', '192.0.2.66'), await attempt(true)]).to.deep.equal([false, true]);
    for (const isAdmitted of [true, true, true, false]) expect(await attempt(false)).to.equal(isAdmitted);
    expect(await attempt(true)).to.equal(false);
    advance(100);
    expect(await attempt(true)).to.equal(true);
  });

  it('are counted together for sources that only failed, and for those of another account', async () => {
    const { attempt } = fixture();
    await attempt(true, 'bob', '192.0.2.2');
    for (let n = 0; n < 3; n += 1) await attempt(false, 'ada', `192.0.2.${n}`);
    expect(await attempt(true, 'ada', '192.0.2.2')).to.equal(false);
  });

  it('a known source is forgotten after 90 days without a login, when eight others are known, and with `clear`', async () => {
    const { attempts, attempt, advance } = fixture();
    const isKnown = async () => {
      for (let n = 0; n < 3; n += 1) await attempt(false, 'ada', '192.0.2.66');
      const isAdmitted = await attempt(true);
      advance(100);
      return isAdmitted;
    };
    await attempt(true);
    advance(89 * 86_400);
    expect(await isKnown()).to.equal(true);
    advance(89 * 86_400);
    expect(await isKnown()).to.equal(true);
    advance(91 * 86_400);
    expect(await isKnown()).to.equal(false);
    await attempt(true);
    for (let n = 0; n < 8; n += 1) await attempt(true, 'ada', `198.51.100.${n}`);
    expect(await isKnown()).to.equal(false);
    await attempt(true);
    await attempts.clear('ada');
    expect(await isKnown()).to.equal(false);
    await attempts.renew({ identity: 'ada', source: '192.0.2.1' });
    expect(await isKnown()).to.equal(true);
  });

  it('property: are those of a plain list of failures in a sliding window', async () => {
    const step = fc.record({ seconds: fc.integer({ min: 0, max: 50 }), isRight: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { attempt: run, advance } = fixture();
        let sources = 0;
        // No source is known: each is another one.
        const attempt = (isRight: boolean) => {
          sources += 1;
          return run(isRight, 'ada', `source ${sources}`);
        };
        let now = 0;
        let lockedUntil = 0;
        let failures: number[] = [];
        for (const { seconds, isRight } of steps) {
          now += seconds;
          advance(seconds);
          const isLocked = lockedUntil > now;
          expect(await attempt(isRight)).to.equal(!isLocked);
          if (isLocked || isRight) continue;
          failures = [...failures.filter((at) => at > now - 60), now];
          if (failures.length < 3) continue;
          lockedUntil = now + 100;
          failures = [];
        }
      }),
    );
  });
});
