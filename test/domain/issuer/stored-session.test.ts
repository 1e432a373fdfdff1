import { expect } from 'chai';
import type { IssuableContent } from '../../../domain/issuer/sessions/issuable-content.ts';
import {
  type ActiveSession,
  created,
  expired,
  failed,
  type IssuanceSession,
  issued,
  leased,
} from '../../../domain/issuer/sessions/issuance-session.ts';
import { planItems } from '../../../domain/issuer/sessions/item-plan.ts';
import { SESSION_FORM } from '../../../domain/issuer/sessions/stored-session.ts';

const content = (configurationId: string): IssuableContent => ({
  configurationId,
  format: 'jwt_vc_json',
  types: [],
  issuerKey: { backend: 'jwk', id: 'k', keyType: 'Ed25519', publicJwk: { kty: 'OKP' }, config: {} },
  issuer: 'did:web:a.example',
  credentialData: {},
  mapping: {},
});

const session = (isBatch: boolean): ActiveSession =>
  created({
    id: 's',
    issuerId: 'i',
    grant: { kind: 'pre-authorized', code: 'one-time-code' },
    expiresAt: 1000,
    isBatch,
    plan: planItems(['A', 'B', 'B', 'A'].map(content)).plan,
  });

/** Every state, with and without what sessions have later. */
function sessions(): IssuanceSession[] {
  const attempt = { owner: 'o', items: [0, 1], nonce: 'n', until: 100 };
  const busy = leased(session(true), attempt, 0);
  const some = issued(busy, attempt, { now: 0, holders: new Map(), count: 5 }) as ActiveSession;
  const last = { ...attempt, items: [2, 3] };
  const all = issued(leased(some, last, 0), last, { now: 0, holders: new Map(), count: 2 });
  const fails = failed(busy, attempt, { item: 0, reason: 'r' });
  return [
    session(false),
    session(true),
    busy,
    some,
    all,
    fails,
    expired(some),
    { ...session(false), isDeferred: true },
    { ...session(false), content: { credentialData: { name: 'Ada' }, terms: 't' } },
    { ...some, voidNonces: 1 },
  ];
}

const asText = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('The stored form of a session', () => {
  it('is read as the session that was written, in every state', () => {
    for (const one of sessions()) {
      const stored = asText(SESSION_FORM.write(one));
      expect(asText(SESSION_FORM.read(stored, 's')), JSON.stringify(stored)).to.deep.equal(asText(one));
    }
  });

  it('has nothing of an offer that no wallet has fetched but what it is', () => {
    const stored = asText(SESSION_FORM.write(session(false)));
    expect(stored).to.have.all.keys('issuerId', 'grant', 'expiresAt', 'plan', 'state');
  });
});
