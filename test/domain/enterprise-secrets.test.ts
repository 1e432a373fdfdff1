import { expect } from 'chai';
import { privateKeyIn, withoutSecrets } from '../../domain/enterprise/secrets.ts';

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
    expect(privateKeyIn({ a: [{}, { kty: 'OKP', d: 'x' }] })).to.equal('/a/1/d');
    expect(privateKeyIn({ 'b/c': '-----BEGIN EC PRIVATE KEY-----' })).to.equal('/b~1c');
  });
});
