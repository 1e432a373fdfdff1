import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { failed, type PolicyResult, passed } from '../../../domain/verifier/policies/policy.ts';
import { resultOf } from '../../../domain/verifier/policies/run.ts';
import type { SessionRequest } from '../../../domain/verifier/protocol.ts';
import { sessionView } from '../../../domain/verifier/verification/draft20-view.ts';
import type { Draft20Outcome } from '../../../domain/verifier/verification/outcome.ts';
import { rulesOf } from '../../../domain/verifier/verification/protocols.ts';
import {
  type Conclusion,
  concluded,
  leased,
  released,
  renewed,
  statusOf,
  type VerificationSession,
  waiting,
} from '../../../domain/verifier/verification/session.ts';

const REQUEST: SessionRequest<'draft20'> = {
  protocol: 'draft20',
  query: { language: 'presentation-exchange', definition: { id: 'd', input_descriptors: [] } },
  verifierId: 'v',
  nonce: 'n',
  requestProfile: 'DEFAULT',
  formats: ['jwt_vc_json'],
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

const outcomeWith = (...successes: boolean[]): Draft20Outcome => ({
  tokenResponse: {},
  results: [{ credential: 'VP', policies: successes.map(lineOf) }],
  tookMs: 12,
});

/** What a response with this outcome ends its session with. */
const conclusionOf = (outcome: Draft20Outcome): Conclusion<'draft20'> => ({
  outcome,
  isAccepted: rulesOf(REQUEST).isAccepted(outcome),
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
        let session: VerificationSession<'draft20'> = waiting(REQUEST);
        let now = 0;
        let until: number | undefined;
        for (const { kind, afterMs } of tried) {
          now += afterMs;
          const before: VerificationSession<'draft20'> = session;
          const isFinal = before.state === 'concluded';
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
            session = kind === 'release' ? released(before, OWN) : concluded(before, OWN, conclusionOf(outcome));
            until = undefined;
            const expected = { release: 'fetched', succeed: 'accepted', fail: 'refused' }[kind];
            expect(statusOf(session)).to.equal(expected);
          }
          expect(session.request).to.include(REQUEST);
        }
      }),
    );
  });

  it('is renewed, released and concluded by the request that has its lease only', () => {
    const other = { owner: 'another', until: LEASE_MS };
    const attempts: ((session: VerificationSession<'draft20'>) => unknown)[] = [
      (session) => renewed(session, other),
      (session) => released(session, other),
      (session) => concluded(session, other, conclusionOf(outcomeWith(true))),
    ];
    const verifying = leased(waiting(REQUEST), OWN, 0);
    for (const session of [waiting(REQUEST), verifying, concluded(verifying, OWN, conclusionOf(outcomeWith(true)))])
      for (const attempt of attempts) expect(() => attempt(session)).to.throw(DomainError, /another response first/);
  });

  it('is verified exactly when there are results and every policy of them succeeded', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 6 }), (successes) => {
        const { isAccepted } = conclusionOf(outcomeWith(...successes));
        expect(isAccepted).to.equal(successes.every((success) => success));
      }),
    );
    expect(conclusionOf({ tokenResponse: { error: 'x' }, tookMs: 0 }).isAccepted).to.equal(false);
  });

  it('forgets its keys with the response', () => {
    const key = { kid: 'k', d: 'secret' };
    const verifying = leased(waiting({ ...REQUEST, responseKey: key }), OWN, 0);
    expect(verifying.request.responseKey).to.equal(key);
    const { request } = concluded(verifying, OWN, conclusionOf(outcomeWith(true)));
    expect(request.responseKey).to.equal(undefined);
  });

  it('shows the callback key in no state', () => {
    const verifying = leased(waiting(REQUEST), lease(0), 0);
    for (const session of [waiting(REQUEST), verifying, concluded(verifying, OWN, conclusionOf(outcomeWith(true)))])
      expect(JSON.stringify(sessionView('id', session))).not.to.include('secret');
    expect(sessionView('id', verifying)).to.have.all.keys('id', 'presentationDefinition');
  });
});
