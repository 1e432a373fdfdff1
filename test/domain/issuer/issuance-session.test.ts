import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { IssuableContent } from '../../../domain/issuer/sessions/issuable-content.ts';
import {
  type ActiveSession,
  type Attempt,
  acknowledged,
  countLeft,
  created,
  deferred,
  expired,
  failed,
  type IssuanceSession,
  isOverdue,
  issued,
  leased,
  leaseNonces,
  MAX_REDELIVERABLE,
  progressOf,
  released,
  renewed,
  stateOf,
  withoutRecipient,
} from '../../../domain/issuer/sessions/issuance-session.ts';
import { planItems } from '../../../domain/issuer/sessions/item-plan.ts';
import { REDELIVERY_MS } from '../../../domain/issuer/sessions/redeliverable-credentials.ts';

const content = (configurationId: string): IssuableContent => ({
  configurationId,
  format: 'jwt_vc_json',
  types: [['VerifiableCredential']],
  issuerKey: { backend: 'jwk', id: 'k', keyType: 'Ed25519', publicJwk: { kty: 'OKP' }, config: { d: 'secret' } },
  issuer: 'did:web:a.example',
  credentialData: {},
  mapping: {},
});

const EXPIRES_AT = 1_000_000;
const LEASE = 100;
const sessionOf = (names: string[]): ActiveSession =>
  created({
    id: 's',
    issuerId: 'i',
    grant: { kind: 'pre-authorized', code: 'one-time-code' },
    expiresAt: EXPIRES_AT,
    isBatch: names.length > 1,
    plan: planItems(names.map(content)).plan,
    content: { credentialData: { name: 'secret' }, terms: 't' },
  });
const opened = (count = 1): ActiveSession => sessionOf(Array.from({ length: count }, (_, index) => `C${index}`));

const leasesOf = (session: IssuanceSession) => (session.state === 'ACTIVE' ? session.leases : []);

type Move = 'lease' | 'leaseDeferred' | 'renew' | 'release' | 'issue' | 'defer' | 'fail';
type Step =
  | { move: Move; items: number[]; owner: string; nonce: string; at: number }
  | { move: 'expire' }
  | { move: 'settle'; item: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      move: fc.constantFrom<Move>(
        'lease',
        'lease',
        'leaseDeferred',
        'renew',
        'release',
        'issue',
        'issue',
        'defer',
        'fail',
      ),
      items: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }),
      owner: fc.constantFrom('o1', 'o2'),
      nonce: fc.constantFrom('n-1', 'n-2', 'n-3'),
      at: fc.nat(500),
    }),
  },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('expire' as const) }) },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('settle' as const), item: fc.nat(2) }) },
);

/** The items that the owner has leased. */
const ownItems = (session: ActiveSession, owner: string): readonly number[] =>
  session.leases.find((lease) => lease.owner === owner)?.items ?? [];

const holdersOf = (items: readonly number[]) => new Map(items.map((id) => [id, `holder of ${id}`]));

function apply(session: ActiveSession, next: Step): IssuanceSession {
  if (next.move === 'expire') return expired(session);
  if (next.move === 'settle') return acknowledged(session, next.item);
  const { items, owner, nonce, at } = next;
  const own = ownItems(session, owner);
  const attempt = { items: own, owner, nonce, until: at + LEASE };
  const moves: Record<Move, () => IssuanceSession> = {
    // A lease has an id of its own.
    lease: () => (own.length > 0 ? session : leased(session, { ...attempt, items }, at)),
    leaseDeferred: () => (own.length > 0 ? session : leased(session, { ...attempt, items, isDeferred: true }, at)),
    renew: () => renewed(session, attempt, { until: at + LEASE }),
    release: () => released(session, attempt),
    issue: () => issued(session, attempt, { now: at, holders: holdersOf(own), count: own.length }),
    defer: () => deferred(session, attempt),
    fail: () => failed(session, attempt, { item: own[0] ?? -1, reason: 'because' }),
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
  it('each final state is reached by its own moves only, and says why', () => {
    const by: Record<string, string[]> = {
      issue: ['SUCCESSFUL', 'UNSUCCESSFUL'],
      fail: ['UNSUCCESSFUL'],
      expire: ['EXPIRED'],
    };
    walks((_, { move }, after) => {
      if (after.state === 'ACTIVE') return;
      expect(by[move]).to.include(after.state);
      expect(after.reason).to.be.a('string');
    });
  });

  it('a session that is over contains no key, no data, no nonce and no code', () => {
    walks((_, __, after) => {
      if (after.state === 'ACTIVE') return;
      expect(after).to.not.have.any.keys('leases', 'grant', 'deferred', 'content');
      expect(JSON.stringify(after)).to.not.match(/secret|one-time-code|n-[123]/);
    });
  });

  it('it ends exactly when every item was issued or failed, each once, and is successful when none failed', () => {
    const check = fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), (count, steps) => {
      let made = 0;
      const end = walk(count, steps, (before, next, after) => {
        if (after === before) return;
        if (next.move === 'issue') made += ownItems(before, next.owner).length;
        const { offered, issued: done, failed: lost } = progressOf(after);
        expect([offered, done]).to.deep.equal([count, made]);
        expect(countLeft(after)).to.equal(count - done - lost);
      });
      const { issued: done, failed: lost } = progressOf(end);
      if (end.state !== 'EXPIRED') expect(end.state !== 'ACTIVE').to.equal(done + lost === count);
      if (end.state === 'SUCCESSFUL') expect(done).to.equal(count);
      if (end.state === 'UNSUCCESSFUL') expect(lost).to.be.greaterThan(0);
    });
    fc.assert(check, { numRuns: 1000 });
  });

  it('an item is in one state: once issued or failed it stays so', () => {
    walks((before, _, after) => {
      for (const id of [0, 1, 2]) {
        const [was, is] = [before, after].map((session) => stateOf(session, id, 0).state);
        if (was === 'failed') expect(is).to.equal('failed');
        if (was === 'issued' || was === 'done') expect(is).to.be.oneOf(['issued', 'done']);
      }
    });
  });

  it('items are issued, deferred, released, prolonged or failed only by the request that has their lease', () => {
    walks((before, next, after) => {
      if (!('owner' in next) || next.move.startsWith('lease') || after === before) return;
      expect(ownItems(before, next.owner)).to.not.deep.equal([]);
    });
  });

  it('neither an item nor a nonce that is leased is leased again before the lease ends', () => {
    walks((before, next, after) => {
      if (!('owner' in next) || !next.move.startsWith('lease') || after === before) return;
      for (const lease of before.leases)
        if (lease.nonce === next.nonce || lease.items.some((id) => next.items.includes(id)))
          expect(lease.until <= next.at).to.equal(true);
    });
  });

  it('an item and a nonce are in one lease at a time, a nonce in none after credentials were issued with it', () => {
    walks((before, next, after) => {
      const leases = leasesOf(after);
      for (const all of [leases.flatMap(({ items }) => items), leases.flatMap(({ nonce }) => nonce ?? [])])
        expect(new Set<unknown>(all).size).to.equal(all.length);
      if (!('owner' in next) || next.move !== 'issue' || after === before) return;
      const used = before.leases.find(({ owner }) => owner === next.owner)?.nonce;
      expect(leases.map(({ nonce }) => nonce)).to.not.include(used);
    });
  });

  it('a deferred item is leased as such only, and an open one only as an open one', () => {
    walks((before, next, after) => {
      if (after === before || (next.move !== 'lease' && next.move !== 'leaseDeferred')) return;
      const state = next.move === 'lease' ? 'open' : 'deferred';
      for (const id of next.items) expect(stateOf(before, id, next.at).state).to.equal(state);
    });
  });

  const attempt: Attempt = { items: [0], owner: 'o', nonce: 'n', until: LEASE };
  const ownersOf = (session: ActiveSession) =>
    [0, 1].map((id) => session.leases.find(({ items }) => items.includes(id))?.owner);

  it('a lease that was released keeps its nonce good, for this item and for another, at once', () => {
    const session = released(leased(opened(2), attempt, 0), attempt);
    expect(leaseNonces(session)).to.deep.equal(['n']);
    for (const id of [0, 1]) {
      const again = leased(session, { ...attempt, items: [id], owner: 'p' }, 1);
      expect(ownersOf(again)).to.deep.equal(id === 0 ? ['p', undefined] : [undefined, 'p']);
    }
  });

  it('the nonce of a lease that expired is good again, for this item and for another', () => {
    const session = leased(opened(2), attempt, 0);
    for (const id of [0, 1]) {
      const next = { items: [id], owner: 'p', nonce: 'n', until: 2 * LEASE };
      expect(() => leased(session, next, LEASE - 1))
        .to.throw(DomainError, 'Another request')
        .with.property('code', 'Busy');
      const taken = leased(session, next, LEASE);
      expect(ownersOf(taken)).to.deep.equal(id === 0 ? ['p', undefined] : [undefined, 'p']);
      expect(() => issued(taken, attempt, { now: 0, holders: new Map(), count: 1 }))
        .to.throw(DomainError)
        .with.property('code', 'Busy');
    }
  });

  const issuedFirst = (count: number, now = 0) =>
    issued(leased(opened(count), attempt, now), attempt, { now, holders: holdersOf([0]), count: 1 }) as ActiveSession;

  it('an item that was issued is not leased again', () => {
    expect(() => leased(issuedFirst(2), { ...attempt, nonce: 'm' }, 0))
      .to.throw(DomainError)
      .with.property('code', 'Conflict');
  });

  it('an issued item can be asked for again for five minutes, or until it is acknowledged', () => {
    const session = issuedFirst(2);
    const { state, ...rest } = stateOf(session, 0, REDELIVERY_MS - 1);
    expect([state, rest]).to.deep.equal([
      'issued',
      { redeliverable: { id: 0, owner: 'o', holder: 'holder of 0', until: REDELIVERY_MS } },
    ]);
    expect(stateOf(session, 0, REDELIVERY_MS).state).to.equal('done');
    expect(stateOf(acknowledged(session, 0), 0, 0).state).to.equal('done');
    expect(acknowledged(session, 1)).to.equal(session);
  });

  it('at most a hundred issued items can be asked for again: the latest', () => {
    const count = MAX_REDELIVERABLE + 5;
    let session: IssuanceSession = sessionOf(Array.from({ length: count }, () => 'A'));
    for (let id = 0; id < count; id += 1) {
      const next = { items: [id], owner: `o${id}`, until: LEASE };
      session = issued(leased(session as ActiveSession, next, 0), next, { now: 0, holders: new Map(), count: 1 });
    }
    expect(session.redeliverable).to.have.length(MAX_REDELIVERABLE);
    expect([0, 4, 5, count - 1].map((id) => stateOf(session, id, 0).state)).to.deep.equal([
      'done',
      'done',
      'issued',
      'issued',
    ]);
  });

  it('many requests of one session work at the same time, up to a bound; then the oldest ended lease gives way', () => {
    let session = sessionOf(Array.from({ length: 100 }, () => 'A'));
    const lease = (id: number, now: number) =>
      leased(session, { items: [id], owner: `o${id}`, nonce: `n${id}`, until: now + LEASE }, now);
    for (let id = 0; id < 64; id += 1) session = lease(id, 0);
    expect(() => lease(64, 0))
      .to.throw(DomainError)
      .with.property('code', 'Busy');
    session = lease(64, LEASE);
    expect(leaseNonces(session)).to.have.length(64).and.not.include('n0');
  });

  it('before the first lease no nonce is named', () => {
    expect(leaseNonces(opened(2))).to.deep.equal([]);
  });

  it('it forgets its recipient at any time but while a wallet gets a credential, which would keep it', () => {
    const file = { reference: 'File 4711', recipient: 'Ada' };
    const managed = { profileId: 'p', authMethod: 'PRE_AUTHORIZED', request: 'r', file } as const;
    const session: ActiveSession = { ...opened(), managed };
    const forgotten = { ...session, managed: { ...managed, file: { reference: 'File 4711' } } };
    expect(withoutRecipient(session, 0)).to.deep.equal(forgotten);
    expect(withoutRecipient(forgotten, 0)).to.equal(forgotten);
    expect(withoutRecipient(expired(session), 0)).to.deep.equal(expired(forgotten));
    const request = { items: [0], owner: 'o', nonce: 'n', until: LEASE };
    const fetching = leased(session, request, 0);
    expect(() => withoutRecipient(fetching, 0))
      .to.throw(DomainError)
      .with.property('code', 'Busy');
    const { leases, requestedAt } = fetching;
    expect(withoutRecipient(fetching, LEASE)).to.deep.equal({ ...forgotten, leases, requestedAt });
  });

  it('it is overdue from the moment of expiry', () => {
    expect([isOverdue(opened(), EXPIRES_AT - 1), isOverdue(opened(), EXPIRES_AT)]).to.deep.equal([false, true]);
  });

  it('an offer names each configuration once', () => {
    expect(sessionOf(['A', 'A', 'B']).configurationIds).to.deep.equal(['A', 'B']);
  });

  it('a session that is over has no moves: they do not compile', () => {
    const over = expired(opened());
    // @ts-expect-error: only an active session is leased
    expect(() => leased(over, attempt, 0)).to.throw();
    // @ts-expect-error: only an active session expires
    expect(expired(over)).to.include({ state: 'EXPIRED' });
  });
});
