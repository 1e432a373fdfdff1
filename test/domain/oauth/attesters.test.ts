import { KeyUsageFlags } from '@peculiar/asn1-x509';
import { expect } from 'chai';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import { protectionViolation, verifyKeyAttestation } from '../../../domain/oauth/key-attestations.ts';
import type { Signer } from '../../../ports/key-service.ts';
import {
  attestationWorld,
  CLIENT,
  ca,
  leaf,
  NOW,
  SECONDS,
  signerOf,
  x5cOf,
} from '../../support/credentials/attestations.ts';
import { newSigner } from '../../support/credentials/oauth.ts';
import { DAY, makeCertificate, testKeys } from '../../support/trust/certificates.ts';

describe('Attesters', () => {
  it('one is trusted by its chain, with and without the authority at its end', async () => {
    const { attestation, pop, outcome } = await attestationWorld();
    for (const x5c of [x5cOf(leaf), x5cOf(leaf, ca)])
      expect(await outcome({ attestation: await attestation({}, { x5c }, signerOf(leaf)), pop: await pop() })).to.equal(
        CLIENT,
      );
  });

  it('one whose chain is not valid is not trusted, also if its key is', async () => {
    const { attester, trusted, attestation, pop, outcome } = await attestationWorld();
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
    const world = await attestationWorld();
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
