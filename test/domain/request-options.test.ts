import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../domain/foundation/errors.ts';
import { jsonPointer } from '../../domain/foundation/field-paths.ts';
import { REQUEST_NAMES } from '../../domain/presentation/request-parameters.ts';
import { readOptions } from '../../domain/verifier/request-options.ts';
import { requestUrl, sessionLinks } from '../../domain/verifier/request-url.ts';

/** The request URL that starts with `authorizeBaseUrl`; undefined when the base is refused. */
function urlFor(authorizeBaseUrl: string): string | undefined {
  try {
    const { authorizeBaseUrl: base } = readOptions({ authorizeBaseUrl }, undefined);
    const links = sessionLinks('https://verifier.example', 's');
    return requestUrl({ authorizeBaseUrl: base, state: 's', nonce: 'n', links });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.code, jsonPointer(error.details?.[0]?.path ?? [])]).to.deep.equal([
      'BadRequest',
      '/header/authorizeBaseUrl',
    ]);
    return undefined;
  }
}

const escaped = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

const ours = [...REQUEST_NAMES];
const spelled = fc.constantFrom(...ours).chain((name) => fc.constantFrom(name, escaped(name), name.toUpperCase()));
const other = fc.constantFrom('session', 'state2', 'x-state', 'tenant', '%20', '', 'a+b');
const pair = fc.tuple(fc.oneof(spelled, other), fc.constantFrom('=1', '', '=')).map((parts) => parts.join(''));
const base = fc
  .tuple(fc.constantFrom('openid4vp://authorize', 'https://wallet.example/a', 'app:'), fc.array(pair, { maxLength: 4 }))
  .chain(([start, pairs]) => fc.constantFrom('?', '?&').map((mark) => `${start}${mark}${pairs.join('&')}`));

describe('authorizeBaseUrl', () => {
  it('whatever it brings, it is refused or the request has each of its parameters once, as this verifier wrote it', () => {
    fc.assert(
      fc.property(base, (authorizeBaseUrl) => {
        const url = urlFor(authorizeBaseUrl);
        if (url === undefined) return;
        const names = [...new URL(url).searchParams.keys()].filter((name) => REQUEST_NAMES.has(name.toLowerCase()));
        expect(new Set(names).size).to.equal(names.length);
        expect(names).to.have.members([...new URL(urlFor('openid4vp://authorize') ?? '').searchParams.keys()]);
      }),
    );
  });

  for (const name of ours)
    it(`may not bring ${name}, in any spelling`, () => {
      for (const query of [`${name}=x`, name, `a=1&${name}=`, `${escaped(name)}=x`, `%20${name.toUpperCase()}=x`])
        for (const start of ['openid4vp://authorize', 'https://wallet.example/use'])
          expect(urlFor(`${start}?${query}`), query).to.equal(undefined);
    });

  it('may bring parameters of its own', () => {
    expect(urlFor('https://wallet.example/use?session=7&tenant=a')).to.match(/\?session=7&tenant=a&response_type=/);
    expect(urlFor('openid4vp://authorize')).to.match(/^openid4vp:\/\/authorize\?response_type=/);
  });
});
