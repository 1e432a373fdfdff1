import { expect } from 'chai';
import fc from 'fast-check';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { checkCodeVerifier, codeChallenge, readCodeChallenge } from '../../../domain/oauth/pkce.ts';

/** RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const codeOf = (call: () => unknown): string | undefined => {
  try {
    call();
    return undefined;
  } catch (error) {
    return isDomainError(error) ? error.oauthError : String(error);
  }
};

const UNRESERVED = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'];
const verifiers = fc
  .array(fc.constantFrom(...UNRESERVED), { minLength: 43, maxLength: 128 })
  .map((letters) => letters.join(''));

describe('Proof keys of authorization codes', () => {
  it('the example of RFC 7636 appendix B', () => {
    expect(codeChallenge(VERIFIER)).to.equal(CHALLENGE);
    expect(readCodeChallenge({ challenge: CHALLENGE, method: 'S256' })).to.equal(CHALLENGE);
    expect(codeOf(() => checkCodeVerifier(VERIFIER, CHALLENGE))).to.equal(undefined);
  });

  it('plain is refused, by its name and as the default method', () => {
    for (const method of ['plain', undefined, 's256', ''])
      expect(codeOf(() => readCodeChallenge({ challenge: CHALLENGE, method }))).to.equal('invalid_request');
  });

  it('a challenge that is no SHA-256 digest in canonical base64url is refused', () => {
    for (const challenge of [
      undefined,
      '',
      CHALLENGE.slice(1),
      `${CHALLENGE}A`,
      `${CHALLENGE.slice(0, -1)}N`,
      `${CHALLENGE}=`,
    ])
      expect(
        codeOf(() => readCodeChallenge({ challenge, method: 'S256' })),
        challenge,
      ).to.equal('invalid_request');
  });

  it('a request without a proof key has none', () => {
    expect(readCodeChallenge({ challenge: undefined, method: undefined })).to.equal(undefined);
    expect(codeOf(() => checkCodeVerifier(undefined, undefined))).to.equal(undefined);
  });

  it('a verifier is required exactly when there was a challenge', () => {
    expect(codeOf(() => checkCodeVerifier(undefined, CHALLENGE))).to.equal('invalid_grant');
    expect(codeOf(() => checkCodeVerifier(VERIFIER, undefined))).to.equal('invalid_grant');
  });

  it('a verifier that is too short, too long or has other characters is refused even if its digest fits', () => {
    for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)} `, `${'a'.repeat(42)}é`])
      expect(
        codeOf(() => checkCodeVerifier(verifier, codeChallenge(verifier))),
        verifier,
      ).to.equal('invalid_grant');
  });

  it('every verifier fits its own challenge and no other', () => {
    fc.assert(
      fc.property(verifiers, verifiers, (one, other) => {
        expect(codeOf(() => checkCodeVerifier(one, codeChallenge(one)))).to.equal(undefined);
        fc.pre(one !== other);
        expect(codeOf(() => checkCodeVerifier(one, codeChallenge(other)))).to.equal('invalid_grant');
      }),
    );
  });
});
