import { expect } from 'chai';
import fc from 'fast-check';
import { type DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { boundedLife } from '../../../domain/limits/lifetimes.ts';
import { type ShareClaim, type ShareRule, Shares } from '../../../domain/limits/shares.ts';
import { type StoredBytes, stored } from '../../../domain/limits/stored-bytes.ts';

const RULE: ShareRule = { what: 'streams', total: 8, ofStrangers: 5, ofSource: 2, ofOrganization: 3 };

const claims = fc.record({
  source: fc.constantFrom('a', 'b', 'c', 'd'),
  organization: fc.constantFrom('', 'acme', 'other'),
  isKnown: fc.boolean(),
});
/** Takes a share, or gives back one of those that are held. */
const steps = fc.array(fc.oneof(claims, fc.nat({ max: 20 })), { maxLength: 60 });

/** What is held after some steps, and what became of each claim. */
function play(all: (ShareClaim | number)[]) {
  const shares = new Shares(RULE);
  const held: { claim: ShareClaim; giveBack: () => void }[] = [];
  const refused: { claim: ShareClaim; error: DomainError; beside: ShareClaim[] }[] = [];
  for (const step of all) {
    if (typeof step === 'number') held.splice(step % (held.length || 1), 1)[0]?.giveBack();
    else
      try {
        held.push({ claim: step, giveBack: shares.take(step) });
      } catch (error) {
        if (!isDomainError(error)) throw error;
        refused.push({ claim: step, error, beside: held.map(({ claim }) => claim) });
      }
  }
  return { shares, held: held.map(({ claim }) => claim), refused };
}

const count = (all: ShareClaim[], is: (one: ShareClaim) => boolean): number => all.filter(is).length;

describe('shares', () => {
  it('property: no caller holds more than its share, and strangers leave the kept part to callers who are known', () =>
    fc.assert(
      fc.property(steps, (all) => {
        const { held } = play(all);
        expect(held.length).to.be.at.most(RULE.total);
        expect(count(held, ({ isKnown }) => !isKnown)).to.be.at.most(RULE.ofStrangers);
        for (const { source, organization } of held) {
          expect(count(held, (one) => !one.isKnown && one.source === source)).to.be.at.most(RULE.ofSource);
          if (organization !== '')
            expect(count(held, (one) => one.organization === organization)).to.be.at.most(RULE.ofOrganization);
        }
      }),
    ));

  it('property: a refusal says whose share is used up, and when to come again', () =>
    fc.assert(
      fc.property(steps, (all) => {
        for (const { claim, error, beside } of play(all).refused) {
          const { source, organization, isKnown } = claim;
          const ofSource = count(beside, (one) => !one.isKnown && one.source === source);
          const ofOrganization = count(beside, (one) => one.organization === organization);
          const isOwn =
            (!isKnown && ofSource >= RULE.ofSource) || (organization !== '' && ofOrganization >= RULE.ofOrganization);
          expect(error.code).to.equal(isOwn ? 'TooManyRequests' : 'Overloaded');
          expect(error.retryAfterSeconds).to.equal(5);
          const strangers = count(beside, (one) => !one.isKnown);
          expect(isOwn || beside.length === RULE.total || (!isKnown && strangers === RULE.ofStrangers)).to.equal(true);
        }
      }),
    ));

  it('property: one source with any number of tries leaves room for another and for callers who are known', () =>
    fc.assert(
      fc.property(fc.nat({ max: 40 }), (tries) => {
        const hostile = { source: 'a', organization: '', isKnown: false };
        const { shares } = play(Array.from({ length: tries }, () => hostile));
        expect(() => shares.take({ ...hostile, source: 'b' })).to.not.throw();
        expect(() => shares.take({ source: 'a', organization: 'acme', isKnown: true })).to.not.throw();
      }),
    ));

  it('property: a share that is given back twice counts once', () =>
    fc.assert(
      fc.property(claims, (claim) => {
        const shares = new Shares({ ...RULE, total: 2, ofSource: 2, ofOrganization: 2 });
        const giveBack = shares.take(claim);
        shares.take(claim);
        giveBack();
        giveBack();
        shares.take(claim);
        expect(() => shares.take(claim)).to.throw();
      }),
    ));
});

const HOUR_MS = 3_600_000;

describe('the quota of stored bytes', () => {
  const writes = fc.array(fc.record({ bytes: fc.nat({ max: 60 }), after: fc.nat({ max: 5 * HOUR_MS }) }), {
    maxLength: 60,
  });

  it('property: no 23 hours see more than the quota, and what is refused fits at the time that is named', () =>
    fc.assert(
      fc.property(writes, (all) => {
        let known: StoredBytes = [];
        let now = 1_000 * HOUR_MS;
        const admitted: { now: number; bytes: number }[] = [];
        for (const { bytes, after } of all) {
          now += after;
          const result = stored(known, { bytes, now, perDay: 100 });
          if (typeof result === 'number') {
            expect(result).to.be.within(1, 24 * HOUR_MS);
            expect(stored(known, { bytes, now: now + result, perDay: 100 })).to.be.an('array');
            expect(stored(known, { bytes, now: now + result - 1, perDay: 100 })).to.be.a('number');
          } else {
            known = result;
            admitted.push({ now, bytes });
          }
          expect(known.length).to.be.at.most(24);
        }
        for (const { now: end } of admitted) {
          const day = admitted.filter((one) => one.now > end - 23 * HOUR_MS && one.now <= end);
          expect(day.reduce((sum, { bytes }) => sum + bytes, 0)).to.be.at.most(100);
        }
      }),
    ));
});

describe('the life of what strangers keep', () => {
  it('is the longest one for -1, what was wanted below it, and refused above it; callers who are known get any', () => {
    expect(boundedLife(-1, 100)).to.equal(100);
    expect(boundedLife(100, 100)).to.equal(100);
    expect(boundedLife(undefined, 100)).to.equal(undefined);
    expect(() => boundedLife(101, 100)).to.throw('open_endpoints.longestSeconds of rate-limit.conf');
    for (const wanted of [-1, 101, 315_360_000]) expect(boundedLife(wanted, undefined)).to.equal(wanted);
  });
});
