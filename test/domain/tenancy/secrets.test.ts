import { expect } from 'chai';
import fc from 'fast-check';
import { isSecretName, isSecretText, privateKeyIn, withoutSecrets } from '../../../domain/tenancy/tree/secrets.ts';
import { cpuMs } from '../../support/runs/cpu.ts';

/** What secrets are called, in words. */
const SECRETS = [
  ['client', 'secret'],
  ['api', 'key'],
  ['status', 'callback', 'api', 'key'],
  ['token'],
  ['access', 'token'],
  ['refresh', 'token', 'value'],
  ['pass', 'phrase'],
  ['passphrase'],
  ['password'],
  ['db', 'password'],
  ['secret', 'access', 'key'],
  ['private', 'key'],
  ['signing', 'key', 'pem'],
  ['connection', 'string'],
  ['auth'],
  ['authorization'],
];

const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The ways in which words become the name of a member. */
const SPELLINGS: ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join(' '),
  (words) => words.join(''),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('').toUpperCase(),
  (words) => words.map(title).join('-'),
  (words) => words.map(title).join(''),
  ([first = '', ...rest]) => first + rest.map(title).join(''),
];

describe('isSecretName', () => {
  it('knows every name of a secret in every spelling', () =>
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), fc.constantFrom(...SPELLINGS), (words, spell) => {
        expect(isSecretName(spell(words)), spell(words)).to.equal(true);
        expect(withoutSecrets({ deep: [{ [spell(words)]: 'SECRET', region: 'eu' }] })).to.deep.equal({
          deep: [{ region: 'eu' }],
        });
        expect(withoutSecrets([{ name: spell(words), value: 'SECRET' }])).to.deep.equal([{ name: spell(words) }]);
        expect(isSecretText(`Server=db;${spell(words).replaceAll(' ', '')}=SECRET`)).to.equal(true);
      }),
    ));

  it('leaves what settings and profiles usually hold', () => {
    const names = [
      'type',
      'name',
      'email',
      'region',
      'keyVaultUrl',
      'id',
      'kid',
      'author',
      'authority',
      'issuer',
      'tags',
    ];
    expect(names.filter(isSecretName)).to.deep.equal([]);
  });
});

describe('isSecretText', () => {
  const secrets = [
    'postgres://user:SECRET@db.internal/x',
    'redis://:SECRET@cache:6379',
    'https://SECRET@git.example.org/x',
    'Server=db;User Id=sa;Password=SECRET;',
    'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=SECRET==',
    'https://api.example.org/x?a=b&api_key=SECRET',
    '-----BEGIN EC PRIVATE KEY-----',
  ];
  for (const text of secrets)
    it(`finds the secret in ${text.slice(0, 24)}…`, () => expect(isSecretText(text)).to.equal(true));

  it('leaves addresses, targets and sentences without one', () => {
    const texts = [
      'https://issuer.example.org/x?lang=en#a',
      'acme.t1.kms1',
      'ada@example.org',
      'a = b, a token',
      '://',
    ];
    expect(texts.filter(isSecretText)).to.deep.equal([]);
  });

  it('takes time that grows with the length of the text alone', async () => {
    const parts = ['://', '://a', '=', ';=', ' ', '"d"', '-----BEGIN ', '"kty"', 'a@', 'A'];
    const ms = await cpuMs(() => parts.map((part) => isSecretText(part.repeat(100_000))));
    expect(ms).to.be.below(2000);
  });
});

describe('withoutSecrets', () => {
  it('leaves out private JWK members, credentials of backends, PEM keys and callback keys, at any depth', () => {
    const shown = {
      type: 'kms',
      region: 'eu',
      d: 'not of a key',
      jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k' },
      list: [{ note: 'n' }, 'text'],
    };
    const whole = {
      ...shown,
      auth: { accessKeyId: 'SECRET' },
      statusCallbackApiKey: 'SECRET',
      clientSecret: 'SECRET',
      custom: '-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----',
      text: '{"kty":"EC","d":"SECRET"}',
      jwk: { ...shown.jwk, d: 'SECRET', k: 'SECRET', p: 'SECRET' },
      list: [
        { note: 'n', signingKeyPem: 'SECRET', SigningKeyPEM: 'SECRET' },
        'text',
        '-----BEGIN RSA PRIVATE KEY-----SECRET',
      ],
    };
    expect(withoutSecrets(whole)).to.deep.equal(shown);
    expect(JSON.stringify(withoutSecrets(whole))).not.to.contain('SECRET');
  });

  it('changes nothing where there is no secret', () => {
    const value = { a: [1, null, { b: true }], '~/': 'c' };
    expect(withoutSecrets(value)).to.deep.equal(value);
  });
});

describe('privateKeyIn', () => {
  it('names the place of private key material', () => {
    expect(privateKeyIn({ a: [{ kty: 'OKP', x: 'x' }] })).to.equal(undefined);
    expect(privateKeyIn({ a: [{}, { kty: 'OKP', d: 'x' }] })).to.deep.equal(['a', '1', 'd']);
    expect(privateKeyIn({ 'b/c': '-----BEGIN EC PRIVATE KEY-----' })).to.deep.equal(['b/c']);
  });
});
