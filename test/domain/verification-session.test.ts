import { expect } from 'chai';
import fc from 'fast-check';
import {
  CLAIM_MS,
  claimed,
  concluded,
  created,
  released,
  type VerificationRequest,
  type VerificationSession,
} from '../../domain/verifier/session.ts';
import { sessionView } from '../../domain/verifier/session-view.ts';

const REQUEST: VerificationRequest = {
  definition: { id: 'd', input_descriptors: [] },
  nonce: 'n',
  responseUri: 'r',
  vpPolicies: [],
  vcPolicies: [],
  ownPolicies: [],
  statusCallbackApiKey: 'secret',
};

const outcomeWith = (...successes: boolean[]) => ({
  tokenResponse: {},
  results: [
    { credential: 'VP', policies: successes.map((is_success) => ({ policy: 'p', description: '', is_success })) },
  ],
  tookMs: 12,
});

type Move = { kind: 'claim' | 'release' | 'succeed' | 'fail'; afterMs: number };

const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom('claim', 'release', 'succeed', 'fail'),
    afterMs: fc.constantFrom(0, 1, CLAIM_MS - 1, CLAIM_MS, CLAIM_MS + 1),
  }),
  { maxLength: 20 },
);

describe('verification sessions', () => {
  it('whatever is tried in whatever order: a claim excludes others until it ends or dies, and a result is final', () => {
    fc.assert(
      fc.property(moves, (tried) => {
        let session: VerificationSession = created(REQUEST);
        let now = 0;
        let claimedAt: number | undefined;
        for (const { kind, afterMs } of tried) {
          now += afterMs;
          const before: VerificationSession = session;
          const isFinal = before.state === 'verified' || before.state === 'failed';
          if (kind === 'claim') {
            const isFree = !isFinal && (claimedAt === undefined || now >= claimedAt + CLAIM_MS);
            try {
              session = claimed(before, now);
              expect(isFree).to.equal(true);
              claimedAt = now;
            } catch {
              expect(isFree).to.equal(false);
              expect(session).to.equal(before);
            }
          } else if (before.state === 'verifying') {
            session = kind === 'release' ? released(before) : concluded(before, outcomeWith(kind === 'succeed'));
            claimedAt = undefined;
            const expected = { release: 'created', succeed: 'verified', fail: 'failed' }[kind];
            expect(session.state).to.equal(expected);
          }
          expect(session.request).to.equal(REQUEST);
        }
      }),
    );
  });

  it('is verified exactly when there are results and every policy of them succeeded', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 6 }), (successes) => {
        const { state } = concluded(claimed(created(REQUEST), 0), outcomeWith(...successes));
        expect(state).to.equal(successes.every((success) => success) ? 'verified' : 'failed');
      }),
    );
    expect(concluded(claimed(created(REQUEST), 0), { tokenResponse: { error: 'x' }, tookMs: 0 }).state).to.equal(
      'failed',
    );
  });

  it('shows the callback key in no state', () => {
    const verifying = claimed(created(REQUEST), 0);
    for (const session of [created(REQUEST), verifying, concluded(verifying, outcomeWith(true))])
      expect(JSON.stringify(sessionView('id', session))).not.to.include('secret');
    expect(sessionView('id', verifying)).to.have.all.keys('id', 'presentationDefinition');
  });
});
