import { expect } from 'chai';
import fc from 'fast-check';
import { verifierServices } from '../../../composition/services/verifier.ts';
import { fingerprint } from '../../../domain/foundation/bytes.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import { startPlatform } from '../../support/servers/platform.ts';

describe('ids of requests', () => {
  let started: Awaited<ReturnType<typeof startPlatform>>;
  before(async () => {
    started = await startPlatform();
  });
  after(() => started.close());

  const codeOf = (error: unknown): string => (isDomainError(error) ? error.code : String(error));

  it('lead to their session at their verifier alone, in every instance, and show nothing of its id', async () => {
    const { platform } = started;
    const { creation, requestIds, verifier } = verifierServices(platform);
    const other = verifierServices(platform);
    const found = (id: string, at = verifier) => other.requestIds.session(at, id).then((session) => session.id, codeOf);
    const sessionIds = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{8,128}$/), { maxLength: 3 });
    const known = new Set<string>();
    await fc.assert(
      fc.asyncProperty(sessionIds, fc.nat(), async (names, place) => {
        for (const sessionId of names.filter((name) => !known.has(name))) {
          known.add(sessionId);
          const { value } = await creation.create(verifier, crossDevice({ sessionId }) as never);
          const { requestId: id } = value.request;
          expect(id)
            .to.match(/^[A-Za-z0-9_-]{1,256}$/)
            .and.not.include(sessionId);
          expect(Buffer.from(id, 'base64url').toString('latin1')).not.to.include(sessionId);
          expect(await found(id)).to.equal(sessionId);
          const at = place % id.length;
          const altered = `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`;
          const another = await requestIds.create(verifier, sessionId);
          for (const wrong of [altered, id.slice(0, at), `${id}AAAA`, sessionId, another])
            expect(await found(wrong)).to.equal('NotFound');
          expect(await found(id, { ...verifier, id: 'other' })).to.equal('NotFound');
        }
      }),
    );
  });

  it('that earlier versions stored lead to their sessions', async () => {
    const { platform } = started;
    const { creation, requestIds, sessions, verifier } = verifierServices(platform);
    const session = await creation.create(verifier, crossDevice() as never);
    const change = (value: typeof session.value) => ({ ...value, request: { ...value.request, requestId: 'r' } });
    await sessions.move(session, { change: (value) => change(value as typeof session.value) as typeof value });
    const earlier = { name: 'presentation-requests', listed: false, sealed: true, afterRestore: 'void' } as const;
    const record = { id: fingerprint('open\nr'), value: { session: session.id } };
    await platform.store.collection(earlier).insert(record);
    expect((await requestIds.session(verifier, 'r')).id).to.equal(session.id);
    expect(await requestIds.session({ ...verifier, id: 'other' }, 'r').catch(codeOf)).to.equal('NotFound');
  });
});
