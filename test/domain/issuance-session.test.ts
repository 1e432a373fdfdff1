import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { IssuableContent } from '../../domain/issuer/issuable-content.ts';
import {
  type ActiveSession,
  type Attempt,
  created,
  expired,
  failed,
  type IssuanceSession,
  isOverdue,
  issued,
  leased,
  leaseNonces,
  released,
  renewed,
} from '../../domain/issuer/issuance-session.ts';

const content = (configurationId: string): IssuableContent => ({
  configurationId,
  format: 'jwt_vc_json',
  types: [['VerifiableCredential']],
  issuerKey: { backend: 'jwk', id: 'k', keyType: 'Ed25519', publicJwk: { kty: 'OKP' }, config: { d: 'secret' } },
  issuer: 'did:web:a.example',
  credentialData: {},
  mapping: {},
});

const EXPIRES_AT = 1000;
const LEASE = 100;
const opened = (count = 1): ActiveSession =>
  created({
    id: 's',
    issuerId: 'i',
    code: 'one-time-code',
    expiresAt: EXPIRES_AT,
    isBatch: count > 1,
    contents: Array.from({ length: count }, (_, index) => content(`C${index}`)),
  });

const itemsOf = (session: IssuanceSession) => (session.state === 'ACTIVE' ? session.items : []);

type Step =
  | { move: 'lease' | 'renew' | 'release' | 'issue' | 'fail'; itemId: number; owner: string; nonce: string; at: number }
  | { move: 'expire' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      move: fc.constantFrom('lease' as const, 'renew' as const, 'release' as const, 'issue' as const, 'fail' as const),
      itemId: fc.nat(2),
      owner: fc.constantFrom('o1', 'o2'),
      nonce: fc.constantFrom('n1', 'n2', 'n3'),
      at: fc.nat(500),
    }),
  },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('expire' as const) }) },
);

function apply(session: ActiveSession, next: Step): IssuanceSession {
  if (next.move === 'expire') return expired(session);
  const { itemId, owner, nonce, at } = next;
  const attempt = { itemId, owner, nonce, until: at + LEASE };
  const moves = {
    lease: () => leased(session, attempt, at),
    renew: () => renewed(session, attempt, at + LEASE),
    release: () => released(session, attempt),
    issue: () => issued(session, attempt),
    fail: () => failed(session, attempt, 'because'),
  };
  return moves[next.move]();
}

/** The session after the step, or the same one when the step is refused; a session that is over has no moves. */
function attempted(session: IssuanceSession, next: Step): IssuanceSession {
  if (session.state !== 'ACTIVE') return session;
  try {
    return apply(session, next);
  } catch (error) {
    if (error instanceof DomainError && ['Conflict', 'Busy'].includes(error.code)) return session;
    throw error;
  }
}

type Look = (before: ActiveSession, next: Step, after: IssuanceSession) => void;

const walk = (count: number, steps: Step[], look: Look): IssuanceSession =>
  steps.reduce<IssuanceSession>((before, next) => {
    const after = attempted(before, next);
    if (before.state === 'ACTIVE') look(before, next, after);
    return after;
  }, opened(count));

const walks = (look: Look): void =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 25 }), (count, steps) => {
      walk(count, steps, look);
    }),
    { numRuns: 1000 },
  );

describe('issuance session', () => {
  it('each final state is reached by its own move only, and says why', () => {
    const by = { issue: 'SUCCESSFUL', fail: 'UNSUCCESSFUL', expire: 'EXPIRED' } as Record<string, string>;
    walks((_, { move }, after) => {
      if (after.state === 'ACTIVE') return;
      expect(after.state).to.equal(by[move]);
      expect(after.reason).to.be.a('string');
    });
  });

  it('a session that is over contains no key, no data, no nonce and no code', () => {
    walks((_, __, after) => {
      if (after.state === 'ACTIVE') return;
      expect(after).to.not.have.any.keys('items', 'code');
      expect(JSON.stringify(after)).to.not.match(/secret|one-time-code|n[123]/);
    });
  });

  it('it is successful exactly when every item was issued, each once', () => {
    const check = fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), (count, steps) => {
      let made = 0;
      const end = walk(count, steps, (before, { move }, after) => {
        if (move === 'issue' && after !== before) made += 1;
        if (after.state === 'ACTIVE') expect(after.items).to.have.length(count - made);
      });
      expect(end.state === 'SUCCESSFUL').to.equal(made === count);
    });
    fc.assert(check, { numRuns: 1000 });
  });

  it('an item is issued, released, prolonged or failed only by the request that has its lease', () => {
    walks((before, next, after) => {
      if (!('owner' in next) || next.move === 'lease' || after === before) return;
      expect(before.items.find(({ id }) => id === next.itemId)?.lease?.owner).to.equal(next.owner);
    });
  });

  it('neither an item nor a nonce that is leased is leased again before the lease ends', () => {
    walks((before, next, after) => {
      if (next.move !== 'lease' || after === before) return;
      for (const { id, lease } of before.items)
        if (lease && (id === next.itemId || lease.nonce === next.nonce)) expect(lease.until <= next.at).to.equal(true);
    });
  });

  it('a nonce is in one lease at a time, and in none after a credential was issued with it', () => {
    walks((before, next, after) => {
      const nonces = itemsOf(after).flatMap(({ lease }) => lease?.nonce ?? []);
      expect(new Set(nonces).size).to.equal(nonces.length);
      if (next.move !== 'issue' || after === before) return;
      const used = before.items.find(({ id }) => id === next.itemId)?.lease?.nonce;
      expect(nonces).to.not.include(used);
    });
  });

  const attempt: Attempt = { itemId: 0, owner: 'o', nonce: 'n', until: LEASE };

  it('a lease that was released keeps its nonce good, for this item and for another, at once', () => {
    const session = released(leased(opened(2), attempt, 0), attempt);
    expect(leaseNonces(session)).to.deep.equal(['n']);
    for (const itemId of [0, 1]) {
      const again = leased(session, { ...attempt, itemId, owner: 'p' }, 1);
      expect(again.items.map(({ lease }) => lease?.owner)).to.deep.equal(
        itemId === 0 ? ['p', undefined] : [undefined, 'p'],
      );
    }
  });

  it('the nonce of a lease that expired is good again, for this item and for another', () => {
    const session = leased(opened(2), attempt, 0);
    for (const itemId of [0, 1]) {
      const next = { itemId, owner: 'p', nonce: 'n', until: 2 * LEASE };
      expect(() => leased(session, next, LEASE - 1))
        .to.throw(DomainError, 'Another request')
        .with.property('code', 'Busy');
      const taken = leased(session, next, LEASE);
      expect(taken.items.map(({ lease }) => lease?.owner)).to.deep.equal(
        itemId === 0 ? ['p', undefined] : [undefined, 'p'],
      );
      expect(() => issued(taken, attempt))
        .to.throw(DomainError)
        .with.property('code', 'Busy');
    }
  });

  it('an item that was issued is not leased again', () => {
    const session = issued(leased(opened(2), attempt, 0), attempt) as ActiveSession;
    expect(() => leased(session, { ...attempt, nonce: 'm' }, 0))
      .to.throw(DomainError)
      .with.property('code', 'Conflict');
  });

  it('before the first lease no nonce is named', () => {
    expect(leaseNonces(opened(2))).to.deep.equal([]);
  });

  it('it is overdue from the moment of expiry', () => {
    expect([isOverdue(opened(), EXPIRES_AT - 1), isOverdue(opened(), EXPIRES_AT)]).to.deep.equal([false, true]);
  });

  it('an offer names each configuration once', () => {
    const twice = created({
      id: 's',
      issuerId: 'i',
      code: 'c',
      expiresAt: 1,
      isBatch: true,
      contents: [content('A'), content('A'), content('B')],
    });
    expect(twice.configurationIds).to.deep.equal(['A', 'B']);
  });

  it('a session that is over has no moves: they do not compile', () => {
    const over = expired(opened());
    // @ts-expect-error: only an active session is leased
    expect(() => leased(over, attempt, 0)).to.throw();
    // @ts-expect-error: only an active session expires
    expect(expired(over)).to.include({ state: 'EXPIRED' });
  });
});
