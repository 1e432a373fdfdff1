import { sign } from 'node:crypto';
import { KeyUsageFlags } from '@peculiar/asn1-x509';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { toProblem } from '../../adapters/http/problems.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { readPublicJwk } from '../../domain/jose/jwk.ts';
import { signJws } from '../../domain/jose/jws.ts';
import type { TrustedAttesters } from '../../domain/oauth/attesters.ts';
import { type AttestedRequest, ClientAttestations } from '../../domain/oauth/client-attestations.ts';
import { protectionViolation, verifyKeyAttestation } from '../../domain/oauth/key-attestations.ts';
import type { Signer } from '../../ports/key-service.ts';
import { DAY, makeCertificate, type TestCertificate, testKeys } from '../support/certificates.ts';
import { ISSUER, newSigner, oauthPlatform, outcomeOf } from '../support/oauth.ts';

const AUDIENCE = 'https://as.example.com';
const CLIENT = 'https://client.example.com';
const NOW = Math.floor(Date.now() / 1000) * 1000;
const SECONDS = NOW / 1000;

const ca = makeCertificate({ subject: 'CN=Attester CA', ca: true, keys: testKeys('P-256', 1) });
const leaf = makeCertificate({ subject: 'CN=Attester', issuer: ca, keys: testKeys('P-256', 2) });

/** Signs as the subject of a certificate. */
const signerOf = ({ keys }: TestCertificate): Signer => ({
  keyType: 'secp256r1',
  publicJwk: readPublicJwk(keys.publicKey.export({ format: 'jwk' })),
  sign: async (data) => sign('sha256', data, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }),
});
const x5cOf = (...chain: TestCertificate[]) => chain.map(({ der }) => Buffer.from(der).toString('base64'));

async function newWorld() {
  const platform = { ...oauthPlatform(NOW), certificates: new NodeCertificates() };
  const attester = await newSigner();
  const instance = await newSigner();
  const trusted: TrustedAttesters = {
    keys: [{ jwk: attester.publicJwk, kid: '11', issuer: 'https://attester.example' }],
    anchors: [platform.certificates.parse(ca.der)],
  };
  const attestations = new ClientAttestations(platform);
  let proofs = 0;

  /** An attestation (draft -11 §4) with any member changed; one that is undefined is left out. */
  const attestation = (claims: object = {}, header: object = {}, signer: Signer = attester) =>
    signJws(
      { typ: 'oauth-client-attestation+jwt', kid: '11', ...header },
      {
        iss: 'https://attester.example',
        sub: CLIENT,
        iat: SECONDS,
        exp: SECONDS + 3600,
        cnf: { jwk: instance.publicJwk },
        ...claims,
      },
      signer,
    );
  const pop = (claims: object = {}, header: object = {}, signer: Signer = instance) => {
    proofs += 1;
    const payload = { aud: AUDIENCE, jti: `pop-${proofs}`, iat: SECONDS, ...claims };
    return signJws({ typ: 'oauth-client-attestation-pop+jwt', ...header }, payload, signer);
  };
  const authenticate = (request: Pick<AttestedRequest, 'attestation'> & Partial<AttestedRequest>) =>
    attestations.authenticate({
      issuerId: ISSUER,
      audience: AUDIENCE,
      pop: undefined,
      dpopThumbprint: undefined,
      clientId: CLIENT,
      trusted,
      requiresChallenge: false,
      ...request,
    });
  /** The client that was accepted, or the code of the refusal. */
  const outcome = async (request: Pick<AttestedRequest, 'attestation'> & Partial<AttestedRequest>) =>
    outcomeOf(async () => (await authenticate(request)).clientId);
  return { ...platform, attestations, attester, instance, trusted, attestation, pop, authenticate, outcome };
}

describe('Client attestations', () => {
  it('one with its proof of possession authenticates the client and names the key of its instance', async () => {
    const { instance, attestation, pop, authenticate } = await newWorld();
    const client = await authenticate({ attestation: await attestation({ wallet_name: 'W' }), pop: await pop() });
    expect(client).to.deep.include({ clientId: CLIENT, instanceThumbprint: instance.thumbprint });
    expect(client.claims.wallet_name).to.equal('W');
    expect(client).to.not.have.property('jwk');
  });

  it('the example of the draft: its proof is signed by the key of its attestation, and has no challenge of ours', async () => {
    const { clock, attestation, outcome } = await newWorld();
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
    const { attestation, pop, outcome } = await newWorld();
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
    const { attester, instance, attestation, pop, outcome } = await newWorld();
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
    const { attestation, pop, outcome } = await newWorld();
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
    const { clock, attestation, pop, outcome } = await newWorld();
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
    const { attestation, pop, outcome } = await newWorld();
    for (const iat of [SECONDS - 601, undefined]) {
      const request = { attestation: await attestation({ iat }) };
      expect(await outcome({ ...request, pop: await pop() })).to.equal(CLIENT);
      expect(await outcome({ ...request, pop: await pop(), maxAgeSeconds: 600 })).to.equal('use_fresh_attestation');
    }
    const fresh = await attestation({ iat: SECONDS - 600 });
    expect(await outcome({ attestation: fresh, pop: await pop(), maxAgeSeconds: 600 })).to.equal(CLIENT);
  });

  it('a DPoP proof of the same key is a proof of possession; without either there is none', async () => {
    const { instance, attestation, outcome } = await newWorld();
    const text = await attestation();
    expect(await outcome({ attestation: text, dpopThumbprint: instance.thumbprint })).to.equal(CLIENT);
    expect(await outcome({ attestation: text, dpopThumbprint: 'other' })).to.equal('invalid_client');
    expect(await outcome({ attestation: text })).to.equal('invalid_client');
  });

  it('a proof of its own is checked also beside a DPoP proof, whose key may differ', async () => {
    const { instance, attestation, pop, outcome } = await newWorld();
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
    const { attestation, pop, authenticate, outcome } = await newWorld();
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
    const { clock, attestations, attestation, pop, outcome } = await newWorld();
    const [old, foreign] = [await attestations.createChallenge(ISSUER), await attestations.createChallenge('other')];
    clock.ms += 300_000;
    for (const challenge of [old, foreign, 1])
      expect(await outcome({ attestation: await attestation(), pop: await pop({ challenge }) })).to.equal(
        'use_attestation_challenge',
      );
  });
});

describe('Attesters', () => {
  it('one is trusted by its chain, with and without the authority at its end', async () => {
    const { attestation, pop, outcome } = await newWorld();
    for (const x5c of [x5cOf(leaf), x5cOf(leaf, ca)])
      expect(await outcome({ attestation: await attestation({}, { x5c }, signerOf(leaf)), pop: await pop() })).to.equal(
        CLIENT,
      );
  });

  it('one whose chain is not valid is not trusted, also if its key is', async () => {
    const { attester, trusted, attestation, pop, outcome } = await newWorld();
    const keys = testKeys('P-256', 2);
    const stranger = makeCertificate({ subject: 'CN=Attester CA', ca: true, keys: testKeys('P-256', 3) });
    const spec = { subject: 'CN=Attester', issuer: ca, keys };
    const refused: [string, unknown, Signer][] = [
      ['an unknown authority', x5cOf(makeCertificate({ ...spec, issuer: stranger }), stranger), signerOf(leaf)],
      ['an expired leaf', x5cOf(makeCertificate({ ...spec, notAfter: new Date(NOW - DAY / 2) })), signerOf(leaf)],
      [
        'a leaf that may not sign',
        x5cOf(makeCertificate({ ...spec, keyUsage: KeyUsageFlags.keyAgreement })),
        signerOf(leaf),
      ],
      ['a leaf that signs itself', x5cOf(ca), signerOf(ca)],
      ['a leaf of another key', x5cOf(leaf), signerOf(ca)],
      ['the chain of another than the trusted key', x5cOf(leaf), attester],
      ['no certificate', [], signerOf(leaf)],
      ['too many', Array(11).fill(x5cOf(leaf)[0]), signerOf(leaf)],
      ['no list', x5cOf(leaf)[0], signerOf(leaf)],
      ['no base64', ['?'], signerOf(leaf)],
      ['no DER', ['AAAA'], signerOf(leaf)],
    ];
    for (const [name, x5c, signer] of refused)
      expect(await outcome({ attestation: await attestation({}, { x5c }, signer), pop: await pop() }), name).to.equal(
        'invalid_client',
      );
    const none = { keys: trusted.keys, anchors: [] };
    const text = await attestation({}, { x5c: x5cOf(leaf) }, signerOf(leaf));
    expect(await outcome({ attestation: text, pop: await pop(), trusted: none })).to.equal('invalid_client');
  });
});

describe('Key attestations', () => {
  const verify = async (claims: object = {}, header: object = {}, requiresEnd = true) => {
    const world = await newWorld();
    const attested = [(await newSigner()).publicJwk, (await newSigner('Ed25519')).publicJwk];
    const text = await signJws(
      { typ: 'key-attestation+jwt', kid: '11', ...header },
      {
        iss: 'https://attester.example',
        iat: SECONDS,
        exp: SECONDS + 60,
        attested_keys: attested,
        key_storage: ['iso_18045_moderate'],
        user_authentication: ['iso_18045_high'],
        nonce: 'c-nonce',
        status: { status_list: { idx: 1, uri: 'https://a.example' } },
        ...claims,
      },
      world.attester,
    );
    const expected = { trusted: world.trusted, requiresEnd };
    return verifyKeyAttestation(text, expected, world).then(
      (attestation) => ({ attestation, attested }),
      (error) => (isDomainError(error, 'BadRequest') ? 'refused' : Promise.reject(error)),
    );
  };

  it('one states keys, how they are protected, a nonce and its status', async () => {
    const outcome = await verify();
    if (typeof outcome === 'string') throw new Error(outcome);
    expect(outcome.attestation).to.deep.equal({
      keys: outcome.attested.map(readPublicJwk),
      alg: 'ES256',
      keyStorage: ['iso_18045_moderate'],
      userAuthentication: ['iso_18045_high'],
      nonce: 'c-nonce',
      status: { status_list: { idx: 1, uri: 'https://a.example' } },
      expiresAt: NOW + 60_000,
    });
  });

  it('every member must be as OpenID4VCI 1.0 appendix D.1 says', async () => {
    const { publicJwk } = await newSigner();
    const refused: [string, object, object?][] = [
      ['another typ', {}, { typ: 'keyattestation+jwt' }],
      ['an unknown kid', {}, { kid: '12' }],
      ['no iat', { iat: undefined }],
      ['no exp', { exp: undefined }],
      ['exp passed', { exp: SECONDS - 61 }],
      ['no keys', { attested_keys: undefined }],
      ['an empty list', { attested_keys: [] }],
      ['too many keys', { attested_keys: Array(2001).fill(publicJwk) }],
      ['a key twice', { attested_keys: [publicJwk, publicJwk] }],
      ['a private key', { attested_keys: [{ ...publicJwk, d: 'AA' }] }],
      ['a symmetric key', { attested_keys: [{ kty: 'oct', k: 'AA' }] }],
      ['no key', { attested_keys: ['key'] }],
      ['key_storage as text', { key_storage: 'iso_18045_high' }],
      ['an empty user_authentication', { user_authentication: [] }],
      ['a nonce that is no text', { nonce: 1 }],
      ['a status that is no object', { status: 'valid' }],
      ['a certification that is no text', { certification: {} }],
    ];
    for (const [name, claims, header] of refused) expect(await verify(claims, header), name).to.equal('refused');
    expect(await verify({ exp: undefined }, {}, false)).to.not.equal('refused');
    const least = { key_storage: undefined, user_authentication: undefined, nonce: undefined, status: undefined };
    expect(await verify(least)).to.not.equal('refused');
  });

  it('keys are protected well enough when one of the demanded values is stated for each demand', () => {
    const stated = { keyStorage: ['a', 'b'], userAuthentication: ['c'] };
    expect(protectionViolation(stated, {})).to.equal(undefined);
    expect(protectionViolation(stated, { keyStorage: ['x', 'b'], userAuthentication: ['c'] })).to.equal(undefined);
    expect(protectionViolation(stated, { keyStorage: ['x'] })).to.match(/key_storage one of: x$/);
    expect(protectionViolation({ keyStorage: ['a'] }, { userAuthentication: ['a'] })).to.match(/user_authentication/);
  });
});
