import { expect } from 'chai';
import fc from 'fast-check';
import { base64url, fromBase64url } from '../../domain/bytes.ts';
import { base58, fromBase58 } from '../../domain/keys/base58.ts';
import { DidResolver } from '../../domain/keys/did-resolution.ts';
import { createDid, didJwk, didKey, didWeb, keyInDid, verificationMethod } from '../../domain/keys/dids.ts';
import { readPublicJwk, thumbprint } from '../../domain/keys/jwk.ts';
import type { PublicJwk } from '../../ports/key-service.ts';

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
      expect(keyInDid(did)).to.deep.equal(key);
      expect(verificationMethod(did, key)).to.equal(`${did}#${did.slice('did:key:'.length)}`);
    });

    it(`did:jwk and the canonical form of did:key hold the ${jwk.crv ?? jwk.kty} key`, () => {
      const key = readPublicJwk(jwk);
      expect(keyInDid(didJwk(key))).to.deep.equal(key);
      expect(keyInDid(didKey(key, { jcs: true }))).to.deep.equal(key);
    });
  }

  it('did:web encodes the port and turns the path into segments', () => {
    expect(didWeb('issuer.example.org')).to.equal('did:web:issuer.example.org');
    expect(didWeb('localhost:3000', '/wallet/a b')).to.equal('did:web:localhost%3A3000:wallet:a%20b');
  });

  it('refuses methods and domains it cannot make a DID of, naming the field', () => {
    const jwk = DID_KEYS[0]?.[1] as unknown as PublicJwk;
    expect(() => createDid({ method: 'web', jwk })).to.throw('/body/did/config/domain');
    expect(() => createDid({ method: 'web', jwk, config: { domain: 'a/b' } })).to.throw('/body/did/config/domain');
    expect(() => createDid({ method: 'toString', jwk })).to.throw('/body/did/method');
  });

  it('refuses whatever is no key, in bounded time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => {
        for (const did of [`did:key:z${text}`, `did:jwk:${text}`, text]) expect(() => keyInDid(did)).to.throw();
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

  it('base64url accepts one text for one byte string: whatever decodes encodes to the same text', () => {
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
  const document = (id: string, methods: unknown) => JSON.stringify({ id, verificationMethod: methods });
  const resolverOf = (status: number, body: string, urls: string[] = []): DidResolver =>
    new DidResolver({
      check: () => {},
      send: async ({ url }) => {
        urls.push(url);
        return { status, headers: {}, body: Buffer.from(body) };
      },
    });

  it('fetches a did:web document over https and takes the key the fragment names', async () => {
    const urls: string[] = [];
    const id = 'did:web:issuer.example.org%3A8443:a:b';
    const resolver = resolverOf(200, document(id, [{ id: `${id}#one`, publicKeyJwk: jwk }]), urls);
    expect(await resolver.keys(`${id}#one`)).to.deep.equal([jwk]);
    expect(urls).to.deep.equal(['https://issuer.example.org:8443/a/b/did.json']);
    expect(await codeOf(resolver.keys(`${id}#two`))).to.equal('BadRequest');
  });

  it('refuses the document of another DID, an error status and an unknown method', async () => {
    const did = 'did:web:issuer.example.org';
    expect(await codeOf(resolverOf(200, document('did:web:evil.example', [])).keys(did))).to.equal('BadRequest');
    expect(await codeOf(resolverOf(404, '').keys(did))).to.equal('UpstreamFailed');
    expect(await codeOf(resolverOf(200, '').keys('did:example:1'))).to.equal('BadRequest');
  });
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error) => error.code,
  );
