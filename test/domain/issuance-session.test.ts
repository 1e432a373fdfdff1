import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../domain/errors.ts';
import {
  claimItem,
  deliverItem,
  expireSession,
  failSession,
  type IssuableContent,
  type IssuanceSession,
  isOverdue,
  openSession,
  releaseItem,
  renewNonce,
} from '../../domain/issuer/session.ts';

const content = (configurationId: string): IssuableContent => ({
  configurationId,
  format: 'jwt_vc_json',
  types: [['VerifiableCredential']],
  issuerKey: { backend: 'jwk', id: 'k', keyType: 'Ed25519', publicJwk: { kty: 'OKP' }, config: { d: 'secret' } },
  issuerDid: 'did:web:a.example',
  credentialData: {},
  mapping: {},
});

const EXPIRES_AT = 1000;
const LEASE = 100;
const opened = (count = 1): IssuanceSession =>
  openSession({
    id: 's',
    code: 'c',
    expiresAt: EXPIRES_AT,
    isBatch: count > 1,
    contents: Array.from({ length: count }, (_, index) => content(`C${index}`)),
  });

type Step =
  | { move: 'renew'; nonce: string }
  | { move: 'claim' | 'release' | 'deliver'; itemId: number; nonce: string; at: number }
  | { move: 'fail' | 'expire' };

const nonce = fc.constantFrom('n1', 'n2', 'n3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ move: fc.constant('renew' as const), nonce }),
  fc.record({
    move: fc.constantFrom('claim' as const, 'release' as const, 'deliver' as const),
    itemId: fc.nat(2),
    nonce,
    at: fc.nat(500),
  }),
  fc.record({ move: fc.constantFrom('fail' as const, 'expire' as const) }),
);

function apply(session: IssuanceSession, next: Step): IssuanceSession {
  if (next.move === 'renew') return renewNonce(session, next.nonce);
  if (!('itemId' in next)) return next.move === 'fail' ? failSession(session, 'because') : expireSession(session);
  const attempt = { itemId: next.itemId, nonce: next.nonce, until: next.at + LEASE };
  if (next.move === 'claim') return claimItem(session, attempt, next.at);
  return next.move === 'release' ? releaseItem(session, attempt) : deliverItem(session, attempt, 'fresh');
}

/** The session after the step, or the same one when the step is refused. */
function attempted(session: IssuanceSession, next: Step): IssuanceSession {
  try {
    return apply(session, next);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'Conflict') return session;
    throw error;
  }
}

const walk = (
  count: number,
  steps: Step[],
  look: (before: IssuanceSession, next: Step, after: IssuanceSession) => void,
) =>
  steps.reduce((before, next) => {
    const after = attempted(before, next);
    look(before, next, after);
    return after;
  }, opened(count));

const walks = (look: (before: IssuanceSession, next: Step, after: IssuanceSession) => void): void =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 25 }), (count, steps) => {
      walk(count, steps, look);
    }),
    { numRuns: 1000 },
  );

describe('issuance session', () => {
  it('a session that is not active never changes again', () => {
    walks((before, _, after) => {
      if (before.state !== 'ACTIVE') expect(after).to.equal(before);
    });
  });

  it('each final state is reached by its own move only, and says why', () => {
    const by = { deliver: 'SUCCESSFUL', fail: 'UNSUCCESSFUL', expire: 'EXPIRED' } as Record<string, string>;
    walks((before, { move }, after) => {
      if (before.state === after.state) return;
      expect(after.state).to.equal(by[move]);
      expect(after.reason).to.be.a('string');
    });
  });

  it('a session that is not active holds no key, no data and no nonce', () => {
    walks((_, __, after) => {
      if (after.state === 'ACTIVE') return;
      expect(after.items).to.deep.equal([]);
      expect(after).to.not.have.property('cNonce');
      expect(JSON.stringify(after)).to.not.include('secret');
    });
  });

  it('it is successful exactly when every item was delivered, each once', () => {
    const check = fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), (count, steps) => {
      let delivered = 0;
      const end = walk(count, steps, (before, { move }, after) => {
        if (move === 'deliver' && after !== before) delivered += 1;
        if (after.state === 'ACTIVE') expect(after.items).to.have.length(count - delivered);
      });
      expect(end.state === 'SUCCESSFUL').to.equal(delivered === count);
    });
    fc.assert(check, { numRuns: 1000 });
  });

  it('an item is delivered only by the attempt that holds it', () => {
    walks((before, next, after) => {
      if (next.move !== 'deliver' || after === before) return;
      expect(before.items.find(({ id }) => id === next.itemId)?.claim?.nonce).to.equal(next.nonce);
    });
  });

  it('an item that somebody holds is not claimed before that claim runs out', () => {
    walks((before, next, after) => {
      if (next.move !== 'claim' || after === before) return;
      const held = before.items.find(({ id }) => id === next.itemId)?.claim;
      expect((held?.until ?? 0) <= next.at).to.equal(true);
    });
  });

  it('a nonce is good for one claim; releasing the claim gives it back', () => {
    const session = renewNonce(opened(), 'n');
    const attempt = { itemId: 0, nonce: 'n', until: LEASE };
    const claimed = claimItem(session, attempt, 0);
    expect(claimed).to.not.have.property('cNonce');
    expect(() => claimItem(claimed, attempt, 0)).to.throw(DomainError);
    expect(releaseItem(claimed, attempt)).to.deep.equal(session);
  });

  it('releasing does not take away a nonce that was given meanwhile', () => {
    const attempt = { itemId: 0, nonce: 'n', until: LEASE };
    const claimed = renewNonce(claimItem(renewNonce(opened(), 'n'), attempt, 0), 'newer');
    expect(releaseItem(claimed, attempt).cNonce).to.equal('newer');
  });

  it('before the token there is no nonce, so nothing can be claimed', () => {
    expect(() => claimItem(opened(), { itemId: 0, nonce: '', until: LEASE }, 0)).to.throw(DomainError);
  });

  it('it is overdue from the moment of expiry, while active', () => {
    expect([isOverdue(opened(), EXPIRES_AT - 1), isOverdue(opened(), EXPIRES_AT)]).to.deep.equal([false, true]);
    expect(isOverdue(failSession(opened(), 'x'), EXPIRES_AT)).to.equal(false);
  });

  it('an offer names each configuration once', () => {
    const twice = openSession({
      id: 's',
      code: 'c',
      expiresAt: 1,
      isBatch: true,
      contents: [content('A'), content('A'), content('B')],
    });
    expect(twice.configurationIds).to.deep.equal(['A', 'B']);
  });
});
