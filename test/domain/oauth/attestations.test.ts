import { expect } from 'chai';
import fc from 'fast-check';
import { toProblem } from '../../../adapters/http/messages/problems.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { AUDIENCE, attestationWorld, CLIENT, NOW, SECONDS } from '../../support/credentials/attestations.ts';
import { ISSUER, newSigner } from '../../support/credentials/oauth.ts';

describe('Client attestations', () => {
  it('one with its proof of possession authenticates the client and names the key of its instance', async () => {
    const { instance, attestation, pop, authenticate } = await attestationWorld();
    const client = await authenticate({ attestation: await attestation({ wallet_name: 'W' }), pop: await pop() });
    expect(client).to.deep.include({ clientId: CLIENT, instanceThumbprint: instance.thumbprint });
    expect(client.claims.wallet_name).to.equal('W');
    expect(client).to.not.have.property('jwk');
  });

  it('the example of the draft: its proof is signed by the key of its attestation, and has no challenge of ours', async () => {
    const { clock, attestation, outcome } = await attestationWorld();
    clock.ms = 1_772_487_595_000;
    const jwk = {
      kty: 'EC',
      use: 'sig',
      crv: 'P-256',
      x: 'VcKVNBZ4IaBAYW3jxM4w3TJFVA7myeUGQyGt-g_yvpQ',
      y: 'f-E-hYE3TAWKwhVv9pej9NABs9SX9XsNO80x57jFTyU',
    };
    const own = await attestation({ iat: 1772487595, exp: 2529866394, cnf: { jwk } });
    const pop =
      'eyJ0eXAiOiJvYXV0aC1jbGllbnQtYXR0ZXN0YXRpb24tcG9wK2p3dCIsImFsZyI6IkVTMjU2In0.eyJhdWQiOiJodHRwczovL2FzLmV4YW1wbGUuY29tIiwianRpIjoiZDI1ZDAwYWItNTUyYi00NmZjLWFlMTktOThmNDQwZjI1MDY0IiwiaWF0IjoxNzcyNDg3NTk1LCJjaGFsbGVuZ2UiOiI1YzFhOWUxMC0yOWZmLTRjMmItYWU3My01N2MwOTU3YzA5YzQifQ.M4Uc4rWVAqaLlmDDUXQKkKPbAQKj0JrTizLgWhZndmbkvM3VL8y-w_QJr7Z0HZlH94E64cLa8L5fSjJItYv0jg';
    expect(await outcome({ attestation: own, pop })).to.equal('use_attestation_challenge');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
    await fc.assert(
      fc.asyncProperty(fc.nat(pop.length - 1), fc.constantFrom(...letters), async (at, letter) => {
        fc.pre(pop[at] !== letter);
        const changed = pop.slice(0, at) + letter + pop.slice(at + 1);
        expect(await outcome({ attestation: own, pop: changed })).to.equal('invalid_client');
      }),
    );
  });

  it('any changed character of an attestation is refused', async () => {
    const { attestation, pop, outcome } = await attestationWorld();
    const [text, proof] = [await attestation(), await pop()];
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...letters), async (at, letter) => {
        fc.pre(text[at] !== letter);
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        expect(await outcome({ attestation: changed, pop: proof })).to.equal('invalid_client');
      }),
    );
    expect(await outcome({ attestation: text, pop: proof })).to.equal(CLIENT);
  });

  it('every member of the attestation must be as the draft says', async () => {
    const { attester, instance, attestation, pop, outcome } = await attestationWorld();
    const other = await newSigner();
    const refused: [string, object, object?, Signer?][] = [
      ['another typ', {}, { typ: 'JWT' }],
      ['no typ', {}, { typ: undefined }],
      ['an unknown kid', {}, { kid: '12' }],
      ['another attester', {}, {}, other],
      ['the jwk of another attester', {}, { jwk: other.publicJwk }, other],
      ['another iss', { iss: 'https://other.example' }],
      ['no sub', { sub: undefined }],
      ['another sub', { sub: 'https://other.example' }],
      ['no exp', { exp: undefined }],
      ['exp passed', { exp: SECONDS - 61 }],
      ['exp as text', { exp: '9999999999' }],
      ['nbf not reached', { nbf: SECONDS + 61 }],
      ['iat in the future', { iat: SECONDS + 61 }],
      ['no cnf', { cnf: undefined }],
      ['cnf without jwk', { cnf: { jkt: instance.thumbprint } }],
      ['a private key', { cnf: { jwk: { ...instance.publicJwk, d: 'AA' } } }],
      ['the key of another instance', { cnf: { jwk: other.publicJwk } }],
      ['alg none', {}, { alg: 'none' }],
    ];
    for (const [name, claims, header, signer = attester] of refused)
      expect(
        await outcome({ attestation: await attestation(claims, header, signer), pop: await pop() }),
        name,
      ).to.equal('invalid_client');
    expect(await outcome({ attestation: await attestation(), pop: await pop() })).to.equal(CLIENT);
    expect(await outcome({ attestation: await attestation({ iat: undefined }), pop: await pop() })).to.equal(CLIENT);
  });

  it('every member of the proof must be as the draft says', async () => {
    const { attestation, pop, outcome } = await attestationWorld();
    const other = await newSigner();
    const text = await attestation();
    const refused: [string, object, object?, Signer?][] = [
      ['another typ', {}, { typ: 'dpop+jwt' }],
      ['another key', {}, {}, other],
      ['no aud', { aud: undefined }],
      ['another aud', { aud: `${AUDIENCE}/token` }],
      ['two aud', { aud: [AUDIENCE, 'https://other.example'] }],
      ['no jti', { jti: undefined }],
      ['no iat', { iat: undefined }],
      ['iat too early', { iat: SECONDS - 301 }],
      ['iat in the future', { iat: SECONDS + 61 }],
      ['another iss', { iss: 'https://other.example' }],
    ];
    for (const [name, claims, header, signer] of refused)
      expect(await outcome({ attestation: text, pop: await pop(claims, header, signer) }), name).to.equal(
        'invalid_client',
      );
    expect(await outcome({ attestation: text, pop: await pop({ iss: CLIENT, aud: [AUDIENCE] }) })).to.equal(CLIENT);
  });

  it('an attestation is used again and again, its proof once, also of fifty at once', async () => {
    const { clock, attestation, pop, outcome } = await attestationWorld();
    const [text, proof] = [await attestation(), await pop({ iat: SECONDS + 60 })];
    const all = await Promise.all(Array.from({ length: 50 }, () => outcome({ attestation: text, pop: proof })));
    expect(all.filter((one) => one === CLIENT)).to.have.length(1);
    for (const seconds of [359, 360, 361]) {
      clock.ms = NOW + seconds * 1000;
      expect(await outcome({ attestation: text, pop: proof })).to.equal('invalid_client');
    }
    clock.ms = NOW;
    expect(await outcome({ attestation: text, pop: await pop() })).to.equal(CLIENT);
  });

  it('one that is older than the policy allows, or does not say its age, asks for a fresh one', async () => {
    const { attestation, pop, outcome } = await attestationWorld();
    for (const iat of [SECONDS - 601, undefined]) {
      const request = { attestation: await attestation({ iat }) };
      expect(await outcome({ ...request, pop: await pop() })).to.equal(CLIENT);
      expect(await outcome({ ...request, pop: await pop(), maxAgeSeconds: 600 })).to.equal('use_fresh_attestation');
    }
    const fresh = await attestation({ iat: SECONDS - 600 });
    expect(await outcome({ attestation: fresh, pop: await pop(), maxAgeSeconds: 600 })).to.equal(CLIENT);
  });

  it('property: it is good until its end, and its proof as long as it is young enough, each within the skew of the issuer', async () => {
    const { trusted, attestation, pop, outcome } = await attestationWorld();
    const near = (bound: number) => fc.integer({ min: -2, max: 2 }).map((step) => bound + step);
    const bounds = fc.record({ skew: fc.integer({ min: 0, max: 300 }), window: fc.integer({ min: 1, max: 600 }) });
    const cases = bounds.chain(({ skew, window }) =>
      fc.record({
        skew: fc.constant(skew),
        window: fc.constant(window),
        end: fc.oneof(near(-skew), fc.integer({ min: -600, max: 600 })),
        age: fc.oneof(near(window), near(-skew), fc.integer({ min: -600, max: 900 })),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ skew, window, end, age }) => {
        const own = { ...trusted, skewMs: skew * 1000, proofMaxAgeMs: window * 1000 };
        const sent = {
          attestation: await attestation({ iat: undefined, exp: SECONDS + end }),
          pop: await pop({ iat: SECONDS - age }),
        };
        const isGood = end > -skew && age <= window && age >= -skew;
        expect(await outcome({ ...sent, trusted: own })).to.equal(isGood ? CLIENT : 'invalid_client');
      }),
      { numRuns: 200 },
    );
  });

  it('one that a recorded key signed is good unless it was revoked, also where its key is trusted otherwise', async () => {
    const { trusted, instance, attester, attestation, pop, outcome } = await attestationWorld();
    const other = await newSigner();
    const recorded =
      (isRevoked: boolean, jwk = other.publicJwk) =>
      async ({ jti }: Record<string, unknown>) =>
        jti === 'known' ? [{ jwk: instance.publicJwk }, { jwk, isRevoked }] : [];
    const sent = async (jti: string, signer = other) => ({
      attestation: await attestation({ jti }, { x5c: ['none'] }, signer),
      pop: await pop(),
    });
    expect(await outcome({ ...(await sent('known')), trusted: { ...trusted, recorded: recorded(false) } })).to.equal(
      CLIENT,
    );
    for (const [jti, own] of [
      ['known', recorded(true)],
      ['unknown', recorded(false)],
      ['known', recorded(false, attester.publicJwk)],
    ] as const)
      expect(await outcome({ ...(await sent(jti)), trusted: { ...trusted, recorded: own } })).to.equal(
        'invalid_client',
      );
    const revoked = { attestation: await attestation({ jti: 'known' }), pop: await pop() };
    const own = { ...trusted, recorded: recorded(true, attester.publicJwk) };
    expect(await outcome({ ...revoked, trusted })).to.equal(CLIENT);
    expect(await outcome({ ...revoked, pop: await pop(), trusted: own })).to.equal('invalid_client');
  });

  it('a DPoP proof of the same key is a proof of possession; without either there is none', async () => {
    const { instance, attestation, outcome } = await attestationWorld();
    const text = await attestation();
    expect(await outcome({ attestation: text, dpopThumbprint: instance.thumbprint })).to.equal(CLIENT);
    expect(await outcome({ attestation: text, dpopThumbprint: 'other' })).to.equal('invalid_client');
    expect(await outcome({ attestation: text })).to.equal('invalid_client');
  });

  it('a proof of its own is checked also beside a DPoP proof, whose key may differ', async () => {
    const { instance, attestation, pop, outcome } = await attestationWorld();
    const text = await attestation();
    expect(await outcome({ attestation: text, pop: await pop(), dpopThumbprint: 'other' })).to.equal(CLIENT);
    const bad = await pop({ aud: 'x' });
    expect(await outcome({ attestation: text, pop: bad, dpopThumbprint: instance.thumbprint })).to.equal(
      'invalid_client',
    );
  });
});

describe('Challenges of client attestations', () => {
  it('the error has the challenge in its header that the next proof is accepted with', async () => {
    const { attestation, pop, authenticate, outcome } = await attestationWorld();
    const text = await attestation();
    const error = await authenticate({ attestation: text, pop: await pop(), requiresChallenge: true }).catch((e) => e);
    const answer = toProblem({ error, requestId: 'r', oauth: 'invalid_request' });
    expect(answer).to.deep.include({ status: 400 });
    expect(answer.body.error).to.equal('use_attestation_challenge');
    const challenge = answer.headers['oauth-client-attestation-challenge'];
    for (let n = 0; n < 2; n += 1)
      expect(await outcome({ attestation: text, pop: await pop({ challenge }), requiresChallenge: true })).to.equal(
        CLIENT,
      );
  });

  it('an old one and one of another issuer are refused, also where none is required', async () => {
    const { clock, attestations, attestation, pop, outcome } = await attestationWorld();
    const [old, foreign] = [await attestations.createChallenge(ISSUER), await attestations.createChallenge('other')];
    clock.ms += 300_000;
    for (const challenge of [old, foreign, 1])
      expect(await outcome({ attestation: await attestation(), pop: await pop({ challenge }) })).to.equal(
        'use_attestation_challenge',
      );
  });
});
