import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../domain/foundation/errors.ts';
import {
  completeItem,
  expireSession,
  failSession,
  type IssuableContent,
  type IssuanceSession,
  isOverdue,
  leaseItem,
  newIssuanceSession,
  noncesOf,
  releaseItem,
  renewLease,
  renewNonce,
} from '../../domain/issuer/issuance-session.ts';

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
  newIssuanceSession({
    id: 's',
    code: 'c',
    expiresAt: EXPIRES_AT,
    isBatch: count > 1,
    contents: Array.from({ length: count }, (_, index) => content(`C${index}`)),
  });

type Step =
  | { move: 'nonce'; nonce: string }
  | {
      move: 'lease' | 'renew' | 'release' | 'deliver' | 'fail';
      itemId: number;
      owner: string;
      nonce: string;
      at: number;
    }
  | { move: 'expire' };

const nonce = fc.constantFrom('n1', 'n2', 'n3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ move: fc.constant('nonce' as const), nonce }),
  fc.record({
    move: fc.constantFrom('lease' as const, 'renew' as const, 'release' as const, 'deliver' as const, 'fail' as const),
    itemId: fc.nat(2),
    owner: fc.constantFrom('o1', 'o2'),
    nonce,
    at: fc.nat(500),
  }),
  fc.record({ move: fc.constant('expire' as const) }),
);

function apply(session: IssuanceSession, next: Step): IssuanceSession {
  if (next.move === 'nonce') return renewNonce(session, next.nonce);
  if (next.move === 'expire') return expireSession(session);
  const { itemId, owner, nonce, at } = next;
  const attempt = { itemId, owner, nonce, until: at + LEASE };
  const moves = {
    lease: () => leaseItem(session, attempt, at),
    renew: () => renewLease(session, attempt, at + LEASE),
    release: () => releaseItem(session, attempt),
    deliver: () => completeItem(session, attempt, 'fresh'),
    fail: () => failSession(session, attempt, 'because'),
  };
  return moves[next.move]();
}

/** The session after the step, or the same one when the step is refused; a nonce is given once, since it is random. */
function attempted(session: IssuanceSession, next: Step): IssuanceSession {
  if (next.move === 'nonce' && noncesOf(session).includes(next.nonce)) return session;
  try {
    return apply(session, next);
  } catch (error) {
    if (error instanceof DomainError && ['Conflict', 'Busy'].includes(error.code)) return session;
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

  it('an item is delivered, released, prolonged or failed only by the request that has its lease', () => {
    walks((before, next, after) => {
      if (!('owner' in next) || next.move === 'lease' || after === before) return;
      expect(before.items.find(({ id }) => id === next.itemId)?.lease?.owner).to.equal(next.owner);
    });
  });

  it('neither an item nor a nonce that is leased is leased again before the lease runs out', () => {
    walks((before, next, after) => {
      if (next.move !== 'lease' || after === before) return;
      for (const { id, lease } of before.items)
        if (lease && (id === next.itemId || lease.nonce === next.nonce)) expect(lease.until <= next.at).to.equal(true);
    });
  });

  it('a nonce is good for one item at a time, and for none after a delivery with it', () => {
    walks((_, next, after) => {
      const nonces = after.items.flatMap(({ lease }) => lease?.nonce ?? []);
      expect(new Set(nonces).size).to.equal(nonces.length);
      if (next.move === 'lease') expect(nonces.includes(after.cNonce ?? '')).to.equal(false);
    });
    const once = leaseItem(renewNonce(opened(2), 'n'), attempt, 0);
    expect(noncesOf(completeItem(once, attempt, 'fresh'))).to.deep.equal(['fresh']);
  });

  const attempt = { itemId: 0, owner: 'o', nonce: 'n', until: LEASE };

  it('releasing a lease gives its nonce back, unless another was given meanwhile', () => {
    const session = renewNonce(opened(), 'n');
    const held = leaseItem(session, attempt, 0);
    expect(held).to.not.have.property('cNonce');
    expect(releaseItem(held, attempt)).to.deep.equal(session);
    expect(releaseItem(renewNonce(held, 'newer'), attempt).cNonce).to.equal('newer');
  });

  it('the nonce of a lease that ran out is good again, for this item and for another', () => {
    const held = leaseItem(renewNonce(opened(2), 'n'), attempt, 0);
    for (const itemId of [0, 1]) {
      const next = { itemId, owner: 'p', nonce: 'n', until: 2 * LEASE };
      expect(() => leaseItem(held, next, LEASE - 1))
        .to.throw(DomainError, 'Another request')
        .with.property('code', 'Busy');
      const taken = leaseItem(held, next, LEASE);
      expect(taken.items.map(({ lease }) => lease?.owner)).to.deep.equal(
        itemId === 0 ? ['p', undefined] : [undefined, 'p'],
      );
      expect(() => completeItem(taken, attempt, 'x'))
        .to.throw(DomainError)
        .with.property('code', 'Busy');
    }
  });

  it('before the token there is no nonce, so nothing can be leased', () => {
    expect(noncesOf(opened())).to.deep.equal([]);
    expect(() => leaseItem(opened(), { ...attempt, nonce: '' }, 0)).to.throw(DomainError);
  });

  it('it is overdue from the moment of expiry, while active', () => {
    expect([isOverdue(opened(), EXPIRES_AT - 1), isOverdue(opened(), EXPIRES_AT)]).to.deep.equal([false, true]);
    const held = leaseItem(renewNonce(opened(), 'n'), attempt, 0);
    expect(isOverdue(failSession(held, attempt, 'x'), EXPIRES_AT)).to.equal(false);
  });

  it('an offer names each configuration once', () => {
    const twice = newIssuanceSession({
      id: 's',
      code: 'c',
      expiresAt: 1,
      isBatch: true,
      contents: [content('A'), content('A'), content('B')],
    });
    expect(twice.configurationIds).to.deep.equal(['A', 'B']);
  });
});
