import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import { ReplayGuard, type ReplayMode } from '../../../domain/accounts/replay-guard.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { ParsedJws } from '../../../domain/jose/jws.ts';

const newWorld = () => {
  const clock = { ms: 1_800_000_000_000, now: () => clock.ms };
  const store = new MemoryStore(clock);
  const guard = (mode: ReplayMode) => new ReplayGuard({ store, clock, random: systemRandom }, mode);
  return { clock, guard };
};

const jws = (payload: Record<string, unknown>, header: Record<string, unknown> = { alg: 'RS256' }): ParsedJws => ({
  header,
  payload,
  signingInput: Buffer.from('any'),
  signature: Buffer.from('any'),
});

interface Claims {
  jti?: string;
  nonce?: string;
}

const spend = (
  guard: ReplayGuard,
  claims: Claims & { n?: number },
  { identity = 'x5c:key', until = 1_900_000_000_000 } = {},
) =>
  guard.consume({ identity, jws: jws({ ...claims }), claims, acceptableUntil: until }).then(
    () => 'accepted',
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

describe('ReplayGuard', () => {
  it('lets a token without jti and nonce pass again and again in compatible mode', async () => {
    const guard = newWorld().guard('compatible');
    expect(await spend(guard, {})).to.equal('accepted');
    expect(await spend(guard, {})).to.equal('accepted');
  });

  it('takes a jti once per identity in every mode, also of fifty at once on two instances', async () => {
    for (const mode of ['compatible', 'once'] as const) {
      const { guard } = newWorld();
      const instances = [guard(mode), guard(mode)] as const;
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, n) => spend(instances[n % 2 === 0 ? 0 : 1], { jti: 'one', n })),
      );
      expect(all.filter((outcome) => outcome === 'accepted')).to.have.length(1);
      expect(all.filter((outcome) => outcome === 'TokenRejected')).to.have.length(49);
      expect(await spend(instances[0], { jti: 'one' }, { identity: 'x5c:other' })).to.equal('accepted');
    }
  });

  it('takes every token once in mode once, by what it says and not by how it is spelled', async () => {
    const guard = newWorld().guard('once');
    const all = await Promise.all(Array.from({ length: 50 }, () => spend(guard, {})));
    expect(all.filter((outcome) => outcome === 'accepted')).to.have.length(1);
    expect(await spend(guard, { n: 1 })).to.equal('accepted');
    expect(await spend(guard, { n: 1 })).to.equal('TokenRejected');
  });

  it('demands a nonce in mode challenge and takes it once, before it expires, and only one it gave', async () => {
    const { clock, guard } = newWorld();
    const challenge = guard('challenge');
    expect(await spend(challenge, {})).to.equal('TokenRejected');
    expect(await spend(challenge, { jti: 'x' })).to.equal('TokenRejected');
    expect(await spend(challenge, { nonce: 'made up' })).to.equal('TokenRejected');
    const { nonce, expiresIn } = await challenge.nonce();
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => spend(challenge, { nonce, n })));
    expect(all.filter((outcome) => outcome === 'accepted')).to.have.length(1);
    const late = await challenge.nonce();
    clock.ms += expiresIn * 1000;
    expect(await spend(challenge, { nonce: late.nonce })).to.equal('TokenRejected');
  });

  it('honours a nonce in every mode', async () => {
    for (const mode of ['compatible', 'once'] as const) {
      const guard = newWorld().guard(mode);
      const { nonce } = await guard.nonce();
      expect(await spend(guard, { nonce: 'made up' })).to.equal('TokenRejected');
      expect(await spend(guard, { nonce })).to.equal('accepted');
      expect(await spend(guard, { nonce, n: 1 })).to.equal('TokenRejected');
    }
  });

  it('forgets a token only after it is rejected in any case', async () => {
    const { clock, guard } = newWorld();
    const once = guard('once');
    const until = clock.ms + 1000;
    expect(await spend(once, {}, { until })).to.equal('accepted');
    clock.ms = until - 1;
    expect(await spend(once, {}, { until })).to.equal('TokenRejected');
  });
});
