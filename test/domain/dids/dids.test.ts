import { expect } from 'chai';
import fc from 'fast-check';
import { base58, fromBase58 } from '../../../domain/dids/base58.ts';
import {
  createDid,
  didJwk,
  didKey,
  didWeb,
  publicKeyOfDid,
  verificationMethod,
} from '../../../domain/dids/did-methods.ts';
import { DidResolver } from '../../../domain/dids/did-resolver.ts';
import { base64url, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { readPublicJwk, thumbprint } from '../../../domain/jose/jwk.ts';
import type { KeyPurpose } from '../../../ports/did-keys.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';

/** From the did:key specification's test vectors. */
const DID_KEYS: [string, Record<string, string>][] = [
  [
    'did:key:zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv',
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'igrFmi0whuihKnj9R3Om1SoMph72wUGeFaBbzG2vzns',
      y: 'efsX5b10x8yjyrj4ny3pGfLcY7Xby1KzgqOdqnsrJIM',
    },
  ],
  [
    'did:key:z82Lm1MpAkeJcix9K8TMiLd5NMAhnwkjjCBeWHXyu3U4oT2MVJJKXkcVBgjGhnLBn2Kaau9',
    {
      kty: 'EC',
      crv: 'P-384',
      x: 'lInTxl8fjLKp_UCrxI0WDklahi-7-_6JbtiHjiRvMvhedhKVdHBfi2HCY8t_QJyc',
      y: 'y6N1IC-2mXxHreETBW7K3mBcw0qGr3CWHCs-yl09yCQRLcyfGv7XhqAngHOu51Zv',
    },
  ],
  [
    'did:key:z2J9gaYxrKVpdoG9A4gRnmpnRCcxU6agDtFVVBVdn1JedouoZN7SzcyREXXzWgt3gGiwpoHq7K68X4m32D8HgzG8wv3sY5j7',
    {
      kty: 'EC',
      crv: 'P-521',
      x: 'ASUHPMyichQ0QbHZ9ofNx_l4y7luncn5feKLo3OpJ2nSbZoC7mffolj5uy7s6KSKXFmnNWxGJ42IOrjZ47qqwqyS',
      y: 'AW9ziIC4ZQQVSNmLlp59yYKrjRY0_VqO-GOIYQ9tYpPraBKUloEId6cI_vynCzlZWZtWpgOM3HPhYEgawQ703RjC',
    },
  ],
  [
    'did:key:zQ3shjmnWpSDEbYKpaFm4kTs9kXyqG6N2QwCYHNPP4yubqgJS',
    {
      kty: 'EC',
      crv: 'secp256k1',
      x: 'TEIJN9vnTq1EXMkqzo7yN_867-foKc2pREv45Fw_QA8',
      y: '9yiymlzdxKCiRbYq7p-ArRB-C1ytjHE-eb7RDTi6rVc',
    },
  ],
  [
    'did:key:z6MkwYMhwTvsq376YBAcJHy3vyRWzBgn5vKfVqqDCgm7XVKU',
    { kty: 'OKP', crv: 'Ed25519', x: '_eT7oDCtAC98L31MMx9J0T-w7HR-zuvsY08f9MvKne8' },
  ],
  [
    'did:key:z4MXj1wBzi9jUstyPMS4jQqB6KdJaiatPkAtVtGc6bQEQEEsKTic4G7Rou3iBf9vPmT5dbkm9qsZsuVNjq8HCuW1w24nhBFGkRE4cd2Uf2tfrB3N7h4mnyPp1BF3ZttHTYv3DLUPi1zMdkULiow3M1GfXkoC6DoxDUm1jmN6GBj22SjVsr6dxezRVQc7aj9TxE7JLbMH1wh5X3kA58H3DFW8rnYMakFGbca5CB2Jf6CnGQZmL7o5uJAdTwXfy2iiiyPxXEGerMhHwhjTA1mKYobyk2CpeEcmvynADfNZ5MBvcCS7m3XkFCMNUYBS9NQ3fze6vMSUPsNa6GVYmKx2x6JrdEjCk3qRMMmyjnjCMfR4pXbRMZa3i',
    {
      kty: 'RSA',
      n: 'sbX82NTV6IylxCh7MfV4hlyvaniCajuP97GyOqSvTmoEdBOflFvZ06kR_9D6ctt45Fk6hskfnag2GG69NALVH2o4RCR6tQiLRpKcMRtDYE_thEmfBvDzm_VVkOIYfxu-Ipuo9J_S5XDNDjczx2v-3oDh5-CIHkU46hvFeCvpUS-L8TJSbgX0kjVk_m4eIb9wh63rtmD6Uz_KBtCo5mmR4TEtcLZKYdqMp3wCjN-TlgHiz_4oVXWbHUefCEe8rFnX1iQnpDHU49_SaXQoud1jCaexFn25n-Aa8f8bc5Vm-5SeRwidHa6ErvEhTvf1dz6GoNPp2iRvm-wJ1gxwWJEYPQ',
      e: 'AQAB',
    },
  ],
];

describe('DIDs', () => {
  for (const [did, jwk] of DID_KEYS) {
    it(`did:key of a ${jwk.crv ?? jwk.kty} key is that of the specification, both ways`, () => {
      const key = readPublicJwk(jwk);
      expect(didKey(key)).to.equal(did);
      expect(publicKeyOfDid(did)).to.deep.equal(key);
      expect(verificationMethod(did, key)).to.equal(`${did}#${did.slice('did:key:'.length)}`);
    });

    it(`did:jwk and the canonical form of did:key hold the ${jwk.crv ?? jwk.kty} key`, () => {
      const key = readPublicJwk(jwk);
      expect(publicKeyOfDid(didJwk(key))).to.deep.equal(key);
      expect(publicKeyOfDid(didKey(key, { jcs: true }))).to.deep.equal(key);
    });
  }

  it('did:web encodes the port and turns the path into segments', () => {
    expect(didWeb('issuer.example.org')).to.equal('did:web:issuer.example.org');
    expect(didWeb('localhost:3000', '/wallet/a b')).to.equal('did:web:localhost%3A3000:wallet:a%20b');
  });

  it('refuses methods and domains it cannot make a DID of, naming the field', () => {
    const jwk = DID_KEYS[0]?.[1] as unknown as PublicJwk;
    expect(() => createDid({ method: 'web', jwk })).to.throw('config.domain');
    expect(() => createDid({ method: 'web', jwk, config: { domain: 'a/b' } })).to.throw('config.domain');
    expect(() => createDid({ method: 'toString', jwk })).to.throw('method');
  });

  it('rejects texts that contain no key, in bounded time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => {
        for (const did of [`did:key:z${text}`, `did:jwk:${text}`, text]) expect(() => publicKeyOfDid(did)).to.throw();
      }),
    );
  });

  it('base58 gives back every byte string, leading zeros included', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        (bytes) => expect(fromBase58(base58(bytes))).to.deep.equal(bytes) && true,
      ),
    );
  });

  it('base64url accepts one text for one byte string: a text that decodes encodes to itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.base64String(), fc.string(), fc.uint8Array().map(base64url)), (text) => {
        const bytes = fromBase64url(text);
        return bytes === undefined || base64url(bytes) === text;
      }),
    );
  });

  it('the thumbprint is that of RFC 7638 §3.1', () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
    expect(thumbprint({ kty: 'RSA', n, e: 'AQAB' })).to.equal('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });
});

describe('DidResolver', () => {
  const jwk = readPublicJwk(DID_KEYS[0]?.[1]);
  const did = 'did:web:issuer.example.org';
  const method = (fragment: string, more: object = {}) => ({
    id: `${did}#${fragment}`,
    type: 'JsonWebKey2020',
    controller: did,
    publicKeyJwk: jwk,
    ...more,
  });
  /** A document whose methods are all listed as `assertionMethod`. */
  const document = (methods: { id: string }[], more: object = {}) => ({
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
    ...more,
  });
  const resolverOf = (status: number, body: unknown, urls: string[] = []): DidResolver =>
    new DidResolver({
      check: () => {},
      send: async ({ url }) => {
        urls.push(url);
        return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
      },
    });
  const outcomeOf = (body: unknown, didUrl = did, purpose: KeyPurpose = 'assertionMethod'): Promise<string> =>
    resolverOf(200, body)
      .key(didUrl, purpose)
      .then(
        () => 'found',
        (error: Error) => error.message,
      );

  it('fetches a did:web document over https and takes the key the fragment names', async () => {
    const urls: string[] = [];
    const id = 'did:web:issuer.example.org%3A8443:a:b';
    const named = [method('one', { id: `${id}#one`, controller: id })];
    const resolver = resolverOf(200, document(named, { id }), urls);
    expect(await resolver.key(`${id}#one`, 'assertionMethod')).to.deep.equal(jwk);
    expect(urls).to.deep.equal(['https://issuer.example.org:8443/a/b/did.json']);
    expect(await codeOf(resolver.key(`${id}#two`, 'assertionMethod'))).to.equal('BadRequest');
  });

  it('refuses the document of another DID, an error status and an unknown method', async () => {
    const other = resolverOf(200, document([], { id: 'did:web:evil.example' }));
    expect(await codeOf(other.key(did, 'assertionMethod'))).to.equal('BadRequest');
    expect(await codeOf(resolverOf(404, '').key(did, 'assertionMethod'))).to.equal('UpstreamFailed');
    expect(await codeOf(resolverOf(200, '').key('did:example:1', 'assertionMethod'))).to.equal('BadRequest');
  });

  it('takes a key only for what it is listed for, by reference or in place, relative or not', async () => {
    const relative = { id: did, verificationMethod: [method('a', { id: '#a' })], authentication: ['#a'] };
    expect(await outcomeOf(relative, `${did}#a`, 'authentication')).to.equal('found');
    expect(await outcomeOf(relative, `${did}#a`, 'verificationMethod')).to.equal('found');
    expect(await outcomeOf(relative, `${did}#a`)).to.contain('names no key for assertionMethod');
    const inPlace = { id: did, assertionMethod: [method('b')] };
    expect(await outcomeOf(inPlace, `${did}#b`)).to.equal('found');
    expect(await outcomeOf(inPlace, `${did}#b`, 'authentication')).to.contain('names no key');
  });

  it('takes only keys that the DID itself controls, under an id of its own', async () => {
    for (const more of [
      { controller: 'did:web:evil.example' },
      { controller: undefined },
      { id: 'did:web:evil.example#a' },
    ])
      expect(await outcomeOf(document([method('a', more)]), `${did}#a`), JSON.stringify(more)).to.contain(
        'names no key',
      );
  });

  it('takes the only key without a fragment, but of several demands to know which', async () => {
    expect(await outcomeOf(document([method('a')]))).to.equal('found');
    expect(await outcomeOf(document([method('a'), method('b')]))).to.contain('the kid must be a DID URL');
    expect(await outcomeOf(document([method('a'), method('b')]), `${did}#b`)).to.equal('found');
    expect(await outcomeOf(document([method('a'), method('a')]), `${did}#a`)).to.contain('several keys');
  });

  it('takes documents of up to 32 usable keys', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, index) => method(`k${index}`));
    expect(await outcomeOf(document(keys(32)), `${did}#k31`)).to.equal('found');
    expect(await outcomeOf(document(keys(33)), `${did}#k31`)).to.contain('more than 32 usable keys');
    expect(await outcomeOf(document(keys(40), { assertionMethod: [`${did}#k39`] }), `${did}#k39`)).to.equal('found');
  });

  it('takes DIDs of up to 8,192 characters', async () => {
    const long = (length: number) => `did:web:${'a'.repeat(length - 8)}`;
    expect(await codeOf(resolverOf(404, '').key(long(8192), 'assertionMethod'))).to.equal('UpstreamFailed');
    for (const name of [long(8193), `${did}#${'x'.repeat(8192)}`])
      expect(await codeOf(resolverOf(404, '').key(name, 'assertionMethod'))).to.equal('BadRequest');
    const padded = (length: number) =>
      `did:jwk:${Buffer.from(JSON.stringify({ ...jwk, x5c: 'x'.repeat(length) })).toString('base64url')}`;
    expect(publicKeyOfDid(padded(5000))).to.deep.equal(jwk);
    expect(() => publicKeyOfDid(padded(7000))).to.throw('8192');
  });

  it('fetches each document once for one submission, and again for the next', async () => {
    const urls: string[] = [];
    const resolver = resolverOf(200, document([method('a')]), urls);
    for (const submission of [1, 2]) {
      const keys = resolver.forOneSubmission();
      await Promise.all(Array.from({ length: 32 }, () => keys.key(`${did}#a`, 'assertionMethod')));
      expect(urls).to.have.length(submission);
    }
  });
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error) => error.code,
  );
