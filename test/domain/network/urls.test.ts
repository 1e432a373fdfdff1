import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { httpUrl, isCallableUrl, readHttpUrl, readRedirect, readWalletUrl } from '../../../domain/network/urls.ts';

/** The message of the refusal; undefined when the value is accepted unchanged. */
function refusal(read: (value: unknown) => string, value: unknown): string | undefined {
  try {
    expect(read(value)).to.equal(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.code, error.details?.[0]?.path]).to.deep.equal(['BadRequest', []]);
    return error.message;
  }
}

const READERS = [readHttpUrl, readRedirect, readWalletUrl];
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const AMBIGUOUS = /[\s\u0000-\u001f\u007f-\u009f\\]/u;

const scheme = fc.constantFrom('http', 'https', 'HTTPS', 'ftp', 'javascript', 'data', 'openid4vp', 'com.example.app');
const rest = fc.oneof(fc.string({ maxLength: 20 }), fc.webPath(), fc.constantFrom('user:pw@', 'user@', '#f', '?a=1'));
const near = fc
  .tuple(scheme, fc.constantFrom('://', ':', ':///'), rest, fc.constantFrom('', 'a.example', '[::1]'), rest)
  .map((parts) => parts.join(''));
const ambiguous = fc
  .tuple(fc.webUrl(), fc.constantFrom('\\', '\n', '\t', ' ', '\u0000', '\u0085', '\u2028'), fc.webPath())
  .map((parts) => parts.join(''));
const text = fc.oneof(near, ambiguous, fc.webUrl(), fc.string({ unit: 'binary', maxLength: 30 }));

describe('URLs from outside', () => {
  it('an http(s) URL is at most 2048 characters, absolute and without characters that two parsers read differently', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(0, 2000, 2048), (start, more) => {
        const value = start + 'x'.repeat(more);
        const isHttp = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
        const isAcceptable = isHttp && value.length <= 2048 && !AMBIGUOUS.test(value);
        expect(httpUrl(value)?.href).to.equal(isAcceptable ? new URL(value).href : undefined);
      }),
    );
    for (const value of [undefined, null, 7, {}, ['https://a.example/'], ''])
      expect(httpUrl(value)).to.equal(undefined);
  });

  it('a callable URL is an http(s) URL without user name and password; the reader accepts exactly these', () => {
    fc.assert(
      fc.property(text, (value) => {
        const url = httpUrl(value);
        const isCallable = url !== undefined && url.username === '' && url.password === '';
        expect(isCallableUrl(value)).to.equal(isCallable);
        expect(refusal(readHttpUrl, value) === undefined).to.equal(isCallable);
      }),
    );
  });

  it('a redirect is a callable URL or has a private-use scheme with a dot; no reader accepts a scheme that executes', () => {
    fc.assert(
      fc.property(text, (value) => {
        const isAccepted = refusal(readRedirect, value) === undefined;
        expect(isAccepted && !isCallableUrl(value)).to.equal(isAccepted && new URL(value).protocol.includes('.'));
        if (isCallableUrl(value)) expect(isAccepted).to.equal(true);
        for (const read of READERS)
          if (/^(?:javascript|data):/i.test(value)) expect(refusal(read, value)).to.be.a('string');
      }),
    );
  });

  it('the start of a request URL has any other scheme and no fragment', () => {
    for (const good of ['openid4vp://authorize', 'app:', 'https://wallet.example/a?b=c', 'mdoc-openid4vp://'])
      expect(refusal(readWalletUrl, good), good).to.equal(undefined);
    expect(refusal(readWalletUrl, 'openid4vp://authorize#x')).to.equal('may not have a fragment');
    for (const bad of ['javascript:1', 'JavaScript:1', 'vbscript:1', 'file:///x', 'blob:x', 'about:blank', 'data:,x'])
      expect(refusal(readWalletUrl, bad), bad).to.equal('may not have this scheme');
  });

  it('a refusal says what is wrong', () => {
    const long = `https://a.example/${'x'.repeat(2048)}`;
    for (const read of READERS) {
      for (const value of [undefined, 7, '', long])
        expect(refusal(read, value)).to.equal('must be a URL of at most 2048 characters');
      for (const value of ['x', '/x', 'https://a.example/ b', 'https://a.example\\@b', 'https://a.example/\u0085'])
        expect(refusal(read, value)).to.equal('must be an absolute URL');
    }
    expect(refusal(readHttpUrl, 'ftp://a.example/')).to.equal('must be an http or https URL');
    expect(refusal(readRedirect, 'ftp://a.example/')).to.equal('must be an http or https URL');
    expect(refusal(readHttpUrl, 'https://a:b@a.example/')).to.equal('may not hold credentials');
  });
});
