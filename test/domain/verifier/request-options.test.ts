import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { jsonPointer } from '../../../domain/foundation/field-paths.ts';
import { REQUEST_NAMES } from '../../../domain/presentation/request-parameters.ts';
import { requestUrl } from '../../../domain/verifier/openid4vp/draft20-requests.ts';
import type { Draft20Request, DraftEndpoints } from '../../../domain/verifier/protocol.ts';
import { readOptions } from '../../../domain/verifier/requests/request-options.ts';
import { testFormats } from '../../support/credentials/formats.ts';

const verifier: DraftEndpoints = {
  baseUrl: 'https://verifier.example/openid4vc',
  client: { scheme: 'redirect_uri' },
  identifier: 'https://verifier.example',
  sanDns: 'verifier.example',
  needsHolder: false,
};

const responseUri = 'https://verifier.example/openid4vc/verify/s';
const request: Draft20Request = {
  verifierId: 'v',
  query: { language: 'presentation-exchange', definition: { id: 'd', input_descriptors: [] } },
  nonce: 'n',
  requestProfile: 'DEFAULT',
  formats: ['jwt_vc_json'],
  clientId: responseUri,
  audience: responseUri,
  responseUri,
  vpPolicies: [],
  vcPolicies: [],
  ownPolicies: [],
};

/** The request URL that starts with `authorizeBaseUrl`; undefined when the base is refused. */
function urlFor(authorizeBaseUrl: string): string | undefined {
  try {
    return requestUrl(readOptions({ authorizeBaseUrl }).authorizeBaseUrl, {
      verifier,
      state: 's',
      request,
      formats: testFormats,
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.code, jsonPointer(error.details?.[0]?.path ?? [])]).to.deep.equal([
      'BadRequest',
      '/authorizeBaseUrl',
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
  it('it is refused, or the request has each of its parameters once, as this verifier wrote it', () => {
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
    it(`may not have ${name}, in any spelling`, () => {
      for (const query of [`${name}=x`, name, `a=1&${name}=`, `${escaped(name)}=x`, `%20${name.toUpperCase()}=x`])
        for (const start of ['openid4vp://authorize', 'https://wallet.example/use'])
          expect(urlFor(`${start}?${query}`), query).to.equal(undefined);
    });

  it('may have parameters of its own', () => {
    expect(urlFor('https://wallet.example/use?session=7&tenant=a')).to.match(/\?session=7&tenant=a&response_type=/);
    expect(urlFor('openid4vp://authorize')).to.match(/^openid4vp:\/\/authorize\?response_type=/);
  });
});

/** The message of what `readOptions` refuses; undefined when it accepts. */
function refusal(options: Parameters<typeof readOptions>[0]): string | undefined {
  try {
    readOptions(options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('options of a request', () => {
  it('a time to live is a whole number of seconds up to a week', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -5, max: 700_000 }), fc.double()), (ttlSeconds) => {
        const isGood = Number.isInteger(ttlSeconds) && ttlSeconds >= 1 && ttlSeconds <= 604_800;
        const expected = isGood ? undefined : 'ttlSeconds: must be a number of seconds from 1 to 604800';
        expect(refusal({ ttlSeconds })).to.equal(expected);
      }),
    );
    expect(readOptions({}).ttlSeconds).to.equal(300);
  });

  it('a profile is known in any letter case, or refused; the scheme decides where none is named', () => {
    for (const profile of ['DEFAULT', 'default', 'HAIP', 'haip', 'EBSIV3', 'iso_18013_7_mdoc'])
      expect(readOptions({ profile }).requestProfile).to.equal(profile.toUpperCase());
    for (const profile of ['', 'toString', '__proto__'])
      expect(refusal({ profile })).to.match(
        /^profile: .* is not a profile; use DEFAULT, HAIP, ISO_18013_7_MDOC, EBSIV3$/,
      );
    for (const [authorizeBaseUrl, expected] of [
      ['openid4vp://x', 'DEFAULT'],
      ['haip://x', 'HAIP'],
      ['HAIP://x', 'HAIP'],
      ['mdoc-openid4vp://x', 'ISO_18013_7_MDOC'],
    ]) {
      expect(readOptions({ authorizeBaseUrl }).requestProfile).to.equal(expected);
      expect(readOptions({ authorizeBaseUrl, profile: 'EBSIV3' }).requestProfile).to.equal('EBSIV3');
    }
  });

  it('only the options for replies that were given are returned, unchanged', () => {
    const all = {
      successRedirectUri: 'https://a.example/$id',
      errorRedirectUri: 'com.example.app:/$id',
      statusCallbackUri: 'http://a.example/cb?id=$id',
      statusCallbackApiKey: 'key',
    };
    fc.assert(
      fc.property(fc.subarray(Object.entries(all)), (entries) => {
        const given = Object.fromEntries(entries);
        expect(readOptions(given).replies).to.deep.equal(given);
      }),
    );
  });
});
