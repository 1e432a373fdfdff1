import { expect } from 'chai';
import fc from 'fast-check';
import type { DidPlan } from '../../../domain/dids/did-creation.ts';
import { base64url } from '../../../domain/foundation/bytes.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { thumbprint } from '../../../domain/jose/jwk.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import { didCreator } from '../../support/keys/local-dids.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

const URL = 'https://registrar.example.org';
const { backends, signatures } = localKeys();

/** A registrar that answers its calls in turn; a function sees the call. */
function registrar(...answers: unknown[]) {
  const calls: { didDocument?: object }[] = [];
  const send: Outbound['send'] = async ({ body }) => {
    calls.push(JSON.parse(String(body)));
    const answer = answers[calls.length - 1] ?? answers.at(-1);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { status: 200, headers: {}, body: Buffer.from(text) };
  };
  return { calls, creator: didCreator({ check: () => {}, send }, URL) };
}

describe('DidRegistrar', () => {
  let reference: KeyReference;
  let signed: number;
  const key = () => ({
    publicJwk: reference.publicJwk,
    signer: () => {
      signed += 1;
      return backends.signer(reference);
    },
  });
  const plan = (method: string): DidPlan => ({ method, keyType: reference.keyType, config: {} });
  const asks = (kid: string, payload: string, more: object = {}) => ({
    jobId: 'job',
    didState: {
      state: 'action',
      action: 'signPayload',
      signingRequest: { one: { kid, serializedPayload: payload, ...more } },
    },
  });
  const failure = (creator: ReturnType<typeof didCreator>, method = 'indy'): Promise<DomainError> =>
    creator
      .prepare(plan(method))(key())
      .then(
        () => expect.fail('it was created'),
        (error: DomainError) => error,
      );
  const fragment = (): string => `#${thumbprint(reference.publicJwk)}`;
  beforeEach(async () => {
    signed = 0;
    reference = await backends.create('jwk', { keyType: 'secp256r1' });
  });

  it('signs exactly what is asked for, in the alphabet of the payload, under relative and absolute names of the key', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean(), async (bytes, padded) => {
        const data = Uint8Array.of(0, ...bytes);
        const payload = padded ? Buffer.from(data).toString('base64') : base64url(data);
        const did = 'did:indy:test:abc';
        const { calls, creator } = registrar(asks(`${did}${fragment()}`, payload), {
          didState: { state: 'finished', did },
        });
        const created = await creator.prepare(plan('indy'))(key());
        expect(created.did).to.equal(did);
        expect(calls[0]?.didDocument).not.to.have.property('id');
        const [, second] = calls as unknown as [
          unknown,
          { secret: { signingResponse: { one: { signature: string } } } },
        ];
        const { signature } = second.secret.signingResponse.one;
        expect(signature).to.match(
          Buffer.from(payload, 'base64').toString('base64') === payload ? /^[\w+/=]+$/ : /^[\w-]+$/,
        );
        const check = { alg: 'ES256', jwk: reference.publicJwk, data, signature: Buffer.from(signature, 'base64') };
        expect(await signatures.verify(check)).to.equal(true);
      }),
      { numRuns: 30 },
    ));

  it('signs nothing that reads as the input of a JWS', async () => {
    const unencoded = `${base64url('{"alg":"ES256","b64":false,"crit":["b64"]}')}.{"iss":"did:indy:test:abc"}`;
    const lax = `${base64url(' {"alg":"none","alg":"ES256","b64":false}')}x.\u0000`;
    for (const token of ['eyJhbGciOiJFUzI1NiJ9.e30', 'abc.', unencoded, lax])
      expect((await failure(registrar(asks(fragment(), base64url(token))).creator)).message).to.contain('a token');
  });

  it('signs nothing under the name of another key, with another algorithm, or that is not base64', async () => {
    for (const asked of [
      asks('#another', 'AAAA'),
      asks('did:indy:test:abc#another', 'AAAA'),
      asks(fragment(), 'AAAA', { alg: 'EdDSA' }),
      asks(fragment(), '%%'),
      asks(fragment(), ''),
      { jobId: 'job', didState: { state: 'action', action: 'signPayload', signingRequest: {} } },
    ]) {
      const { calls, creator } = registrar(asked);
      expect((await failure(creator)).code, JSON.stringify(asked)).to.equal('UpstreamFailed');
      expect(calls).to.have.length(1);
    }
  });

  it('ends after four calls when a registrar asks again and again', async () => {
    const { calls, creator } = registrar(asks(fragment(), 'AAAA'));
    expect((await failure(creator)).code).to.equal('UpstreamFailed');
    expect([calls.length, signed]).to.deep.equal([4, 4]);
  });

  it('accepts no DID of another method or form, and no document without the key', async () => {
    const finished = (did: unknown, more: object = {}) => ({ didState: { state: 'finished', did, ...more } });
    for (const answer of [
      finished('did:cheqd:testnet:abc'),
      finished('did:indy:a b'),
      finished(undefined),
      finished('did:indy:test:abc', { didDocument: { id: 'did:indy:test:abc' } }),
      finished('did:indy:test:abc', { didDocument: { id: 'did:indy:test:other' } }),
    ])
      expect((await failure(registrar(answer).creator)).code, JSON.stringify(answer)).to.equal('UpstreamFailed');
  });

  it('fails as an upstream for any answer that is not one of the protocol', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.string()), async (answer) => {
        expect((await failure(registrar(answer ?? 'null').creator)).code).to.equal('UpstreamFailed');
      }),
      { numRuns: 100 },
    ));
});
