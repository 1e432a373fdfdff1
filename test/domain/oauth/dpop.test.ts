import { expect } from 'chai';
import fc from 'fast-check';
import { toProblem } from '../../../adapters/http/messages/problems.ts';
import { fingerprint } from '../../../domain/foundation/bytes.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { normalizedTarget } from '../../../domain/oauth/dpop-proof.ts';
import { type DpopExpectation, DpopProofs } from '../../../domain/oauth/dpop-proofs.ts';
import { checkBoundKeys, checkPresentation } from '../../../domain/oauth/sender-constraints.ts';
import { dpopProof, ISSUER, newSigner, oauthPlatform, outcomeOf, START } from '../../support/credentials/oauth.ts';

/** RFC 9449 §4.1, figure 2, and §7.1, figure 12. */
const TOKEN_PROOF =
  'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg';
const RESOURCE_PROOF =
  'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA';
const THUMBPRINT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';
const ACCESS_TOKEN = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU';
const RESOURCE = { method: 'GET', url: 'https://resource.example.org/protectedresource', accessToken: ACCESS_TOKEN };

const AT_TOKEN: DpopExpectation = {
  issuerId: ISSUER,
  method: 'POST',
  url: 'https://issuer.example/token',
  requiresNonce: false,
};

const newWorld = (ms?: number) => {
  const platform = oauthPlatform(ms);
  const proofs = new DpopProofs(platform);
  const verify = (text: string, expected: Partial<DpopExpectation> = {}) =>
    outcomeOf(() => proofs.verify(text, { ...AT_TOKEN, ...expected }));
  return { ...platform, proofs, verify };
};

describe('DPoP proofs', () => {
  it('the examples of RFC 9449 are accepted at their time', async () => {
    const { verify } = newWorld(1_562_262_620_000);
    expect(await verify(TOKEN_PROOF, { url: 'https://server.example.com/token' })).to.equal(THUMBPRINT);
    expect(await verify(RESOURCE_PROOF, RESOURCE)).to.equal(THUMBPRINT);
  });

  it('any changed character of a proof is refused', async () => {
    const { verify } = newWorld(1_562_262_620_000);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
    await fc.assert(
      fc.asyncProperty(fc.nat(RESOURCE_PROOF.length - 1), fc.constantFrom(...letters), async (at, letter) => {
        fc.pre(RESOURCE_PROOF[at] !== letter);
        const changed = RESOURCE_PROOF.slice(0, at) + letter + RESOURCE_PROOF.slice(at + 1);
        expect(await verify(changed, RESOURCE)).to.equal('invalid_dpop_proof');
      }),
    );
    expect(await verify(RESOURCE_PROOF, RESOURCE)).to.equal(THUMBPRINT);
  });

  it('every claim and header member must be as RFC 9449 §4.3 says', async () => {
    const { verify } = newWorld();
    const signer = await newSigner();
    const other = await newSigner();
    const accepted = await dpopProof(signer, {});
    expect(await verify(accepted)).to.equal(signer.thumbprint);
    const refused: [string, Record<string, unknown>, Record<string, unknown>?][] = [
      ['no jti', { jti: undefined }],
      ['empty jti', { jti: '' }],
      ['long jti', { jti: 'j'.repeat(513) }],
      ['no htm', { htm: undefined }],
      ['another method', { htm: 'GET' }],
      ['a method in lower case', { htm: 'post' }],
      ['no htu', { htu: undefined }],
      ['another path', { htu: 'https://issuer.example/par' }],
      ['another host', { htu: 'https://other.example/token' }],
      ['another scheme', { htu: 'http://issuer.example/token' }],
      ['another port', { htu: 'https://issuer.example:8443/token' }],
      ['an htu with a user', { htu: 'https://user@issuer.example/token' }],
      ['a relative htu', { htu: '/token' }],
      ['no iat', { iat: undefined }],
      ['iat as text', { iat: String(START / 1000) }],
      ['iat too late', { iat: START / 1000 + 61 }],
      ['iat too early', { iat: START / 1000 - 301 }],
      ['exp passed', { exp: START / 1000 - 61 }],
      ['nbf not reached', { nbf: START / 1000 + 61 }],
      ['nonce as number', { nonce: 1 }],
      ['another typ', {}, { typ: 'JWT' }],
      ['no typ', {}, { typ: undefined }],
      ['no jwk', {}, { jwk: undefined }],
      ['the jwk of another key', {}, { jwk: other.publicJwk }],
      ['a private member', {}, { jwk: { ...signer.publicJwk, d: 'AA' } }],
      ['a symmetric member', {}, { jwk: { ...signer.publicJwk, k: 'AA' } }],
      ['a symmetric key', {}, { jwk: { kty: 'oct' } }],
      ['alg none', {}, { alg: 'none' }],
      ['a symmetric alg', {}, { alg: 'HS256' }],
      ['the alg of another curve', {}, { alg: 'ES384' }],
    ];
    for (const [name, claims, header] of refused)
      expect(await verify(await dpopProof(signer, claims, header)), name).to.equal('invalid_dpop_proof');
    for (const text of ['', 'a.b.c', `${accepted}, ${accepted}`, 'x'.repeat(10_000)])
      expect(await verify(text)).to.equal('invalid_dpop_proof');
  });

  it('a clock that differs by less than the bounds is no failure', async () => {
    const { verify } = newWorld();
    const signer = await newSigner('Ed25519');
    for (const iat of [START / 1000 + 60, START / 1000 - 300])
      expect(await verify(await dpopProof(signer, { iat }))).to.equal(signer.thumbprint);
  });

  it('one is accepted once, also of fifty at once, for as long as it would be accepted', async () => {
    const { clock, verify } = newWorld();
    const signer = await newSigner();
    const text = await dpopProof(signer, { iat: START / 1000 + 60 });
    const all = await Promise.all(Array.from({ length: 50 }, () => verify(text)));
    expect(all.filter((outcome) => outcome === signer.thumbprint)).to.have.length(1);
    for (const seconds of [1, 359, 360, 361, 100_000]) {
      clock.ms = START + seconds * 1000;
      expect(await verify(text), `after ${seconds}`).to.equal('invalid_dpop_proof');
    }
    clock.ms = START;
    const [first, second] = [await newSigner(), await newSigner()];
    for (const one of [first, second])
      expect(await verify(await dpopProof(one, { jti: 'the same' }))).to.equal(one.thumbprint);
  });

  it('a refused one can be repeated: it uses nothing up', async () => {
    const { verify } = newWorld();
    const signer = await newSigner();
    const text = await dpopProof(signer, {});
    expect(await verify(text, { method: 'GET' })).to.equal('invalid_dpop_proof');
    expect(await verify(text, { requiresNonce: true })).to.equal('use_dpop_nonce');
    expect(await verify(text)).to.equal(signer.thumbprint);
  });

  it('a proof for a token is for that token only', async () => {
    const { verify } = newWorld();
    const signer = await newSigner();
    const ath = 'fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo';
    for (const [claims, accessToken] of [
      [{}, ACCESS_TOKEN],
      [{ ath: ath.slice(1) }, ACCESS_TOKEN],
      [{ ath }, `${ACCESS_TOKEN}x`],
    ] as const)
      expect(await verify(await dpopProof(signer, claims), { accessToken })).to.equal('invalid_dpop_proof');
    expect(await verify(await dpopProof(signer, { ath }), { accessToken: ACCESS_TOKEN })).to.equal(signer.thumbprint);
  });

  it('proofs of other keys than that of the token are refused and not recorded, regardless of their number', async () => {
    const { store, verify } = newWorld();
    const [own, other] = [await newSigner(), await newSigner()];
    const expected = { accessToken: ACCESS_TOKEN, boundTo: own.thumbprint };
    const ath = fingerprint(ACCESS_TOKEN);
    const recorded = () =>
      store
        .collection({ name: 'used-proofs', listed: false, sealed: false, afterRestore: 'kept' })
        .ids({ parent: '', order: 'id', offset: 0, limit: 1000 });
    for (let n = 0; n < 100; n += 1)
      expect(await verify(await dpopProof(other, { ath }), expected)).to.equal('invalid_token');
    expect(await recorded()).to.deep.equal([]);
    expect(await verify(await dpopProof(own, { ath }), expected)).to.equal(own.thumbprint);
    expect(await recorded()).to.have.length(1);
  });
});

describe('Nonces of DPoP proofs', () => {
  it('the error hands out the nonce that the next proof is accepted with, more than once', async () => {
    const { proofs } = newWorld();
    const signer = await newSigner();
    const expected = { ...AT_TOKEN, requiresNonce: true };
    const error = await proofs.verify(await dpopProof(signer, {}), expected).catch((thrown: DomainError) => thrown);
    if (!(error instanceof DomainError)) throw new Error('the proof was accepted');
    expect(error.oauthError).to.equal('use_dpop_nonce');
    const nonce = error.next?.dpopNonce;
    for (let n = 0; n < 3; n += 1)
      expect(await proofs.verify(await dpopProof(signer, { nonce }), expected)).to.equal(signer.thumbprint);
  });

  it('one of another issuer, an old one and one that is made up are refused, also where none is required', async () => {
    const { clock, proofs, verify } = newWorld();
    const signer = await newSigner();
    const foreign = await proofs.createNonce('other');
    const old = await proofs.createNonce(ISSUER);
    clock.ms += 300_000;
    const iat = clock.ms / 1000;
    for (const nonce of [foreign, old, 'made-up'])
      for (const requiresNonce of [true, false])
        expect(await verify(await dpopProof(signer, { iat, nonce }), { requiresNonce })).to.equal('use_dpop_nonce');
  });
});

describe('The answer to a refused DPoP proof', () => {
  it('is 400 at the token endpoint and 401 with a challenge at a resource; a nonce is in its header', async () => {
    const { proofs } = newWorld();
    const text = await dpopProof(await newSigner(), {});
    const answerTo = async (expected: Partial<DpopExpectation>) => {
      const error = await proofs
        .verify(text, { ...AT_TOKEN, requiresNonce: true, ...expected })
        .catch((thrown: unknown) => thrown);
      return toProblem({ error, requestId: 'r', oauth: 'invalid_request' });
    };
    const atToken = await answerTo({});
    expect(atToken.status).to.equal(400);
    expect(atToken.body).to.include({ error: 'use_dpop_nonce' });
    expect(atToken.headers['dpop-nonce']).to.match(/^[\w-]{43}$/);
    expect(atToken.headers).to.not.have.property('www-authenticate');
    const atResource = await answerTo({ accessToken: ACCESS_TOKEN });
    expect(atResource.status).to.equal(401);
    expect(atResource.headers['www-authenticate']).to.match(/^DPoP error="invalid_dpop_proof", algs="EdDSA ES256"/);
  });
});

describe('The target of a DPoP proof', () => {
  it('is compared after normalization, without query and fragment', () => {
    const same = [
      'https://issuer.example/token',
      'HTTPS://ISSUER.example:443/token',
      'https://issuer.example/token?a=b#c',
      'https://issuer.example/a/../token',
      'https://issuer.example/%74oken',
      'https://issuer.example/./token',
    ];
    expect(new Set(same.map(normalizedTarget))).to.deep.equal(new Set(['https://issuer.example/token']));
    expect(normalizedTarget('https://a.example/%c3%a4%2f')).to.equal('https://a.example/%C3%A4%2F');
    expect(normalizedTarget('https://a.example')).to.equal('https://a.example/');
    for (const value of [undefined, 1, '', 'token', 'ftp://a.example/', 'https://a@b.example/', 'https://a.example\\b'])
      expect(normalizedTarget(value)).to.equal(undefined);
  });

  it('the percent-encoding of a letter changes nothing, another letter does', () => {
    const letters = [...'ABCXYZabcxyz0189._~-'];
    const paths = fc
      .array(fc.constantFrom(...letters), { minLength: 3, maxLength: 20 })
      .map((all) => `x${all.join('')}`);
    const target = (path: string) => normalizedTarget(`https://a.example/${path}`);
    fc.assert(
      fc.property(paths, fc.nat(19), fc.constantFrom(...letters), (path, index, letter) => {
        const at = index % path.length;
        const changed = (text: string) => path.slice(0, at) + text + path.slice(at + 1);
        const code = path.charCodeAt(at).toString(16);
        expect(target(changed(`%${code}`))).to.equal(target(path));
        expect(target(changed(`%${code.toUpperCase()}`))).to.equal(target(path));
        if (path[at] !== letter) expect(target(changed(letter))).to.not.equal(target(path));
      }),
    );
  });
});

describe('Keys that tokens and codes are bound to', () => {
  it('a token is presented as it is bound', async () => {
    const present = (bound: string | undefined, scheme: 'Bearer' | 'DPoP', dpopThumbprint?: string) =>
      outcomeOf(() => checkPresentation(bound, { scheme, dpopThumbprint }));
    expect(await present(undefined, 'Bearer')).to.equal(undefined);
    expect(await present('a', 'DPoP', 'a')).to.equal(undefined);
    for (const [bound, scheme, key] of [
      ['a', 'Bearer', undefined],
      ['a', 'Bearer', 'a'],
      ['a', 'DPoP', 'b'],
      ['a', 'DPoP', undefined],
      [undefined, 'DPoP', 'a'],
    ] as const)
      expect(await present(bound, scheme, key)).to.equal('invalid_token');
  });

  it('a grant needs each key that it is bound to, and no other', async () => {
    const bound = { dpopThumbprint: 'd', instanceThumbprint: 'i' };
    expect(await outcomeOf(() => checkBoundKeys(bound, bound))).to.equal(undefined);
    expect(await outcomeOf(() => checkBoundKeys({}, bound))).to.equal(undefined);
    for (const proven of [{}, { dpopThumbprint: 'd' }, { instanceThumbprint: 'i' }, { ...bound, dpopThumbprint: 'x' }])
      expect(await outcomeOf(() => checkBoundKeys(bound, proven))).to.equal('invalid_grant');
  });
});
