import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { failed, type PolicyResult, passed } from '../../../domain/verifier/policies/policy.ts';
import { resultOf } from '../../../domain/verifier/policies/run.ts';
import { renewed } from '../../../domain/verifier/response-leases.ts';
import { sessionView } from '../../../domain/verifier/result.ts';
import {
  concluded,
  created,
  leased,
  released,
  type VerificationRequest,
  type VerificationSession,
} from '../../../domain/verifier/verification-session.ts';

const REQUEST: VerificationRequest = {
  query: { language: 'presentation-exchange', definition: { id: 'd', input_descriptors: [] } },
  verifierId: 'v',
  nonce: 'n',
  clientId: 'c',
  audience: 'a',
  responseUri: 'r',
  vpPolicies: [],
  vcPolicies: [],
  ownPolicies: [],
  statusCallbackApiKey: 'secret',
};

const lineOf = (is_success: boolean): PolicyResult =>
  resultOf({ policy: 'p' }, is_success ? passed(true) : failed('refused'));

const outcomeWith = (...successes: boolean[]) => ({
  tokenResponse: {},
  results: [{ credential: 'VP', policies: successes.map(lineOf) }],
  tookMs: 12,
});

type Move = { kind: 'lease' | 'renew' | 'release' | 'succeed' | 'fail'; afterMs: number };

const lease = (now: number) => ({ owner: 'o', until: now + LEASE_MS });

const OWN = lease(0);

const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom('lease', 'renew', 'release', 'succeed', 'fail'),
    afterMs: fc.constantFrom(0, 1, LEASE_MS - 1, LEASE_MS, LEASE_MS + 1),
  }),
  { maxLength: 20 },
);

describe('verification sessions', () => {
  it('in any sequence of moves, a lease excludes others until it ends or expires, and a result is final', () => {
    fc.assert(
      fc.property(moves, (tried) => {
        let session: VerificationSession = created(REQUEST);
        let now = 0;
        let until: number | undefined;
        for (const { kind, afterMs } of tried) {
          now += afterMs;
          const before: VerificationSession = session;
          const isFinal = before.state === 'verified' || before.state === 'failed';
          if (kind === 'lease') {
            const isFree = !isFinal && (until === undefined || now >= until);
            try {
              session = leased(before, lease(now), now);
              expect(isFree).to.equal(true);
              until = now + LEASE_MS;
            } catch (error) {
              if (!(error instanceof DomainError)) throw error;
              expect(isFree).to.equal(false);
              expect(error.code).to.equal(isFinal ? 'Conflict' : 'Busy');
              if (!isFinal) expect(error.retryAfterSeconds).to.equal(1);
            }
          } else if (before.state === 'verifying' && kind === 'renew') {
            until = now + LEASE_MS;
            session = renewed(before, lease(now));
          } else if (before.state === 'verifying' && kind !== 'renew') {
            const outcome = outcomeWith(kind === 'succeed');
            session = kind === 'release' ? released(before, OWN) : concluded(before, OWN, outcome);
            until = undefined;
            const expected = { release: 'created', succeed: 'verified', fail: 'failed' }[kind];
            expect(session.state).to.equal(expected);
          }
          expect(session.request).to.equal(REQUEST);
        }
      }),
    );
  });

  it('is renewed, released and concluded by the request that has its lease only', () => {
    const other = { owner: 'another', until: LEASE_MS };
    const attempts: ((session: VerificationSession) => unknown)[] = [
      (session) => renewed(session, other),
      (session) => released(session, other),
      (session) => concluded(session, other, outcomeWith(true)),
    ];
    const verifying = leased(created(REQUEST), OWN, 0);
    for (const session of [created(REQUEST), verifying, concluded(verifying, OWN, outcomeWith(true))])
      for (const attempt of attempts) expect(() => attempt(session)).to.throw(DomainError, /another response first/);
  });

  it('is verified exactly when there are results and every policy of them succeeded', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 6 }), (successes) => {
        const { state } = concluded(leased(created(REQUEST), OWN, 0), OWN, outcomeWith(...successes));
        expect(state).to.equal(successes.every((success) => success) ? 'verified' : 'failed');
      }),
    );
    expect(
      concluded(leased(created(REQUEST), OWN, 0), OWN, { tokenResponse: { error: 'x' }, tookMs: 0 }).state,
    ).to.equal('failed');
  });

  it('shows the callback key in no state', () => {
    const verifying = leased(created(REQUEST), lease(0), 0);
    for (const session of [created(REQUEST), verifying, concluded(verifying, OWN, outcomeWith(true))])
      expect(JSON.stringify(sessionView('id', session))).not.to.include('secret');
    expect(sessionView('id', verifying)).to.have.all.keys('id', 'presentationDefinition');
  });
});
