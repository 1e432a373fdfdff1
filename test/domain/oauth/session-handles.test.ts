import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import { ServerSecret } from '../../../domain/keys/server-secret.ts';
import { SessionHandles } from '../../../domain/oauth/session-handles.ts';

const clock = { now: () => 0 };
const handlesOn = (store: MemoryStore): SessionHandles =>
  new SessionHandles({ store, secret: new ServerSecret({ store, clock, random: systemRandom }, 'session handles') });
const KINDS = ['offer', 'code', 'request'] as const;

describe('Names of a session', () => {
  it('lead every instance to the session of their issuer, and say nothing of its id', async () => {
    const store = new MemoryStore(clock);
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.constantFrom(...KINDS), async (id, kind) => {
        const name = await handlesOn(store).create(kind, 'a', id);
        expect(await handlesOn(store).sessionOf(kind, 'a', name)).to.equal(id);
        expect(name)
          .to.match(/^[A-Za-z0-9_-]{43,}$/)
          .and.not.include(id);
        expect(name).to.not.equal(await handlesOn(store).create(kind, 'a', id));
      }),
    );
  });

  it('of another kind, issuer or installation, and names that were altered, are unknown', async () => {
    const handles = handlesOn(new MemoryStore(clock));
    const name = await handles.create('code', 'a', 'session');
    expect(await handles.sessionOf('offer', 'a', name)).to.equal(undefined);
    expect(await handles.sessionOf('code', 'b', name)).to.equal(undefined);
    expect(await handlesOn(new MemoryStore(clock)).sessionOf('code', 'a', name)).to.equal(undefined);
    await fc.assert(
      fc.asyncProperty(fc.nat(name.length - 2), fc.constantFrom('A', 'B', ''), async (at, character) => {
        const altered = name.slice(0, at) + character + name.slice(at + 1);
        if (altered !== name) expect(await handles.sessionOf('code', 'a', altered)).to.equal(undefined);
      }),
    );
  });
});
