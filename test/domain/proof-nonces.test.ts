import { expect } from 'chai';
import { DomainError } from '../../domain/foundation/errors.ts';
import { EndpointNonces } from '../../domain/issuer/endpoints/proof-nonces.ts';
import type { ConsumedNonce, SingleUseNonces } from '../../domain/oauth/single-use-nonces.ts';

/** A nonce endpoint whose nonces are good once. */
function endpoint(...good: string[]) {
  const left = new Set(good);
  const endpointNonces = {
    consume: async (_: string, nonce: string) => (left.delete(nonce) ? { id: nonce } : undefined),
    restore: async ({ id }: ConsumedNonce) => void left.add(id),
  };
  const nonces = new EndpointNonces({ nonces: endpointNonces as unknown as SingleUseNonces });
  const request = () => nonces.of({} as never, { issuerId: 'i' } as never);
  return { nonces, request, left };
}

describe('nonces of a nonce endpoint', () => {
  it('a nonce is good for one request, and for all proofs of that request', async () => {
    const { request } = endpoint('n');
    const [one, two] = [await request(), await request()];
    expect([await one.accept('n'), await one.accept('n'), await two.accept('n')]).to.deep.equal([true, true, false]);
  });

  it('proofs of one request cannot carry two nonces: the second one stays good', async () => {
    const { request, left } = endpoint('n', 'm');
    const one = await request();
    expect([await one.accept('n'), await one.accept('m')]).to.deep.equal([true, false]);
    expect([...left]).to.deep.equal(['m']);
  });

  it('a request that made no credential gives its nonce back, once', async () => {
    const { request, left } = endpoint('n');
    const one = await request();
    await one.accept('n');
    await one.restore();
    expect([...left]).to.deep.equal(['n']);
    expect(await (await request()).accept('n')).to.equal(true);
    await one.restore();
    expect([...left]).to.deep.equal([]);
  });

  it('after a lost race for the session the request keeps its nonce', async () => {
    const { request } = endpoint('n');
    const one = await request();
    await one.accept('n');
    expect(await (await one.again({} as never))?.accept('n')).to.equal(true);
  });

  it('tokens, responses and errors carry no nonce; a wrong nonce is invalid_nonce, any other fault invalid_proof', async () => {
    const { nonces, request } = endpoint();
    const one = await request();
    expect([await nonces.first(), await one.consume()]).to.deep.equal([undefined, undefined]);
    for (const oauthError of ['invalid_nonce', undefined]) {
      const refused = await one.refused(new DomainError('BadRequest', 'why', { oauthError }));
      expect([refused.oauthError, refused.extra]).to.deep.equal([oauthError ?? 'invalid_proof', undefined]);
    }
  });
});
