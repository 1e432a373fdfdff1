import { expect } from 'chai';
import fc from 'fast-check';
import { acceptableUntil, checkClaims, isReplayable, parseX5cToken } from '../../../domain/accounts/x5c-token.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';

const b64u = (text: string): string => Buffer.from(text).toString('base64url');
const compact = (header: unknown, payload: unknown = {}): string =>
  `${b64u(JSON.stringify(header))}.${b64u(JSON.stringify(payload))}.${b64u('signature')}`;
const DER = Buffer.from('not looked at here!').toString('base64');
const good = { alg: 'RS256', x5c: [DER] };

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof DomainError ? error.code : error;
  }
};
const read = (token: string) => codeOf(() => parseX5cToken(token));

describe('parseX5cToken', () => {
  it('takes 1 to 10 base64 certificates and nothing else', () => {
    expect(parseX5cToken(compact({ ...good, x5c: [DER, DER] })).chain.map(String)).to.have.length(2);
    expect(read(compact({ ...good, x5c: Array(10).fill(DER) }))).to.equal(undefined);
    const bad = [undefined, null, DER, {}, [], Array(11).fill(DER), Array(1000).fill(DER), [1], [''], [null], [[DER]]];
    const misspelled = [`${DER}=`, DER.replace(/=*$/, ''), `${DER}\n`, ` ${DER}`, 'a', '-_-_', 'AB==', '====', {}];
    for (const x5c of [...bad, ...misspelled.map((entry) => [DER, entry])])
      expect(read(compact({ ...good, x5c })), JSON.stringify(x5c)).to.equal('BadRequest');
  });

  it('rejects every alg but RS256, before it looks at the certificates', () => {
    for (const alg of [
      undefined,
      'none',
      'None',
      'HS256',
      'RS384',
      'RS512',
      'PS256',
      'ES256',
      'EdDSA',
      'rs256',
      '',
      ['RS256'],
      {},
    ])
      expect(read(compact({ alg })), String(alg)).to.equal('TokenRejected');
  });

  it('takes no second answer to whose key it is, and no extension', () => {
    for (const more of [
      { jwk: {} },
      { jku: 'https://a.example' },
      { x5u: 'https://a.example' },
      { crit: ['exp'] },
      { crit: [] },
      { b64: false },
      { b64: true },
    ])
      expect(read(compact({ ...good, ...more })), JSON.stringify(more)).to.equal('BadRequest');
    expect(read(compact({ ...good, typ: 'JWT', kid: 'any', x5t: 'any' }))).to.equal(undefined);
  });

  it('accepts one text per token: every other encoding of it is malformed', () => {
    const token = compact(good);
    const [head = '', body = '', tail = ''] = token.split('.');
    const twice = b64u(`{"alg":"none","alg":"RS256","x5c":["${DER}"]}`);
    const poisoned = b64u(`{"alg":"RS256","x5c":["${DER}"],"__proto__":{}}`);
    const others = [
      '',
      '.',
      '..',
      head,
      `${head}.${body}`,
      `${token}.`,
      `${token}.${tail}`,
      ` ${token}`,
      `${token}\n`,
      `${head}=.${body}.${tail}`,
      `${head}.${body}=.${tail}`,
      `${head}.${body}.${tail}=`,
      `${head}..${tail}`,
      `.${body}.${tail}`,
      `${twice}.${body}.${tail}`,
      `${poisoned}.${body}.${tail}`,
      `${b64u('[]')}.${body}.${tail}`,
      `${b64u('"x"')}.${body}.${tail}`,
      `${head}.${b64u('[]')}.${tail}`,
      `${head}.${b64u('{"a":1,"a":2}')}.${tail}`,
      `${head}.${b64u('null')}.${tail}`,
      `${head}.${b64u('{')}.${tail}`,
      `${head}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.${tail}`,
      JSON.stringify({ protected: head, payload: body, signature: tail }),
    ];
    for (const text of others) expect(read(text), text).to.equal('BadRequest');
    // The last digit of this header carries four bits that belong to no byte.
    const padded = b64u(JSON.stringify(good).padEnd(100));
    const loose = `${padded.slice(0, -1)}B`;
    expect(Buffer.from(loose, 'base64url').equals(Buffer.from(padded, 'base64url'))).to.equal(true);
    expect(read(`${padded}.${body}.${tail}`)).to.equal(undefined);
    expect(read(`${loose}.${body}.${tail}`)).to.equal('BadRequest');
  });

  it('reports every failure as an error of the caller', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => compact(value)),
          fc.jsonValue().map((x5c) => compact({ ...good, x5c })),
        ),
        (token) => {
          expect(read(token)).to.be.oneOf([undefined, 'BadRequest', 'TokenRejected']);
        },
      ),
    ));
});

describe('checkClaims', () => {
  const NOW = 1_800_000_000_000;
  const seconds = NOW / 1000;
  const check = (payload: Record<string, unknown>) =>
    codeOf(() => checkClaims(payload, { now: NOW, audiences: ['http://a.example', 'http://a.example/login'] }));

  it('accepts an empty payload, and claims it does not know', () => {
    expect(check({})).to.equal(undefined);
    expect(check({ sub: 'x', scope: [] })).to.equal(undefined);
  });

  it('allows times to be off by 60 seconds and not a second more', () =>
    fc.assert(
      fc.property(fc.integer({ min: -200, max: 200 }), (off) => {
        expect(check({ iat: seconds + off })).to.equal(off > 60 ? 'TokenRejected' : undefined);
        expect(check({ nbf: seconds + off })).to.equal(off > 60 ? 'TokenRejected' : undefined);
        expect(check({ exp: seconds + off })).to.equal(off <= -60 ? 'TokenRejected' : undefined);
      }),
    ));

  it('demands of an audience that it names this service', () => {
    for (const aud of ['http://a.example', 'http://a.example/login', ['http://b.example', 'http://a.example']])
      expect(check({ aud })).to.equal(undefined);
    for (const aud of ['', 'http://a.example.evil', 'http://a.example/login/x', 'http://b.example', []])
      expect(check({ aud })).to.equal('TokenRejected');
  });

  it('calls claims of the wrong type malformed', () => {
    for (const name of ['iat', 'nbf', 'exp'])
      for (const value of ['1', null, true, [], {}]) expect(check({ [name]: value }), name).to.equal('BadRequest');
    for (const name of ['jti', 'nonce'])
      for (const value of ['', 1, null, ['x'], {}]) expect(check({ [name]: value }), name).to.equal('BadRequest');
    for (const aud of [1, null, {}, [1], ['http://a.example', null]]) expect(check({ aud })).to.equal('BadRequest');
  });

  it('knows which tokens can be used again', () => {
    expect(isReplayable({})).to.equal(true);
    for (const claims of [{ exp: 1 }, { jti: 'x' }, { nonce: 'x' }]) expect(isReplayable(claims)).to.equal(false);
  });

  it('remembers a token at least as long as it can be accepted, and not beyond its certificate', () => {
    expect(acceptableUntil({}, NOW)).to.equal(NOW + 60_000);
    expect(acceptableUntil({ exp: seconds - 100.5 }, NOW)).to.equal(NOW - 100_500 + 60_000);
    expect(acceptableUntil({ exp: 1e300 }, NOW)).to.equal(NOW + 60_000);
  });
});
