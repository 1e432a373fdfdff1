import { expect } from 'chai';
import type { FakeCall } from '../../demo/fake-clouds/fake-server.ts';
import { canonicalRequest, signatureOf, verifySigV4 } from '../../demo/fake-clouds/sigv4.ts';

/** The examples of AWS: its signature test suite, and the request of its documentation of Signature Version 4. */
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const DATE = '20150830T123600Z';
const call = (method: string, path: string, headers: Record<string, string>, body = ''): FakeCall => ({
  method,
  path,
  headers: { 'x-amz-date': DATE, ...headers },
  body: Buffer.from(body),
});
const suite = { host: 'example.amazonaws.com' };
const form = 'application/x-www-form-urlencoded';
const EXAMPLES: [string, FakeCall, string, string][] = [
  [
    'get-vanilla',
    call('GET', '/', suite),
    'service',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'post-vanilla',
    call('POST', '/', suite),
    'service',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-x-www-form-urlencoded',
    call('POST', '/', { ...suite, 'content-type': form }, 'Param1=value1'),
    'service',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  [
    'ListUsers of IAM',
    call('GET', '/?Action=ListUsers&Version=2010-05-08', {
      host: 'iam.amazonaws.com',
      'content-type': `${form}; charset=utf-8`,
    }),
    'iam',
    '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  ],
];

describe('the verification of Signature Version 4 by the fake', () => {
  const namesOf = ({ headers }: FakeCall) => Object.keys(headers).sort();
  for (const [title, example, service, signature] of EXAMPLES)
    it(`calculates the published signature of ${title}`, () => {
      const signedHeaders = namesOf(example);
      expect(signatureOf({ call: example, signedHeaders, region: 'us-east-1', service, secret: SECRET })).to.equal(
        signature,
      );
    });

  const [, vanilla = call('GET', '/', {}), service = '', signature = ''] = EXAMPLES[0] ?? [];
  const signed = (changes: { headers?: object; body?: string; path?: string; method?: string; sign?: string } = {}) => {
    const scope = `AKIDEXAMPLE/20150830/us-east-1/${service}/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${changes.sign ?? signature}`;
    const { method = 'GET', path = '/', body = '' } = changes;
    return call(method, path, { ...suite, authorization, ...changes.headers }, body);
  };
  const rules = {
    service,
    regions: ['us-east-1'],
    signedHeaders: [],
    accessKeys: new Map([['AKIDEXAMPLE', { secretAccessKey: SECRET }]]),
    now: Date.parse('2015-08-30T12:40:00Z'),
  };
  const errorOf = (one: FakeCall, more: object = {}) => {
    const outcome = verifySigV4(one, { ...rules, ...more });
    return 'error' in outcome ? outcome.error : 'accepted';
  };

  it('accepts the published request, and nothing else than what was signed', () => {
    expect(namesOf(vanilla)).to.deep.equal(['host', 'x-amz-date']);
    expect(errorOf(signed())).to.equal('accepted');
    for (const change of [
      { method: 'POST' },
      { path: '/other' },
      { path: '/?a=b' },
      { body: '{}' },
      { headers: { host: 'other.amazonaws.com' } },
      { headers: { 'x-amz-date': '20150830T123601Z' } },
      { sign: signature.replace('5', '6') },
    ])
      expect(errorOf(signed(change)), JSON.stringify(change)).to.equal('InvalidSignatureException');
  });

  it('refuses other times, regions, services, keys and headers that are not signed', () => {
    expect(errorOf(signed(), { now: rules.now + 12 * 60_000 })).to.equal('InvalidSignatureException');
    expect(errorOf(signed(), { now: rules.now - 20 * 60_000 })).to.equal('InvalidSignatureException');
    expect(errorOf(signed(), { regions: ['eu-central-1'] })).to.equal('InvalidSignatureException');
    expect(errorOf(signed(), { service: 'kms' })).to.equal('InvalidSignatureException');
    expect(errorOf(signed(), { signedHeaders: ['x-amz-target'] })).to.equal('InvalidSignatureException');
    expect(errorOf(signed(), { accessKeys: new Map() })).to.equal('UnrecognizedClientException');
    const temporary = new Map([['AKIDEXAMPLE', { secretAccessKey: SECRET, sessionToken: 'token' }]]);
    expect(errorOf(signed(), { accessKeys: temporary })).to.equal('UnrecognizedClientException');
    expect(errorOf(signed({ headers: { authorization: 'Basic YTpi' } }))).to.equal('IncompleteSignatureException');
    expect(errorOf(vanilla)).to.equal('MissingAuthenticationTokenException');
  });

  it('writes the canonical request as documented', () => {
    expect(canonicalRequest(vanilla, ['host', 'x-amz-date'])).to.equal(
      'GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });
});
