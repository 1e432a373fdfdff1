import { expect } from 'chai';
import fc from 'fast-check';
import {
  LIST_VALID_MS,
  MAX_REVOKED,
  nextList,
  publishedNow,
  publishedStill,
  type RevocationList,
  type RevokedSigner,
  revokedIn,
  revoking,
  SIGNED_EVERY_MS,
  signedList,
  withoutSignature,
} from '../../../domain/x509/revocation-list.ts';

const NOW = Date.parse('2026-11-21T09:30:00.500Z');
const EMPTY: RevocationList = { revoked: [] };
const revoked = (serialNumber: string, more: Partial<RevokedSigner> = {}): RevokedSigner => ({
  serialNumber,
  reason: 'superseded',
  revokedAt: NOW,
  notAfter: NOW + 400 * SIGNED_EVERY_MS,
  ...more,
});
const signed = (list: RevocationList, now: number) => signedList(list, nextList(list, now), `list of ${now}`);

describe('the list of revoked certificates of an authority', () => {
  it('is published for a day, and for a week when its key cannot sign', () => {
    const list = signed(EMPTY, NOW);
    const { thisUpdate = 0 } = list.last ?? {};
    expect(thisUpdate % 1000).to.equal(0);
    expect(publishedNow(list, thisUpdate + SIGNED_EVERY_MS - 1)).to.equal(`list of ${NOW}`);
    expect(publishedNow(list, thisUpdate + SIGNED_EVERY_MS)).to.equal(undefined);
    expect(publishedStill(list, thisUpdate + LIST_VALID_MS - 1)).to.equal(`list of ${NOW}`);
    expect(publishedStill(list, thisUpdate + LIST_VALID_MS)).to.equal(undefined);
    expect(nextList(list, NOW).nextUpdate).to.equal(thisUpdate + LIST_VALID_MS);
  });

  it('is not published after a certificate was revoked or a backup restored, until it is signed again', () => {
    const list = signed(EMPTY, NOW);
    for (const changed of [revoking(list, revoked('01')), withoutSignature(list)]) {
      expect([publishedNow(changed, NOW), publishedStill(changed, NOW)]).to.deep.equal([undefined, undefined]);
      expect(publishedNow(signed(changed, NOW), NOW)).to.equal(`list of ${NOW}`);
    }
  });

  it('has what was revoked once, with its first reason', () => {
    const once = revoking(EMPTY, revoked('01', { reason: 'keyCompromise' }));
    expect(revoking(once, revoked('01', { revokedAt: NOW + 1000 }))).to.equal(once);
    expect(revokedIn(once, '01')?.reason).to.equal('keyCompromise');
    expect(revokedIn(once, '02')).to.equal(undefined);
  });

  it('is bounded by what is still valid', () => {
    const full: RevocationList = {
      revoked: Array.from({ length: MAX_REVOKED }, (_, at) => revoked(String(at), { notAfter: NOW + at })),
    };
    expect(() => revoking(full, revoked('x'))).to.throw(`${MAX_REVOKED} certificates`);
    const later = signed(signed(full, NOW), NOW + SIGNED_EVERY_MS);
    expect(later.revoked).to.have.length(MAX_REVOKED);
    expect(revoking(later, revoked('x')).revoked.map(({ serialNumber }) => serialNumber)).to.deep.equal(['x']);
  });

  it('counts on when the clock goes back too, and has a certificate once more after its end', () => {
    const step = fc.record({ after: fc.integer({ min: -10, max: 400 }), revokes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 20 }), (steps) => {
        let [list, now, at] = [EMPTY, NOW, 0];
        for (const { after, revokes } of steps) {
          now += after * 3_600_000;
          if (revokes) list = revoking(list, revoked(String(++at), { notAfter: now + 48 * 3_600_000 }));
          const before = list;
          const { number, revoked: listed } = nextList(before, now);
          list = signed(before, now);
          expect(number).to.be.greaterThan(before.last?.number ?? 0);
          const isGone = ({ notAfter }: RevokedSigner) => notAfter < (before.last?.thisUpdate ?? 0);
          expect(before.revoked.filter((one) => !listed.includes(one)).every(isGone)).to.equal(true);
        }
      }),
    );
  });
});
