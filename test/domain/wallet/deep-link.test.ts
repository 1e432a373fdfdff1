import { expect } from 'chai';
import fc from 'fast-check';
import { createDeepLink, parseDeepLink } from '../../../domain/wallet/deep-link.ts';

const NAMES = new Set(['client_id', 'state', 'response_uri', 'presentation_definition', 'presentation_definition_uri']);

const segment = fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/);
/** A URL whose query has no parameter of the protocol itself. */
const url = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: segment,
    path: fc.array(segment, { maxLength: 3 }),
    query: fc.array(fc.tuple(fc.stringMatching(/^x[A-Za-z0-9]{0,5}$/), fc.stringMatching(/^[\w.%2B+:/?=-]{0,8}$/)), {
      maxLength: 3,
    }),
  })
  .map(({ scheme, host, path, query }) => {
    const pairs = query.map((pair) => pair.join('='));
    return `${scheme}://${[host, ...path].join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  });
const definition = fc
  .record({
    id: segment,
    note: fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/\p{Cc}|\p{Cs}/u.test(text)),
    format: fc.constantFrom('vc+sd-jwt', 'jwt_vc_json', 'a b', 'x&y=1'),
  })
  .map((value) => JSON.stringify(value));
const request = fc.record({
  client_id: url,
  response_uri: url,
  presentation_definition_uri: url,
  presentation_definition: definition,
  state: segment,
});

/** What an application leaves behind that encodes only what a URL parser would not let through. */
const half = (text: string): string => text.replaceAll('%', '%25').replaceAll('"', '%22').replaceAll(' ', '%20');
/** How a value can be written; URIs stay as they are when they are not encoded. */
const SPELLINGS: Record<string, (name: string, value: string) => string> = {
  component: (_, value) => encodeURIComponent(value),
  form: (_, value) => new URLSearchParams({ v: value }).toString().slice(2),
  bare: (name, value) => (name === 'presentation_definition' ? half(value) : value),
};
const spelling = fc.constantFrom(...Object.keys(SPELLINGS));

describe('parseDeepLink', () => {
  it('any request parses to the same parameters, however each inner value is encoded, in any order', () => {
    fc.assert(
      fc.property(
        request,
        fc.array(spelling, { minLength: 5, maxLength: 5 }),
        fc.shuffledSubarray([...NAMES], { minLength: 5 }),
        (values, spellings, order) => {
          const pairs = order.map((name, index) => {
            const value = values[name as keyof typeof values];
            return `${name}=${SPELLINGS[spellings[index] ?? 'form']?.(name, value)}`;
          });
          const { params } = parseDeepLink(`openid://?${pairs.join('&')}`, NAMES);
          expect(Object.fromEntries(params)).to.deep.equal(values);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('a created link parses to the same values', () => {
    const values = fc.dictionary(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme', minLength: 1 }));
    fc.assert(
      fc.property(values, (expected) => {
        const link = createDeepLink({ base: 'openid4vp://authorize', params: new Map(Object.entries(expected)) });
        fc.pre(Object.keys(expected).length > 0);
        const { base, params } = parseDeepLink(link, NAMES);
        expect(base).to.equal('openid4vp://authorize');
        expect(Object.fromEntries(params)).to.deep.equal({ ...expected });
      }),
    );
  });

  it('accepts a link that is sent as a JSON string', () => {
    expect(parseDeepLink('"openid://?state=a"', NAMES).params.get('state')).to.equal('a');
  });

  for (const text of [
    '',
    'x',
    'openid',
    'openid:',
    '?state=a',
    'gopher://?state=a',
    'openid://?state=a&state=b',
    'openid://?state=%e',
    'openid://?state=a\r\nb',
    '"openid://?state=a',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseDeepLink(text, NAMES)).to.throw();
    });
});
