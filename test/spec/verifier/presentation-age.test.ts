import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';
import { useServer } from '../../support/servers/server.ts';

/** Seconds before now, and whether a presentation of this age is accepted when it may be a minute old. */
const AGES: [number | undefined, boolean][] = [
  [undefined, true],
  [0, true],
  [59, true],
  [62, false],
  [-50, true],
  [-70, false],
];

const settings = { verifier: { presentationMaxAgeSeconds: 60 } } as const;

describe('the age of a presentation as JWT, by its iat', () => {
  const on = new VerificationFixture({ settings });
  const server = useServer({ settings });

  const stated = (age: number | undefined, now: number) =>
    age === undefined ? {} : { iat: Math.floor(now / 1000) - age };

  for (const [age, isAccepted] of AGES)
    it(`${isAccepted ? 'accepted' : 'refused'}: signed ${age ?? 'no stated number of'} seconds ago`, async () => {
      const claims = stated(age, on.server.clock.now());
      const line = await on.line(DEGREE_REQUEST, 'signature', { at: 0, claims });
      expect(line).to.include({ is_success: isAccepted, code: isAccepted ? 'passed' : 'not-signed-now' });
      const vp = await Openid4vp.with(server);
      const session = await vp.outcome(crossDevice(), { claims: stated(age, server.clock.now()) });
      expect(session.status, JSON.stringify(session.failure)).to.equal(isAccepted ? 'SUCCESSFUL' : 'FAILED');
    });
});
