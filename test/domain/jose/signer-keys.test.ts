import { expect } from 'chai';
import fc from 'fast-check';
import { checkSigner, signerKeyId } from '../../../domain/jose/signer-keys.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';

const did = fc.stringMatching(/^did:(key|web|jwk):[A-Za-z0-9._:-]{1,20}$/);
const fragment = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/);
const twoDids = fc.tuple(did, did).filter(([one, other]) => one !== other);
const otherText = fc.string().filter((text) => !text.startsWith('did:') && !text.startsWith('#'));
const noText = fc.constantFrom(null, 0, 7, true, [], ['did:key:z'], {}, { id: 'did:key:z' });
const jwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: '' };

describe('the keys that may have signed a token', () => {
  it('a key id is the DID of the signer, a DID URL of it, or a fragment relative to it', () => {
    fc.assert(
      fc.property(did, fragment, (signer, name) => {
        const keyId = `${signer}#${name}`;
        expect(signerKeyId({ kid: keyId, signer })).to.deep.equal({ did: signer, keyId });
        expect(signerKeyId({ kid: `#${name}`, signer })).to.deep.equal({ did: signer, keyId });
        expect(signerKeyId({ kid: signer, signer })).to.deep.equal({ did: signer, keyId: signer });
        expect(signerKeyId({ kid: undefined, signer })).to.deep.equal({ did: signer, keyId: signer });
      }),
    );
  });

  it('a key id of another DID is refused, also when one DID is the beginning of the other', () => {
    fc.assert(
      fc.property(twoDids, fragment, ([signer, other], name) => {
        for (const kid of [
          other,
          `${other}#${name}`,
          `${signer}x#${name}`,
          `${signer}:${name}`,
          `${signer}?a=b#${name}`,
        ])
          expect(signerKeyId({ kid, signer }), kid).to.deep.equal({ refusal: 'other-did' });
      }),
    );
  });

  it('a key id with an empty fragment, or that is not a text, is refused', () => {
    fc.assert(
      fc.property(did, noText, (signer, kid) => {
        for (const bad of [kid, `${signer}#`])
          expect(signerKeyId({ kid: bad, signer })).to.deep.equal({ refusal: 'other-did' });
      }),
    );
  });

  it('a key id of another form, such as a thumbprint, leaves the choice to the DID, unless an absolute one is needed', () => {
    fc.assert(
      fc.property(
        did,
        otherText.filter((text) => text !== ''),
        (signer, kid) => {
          expect(signerKeyId({ kid, signer })).to.deep.equal({ did: signer, keyId: signer });
          expect(signerKeyId({ kid, signer, needsKid: true })).to.deep.equal({ refusal: 'other-did' });
        },
      ),
    );
  });

  it('a token that names no signer is signed by the DID of its key id', () => {
    fc.assert(
      fc.property(did, fragment, otherText, (signer, name, text) => {
        expect(signerKeyId({ kid: `${signer}#${name}` })).to.deep.equal({ did: signer, keyId: `${signer}#${name}` });
        for (const kid of [undefined, `#${name}`, text])
          expect(signerKeyId({ kid })).to.deep.equal({ refusal: 'no-signer' });
      }),
    );
  });

  it('a signer that is not named by a DID has no keys', () => {
    fc.assert(
      fc.property(did, fragment, otherText, (one, name, text) => {
        for (const signer of [`https://issuer.example/${name}`, `${one}#${name}`, text || 'x'])
          expect(signerKeyId({ kid: `${one}#${name}`, signer }), signer).to.deep.equal({ refusal: 'no-signer' });
      }),
    );
  });

  it('where the key id is required, only an absolute DID URL or DID of the signer is accepted', () => {
    fc.assert(
      fc.property(did, fragment, (signer, name) => {
        const keyId = `${signer}#${name}`;
        expect(signerKeyId({ kid: keyId, signer, needsKid: true })).to.deep.equal({ did: signer, keyId });
        for (const kid of [undefined, `#${name}`])
          expect(signerKeyId({ kid, signer, needsKid: true })).to.deep.equal({ refusal: 'other-did' });
      }),
    );
  });

  it('a signature counts when the named key, listed for the purpose, verifies it', async () => {
    await fc.assert(
      fc.asyncProperty(did, fragment, fc.boolean(), async (signer, name, isSigned) => {
        const asked: string[][] = [];
        const key = async (...call: string[]) => {
          asked.push(call);
          return jwk;
        };
        const token = { kid: `#${name}`, signer, purpose: 'assertionMethod', verify: async () => isSigned } as const;
        const keyId = `${signer}#${name}`;
        const expected = isSigned ? { valid: true, key: { jwk, keyId } } : { valid: false, refusal: 'signature' };
        expect(await checkSigner(token, { key })).to.deep.equal(expected);
        expect(asked).to.deep.equal([[keyId, 'assertionMethod']]);
      }),
    );
  });

  it('a key of another DID is never looked up', async () => {
    const dids = { key: () => Promise.reject(new Error('looked up')) };
    const token = { purpose: 'authentication', verify: async () => true } as const;
    for (const [kid, signer, refusal] of [
      ['did:web:b#k', 'did:web:a', 'other-did'],
      ['did:web:b#k', 'https://a.example', 'no-signer'],
    ] as const)
      expect(await checkSigner({ ...token, kid, signer }, dids)).to.deep.equal({ valid: false, refusal });
  });
});
