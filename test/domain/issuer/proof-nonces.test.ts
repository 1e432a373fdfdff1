import { expect } from 'chai';
import { hmac } from '../../../domain/foundation/bytes.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { created, type IssuanceSession } from '../../../domain/issuer/sessions/issuance-session.ts';
import { EndpointNonces, GrantNonces, type RequestNonces } from '../../../domain/issuer/sessions/proof-nonces.ts';
import type { IssuanceSessionRepository, LiveSession } from '../../../domain/issuer/sessions/session-repository.ts';
import type { ServerSecret } from '../../../domain/keys/server-secret.ts';
import type { ConsumedNonce, SingleUseNonces } from '../../../domain/oauth/single-use-nonces.ts';

/** A nonce endpoint whose nonces are good once. */
function endpoint(...good: string[]) {
  const left = new Set(good);
  const endpointNonces = {
    consume: async (_: string, nonce: string) => (left.delete(nonce) ? { id: nonce } : undefined),
    restore: async ({ id }: ConsumedNonce) => void left.add(id),
  };
  const nonces = new EndpointNonces({ nonces: endpointNonces as unknown as SingleUseNonces });
  const request = () => nonces.forRequest({} as never, { value: { issuerId: 'i' } } as never);
  return { nonces, request, left };
}

describe('nonces of a nonce endpoint', () => {
  it('a nonce is good for one request, and for all proofs of that request', async () => {
    const { request } = endpoint('n');
    const [one, two] = [request(), request()];
    expect([await one.accept('n'), await one.accept('n'), await two.accept('n')]).to.deep.equal([true, true, false]);
  });

  it('proofs of one request cannot carry two nonces: the second one stays good', async () => {
    const { request, left } = endpoint('n', 'm');
    const one = request();
    expect([await one.accept('n'), await one.accept('m')]).to.deep.equal([true, false]);
    expect([...left]).to.deep.equal(['m']);
  });

  it('a request that made no credential gives its nonce back, once', async () => {
    const { request, left } = endpoint('n');
    const one = request();
    await one.accept('n');
    await one.restore();
    expect([...left]).to.deep.equal(['n']);
    expect(await request().accept('n')).to.equal(true);
    await one.restore();
    expect([...left]).to.deep.equal([]);
  });

  it('a refused proof gives the nonce of its request back', async () => {
    const { request } = endpoint('n');
    const one = request();
    await one.accept('n');
    await one.refused(new DomainError('BadRequest', 'why'));
    expect(await request().accept('n')).to.equal(true);
  });

  it('after a lost race for the session the request keeps its nonce', async () => {
    const { request } = endpoint('n');
    const one = request();
    await one.accept('n');
    expect(await one.again({} as never).accept('n')).to.equal(true);
  });

  it('tokens, responses and errors carry no nonce; a wrong nonce is invalid_nonce, any other fault invalid_proof', async () => {
    const { nonces, request } = endpoint();
    const one = request();
    expect([await nonces.first(), await one.consume()]).to.deep.equal([undefined, undefined]);
    for (const oauthError of ['invalid_nonce', undefined]) {
      const refused = await one.refused(new DomainError('BadRequest', 'why', { oauthError }));
      expect([refused.oauthError, refused.extra]).to.deep.equal([oauthError ?? 'invalid_proof', undefined]);
    }
  });
});

/** Grants of one session, whose repository keeps it in a variable. */
function grants(secret = 'secret') {
  let session: IssuanceSession = created({
    id: 's',
    issuerId: 'i',
    grant: { kind: 'pre-authorized', code: 'c' },
    expiresAt: 100_000,
    isBatch: false,
    plan: { kinds: [], runs: [] },
  });
  const nonces = new GrantNonces({
    sessions: {
      amend: async (_: unknown, change: (one: IssuanceSession) => IssuanceSession) => (session = change(session)),
    } as unknown as IssuanceSessionRepository,
    secret: {
      digest: async (values: unknown) => hmac(Buffer.from(secret), JSON.stringify(values)),
    } as unknown as ServerSecret,
    clock: { now: () => 40_000 },
  });
  const stored = () => ({ value: session }) as never;
  return {
    first: (grantId: string) => nonces.first(grantId, session as LiveSession),
    of: (grantId: string) => nonces.forRequest({ grantId }, stored()),
    /** The write that marks an item as issued. */
    issue: (request: RequestNonces) => (session = request.spent(session)),
  };
}

describe('nonces of grants', () => {
  it('a nonce is good for its grant and the server that made it until it is used, and the next one after that', async () => {
    const { first, of, issue } = grants();
    const nonce = await first('g');
    for (const other of [await first('h'), await grants('other').first('g'), '', `${nonce}A`])
      expect(await of('g').accept(other)).to.equal(false);
    const request = of('g');
    expect([await request.accept(nonce), await request.accept(nonce)]).to.deep.equal([true, true]);
    const next = await request.next(issue(request));
    expect(next).to.deep.equal({ nonce: await first('g'), seconds: 60 });
    expect([await of('g').accept(nonce), await of('g').accept(next?.nonce ?? '')]).to.deep.equal([false, true]);
  });

  it('of requests that saw the same nonce each gets the same next one, also when one was refused', async () => {
    const { of, issue, first } = grants();
    const [one, other, refused] = [of('g'), of('g'), of('g')];
    const next = await one.next(issue(one));
    expect(await other.next(issue(other))).to.deep.equal(next);
    const { extra, oauthError } = await refused.refused(new DomainError('BadRequest', 'why'));
    expect([oauthError, extra?.c_nonce, extra?.c_nonce_expires_in]).to.deep.equal(['invalid_proof', next?.nonce, 60]);
    expect(await first('g')).to.equal(next?.nonce);
  });

  it('a nonce that is used makes those of other grants of the session void, which get the next when they are refused', async () => {
    const { first, of, issue } = grants();
    const other = await first('h');
    issue(of('g'));
    expect(await of('h').accept(other)).to.equal(false);
    const { extra } = await of('h').refused(new DomainError('BadRequest', 'why'));
    expect(await of('h').accept(String(extra?.c_nonce))).to.equal(true);
  });

  it('a refused proof gets a fresh nonce each time', async () => {
    const { of } = grants();
    const fresh = async () => (await of('g').refused(new DomainError('BadRequest', 'why'))).extra?.c_nonce;
    const seen = [await fresh(), await fresh(), await fresh()];
    expect(new Set(seen).size).to.equal(3);
    expect(await Promise.all(seen.map((nonce) => of('g').accept(String(nonce))))).to.deep.equal([false, false, true]);
  });
});
