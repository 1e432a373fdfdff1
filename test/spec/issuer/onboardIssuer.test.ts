import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { publicKeyOfDid } from '../../../domain/dids/did-methods.ts';
import { readPublicJwk, thumbprint } from '../../../domain/jose/jwk.ts';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../../../domain/jose/key-types.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { accept, decodeJwt } from '../../actors/wallet.ts';
import { useServer } from '../../support/servers/server.ts';

describe('onboardIssuer', () => {
  const server = useServer();

  it('200: an empty body creates an Ed25519 key and its did:jwk', async () => {
    const { issuerKey, issuerDid } = await onboard(server);
    expect(issuerKey.type).to.equal('jwk');
    expect(issuerKey.jwk).to.include({ kty: 'OKP', crv: 'Ed25519' }).and.have.keys('kty', 'd', 'crv', 'kid', 'x');
    expect(issuerDid).to.match(/^did:jwk:/);
    expect(thumbprint(publicKeyOfDid(issuerDid))).to.equal(issuerKey.jwk.kid);
  });

  for (const keyType of KEY_TYPE_NAMES)
    for (const method of keyType === 'RSA4096' ? ['jwk'] : ['jwk', 'key'])
      it(`200: ${keyType} with did:${method} onboards and issues`, async () => {
        const issuer = await onboard(server, { key: { backend: 'jwk', keyType }, did: { method } });
        const { jwk } = issuer.issuerKey;
        expect(jwk.kid).to.equal(thumbprint(readPublicJwk(jwk)));
        expect(jwk.d).to.be.a('string');
        expect(thumbprint(publicKeyOfDid(issuer.issuerDid))).to.equal(jwk.kid);
        const holder = makeHolderKey();
        const { status, body } = await accept(server, await makeOffer(server, degree(issuer)), holder);
        expect(status).to.equal(200);
        const credential = decodeJwt(body.credential);
        expect(credential.header.alg).to.equal(KEY_TYPES[keyType].alg);
        expect(credential.verifies(jwk)).to.equal(true);
        expect(credential.claims).to.include({ iss: issuer.issuerDid, sub: holder.did });
      });

  it('200: did:web of a domain with port and path, [random-uuid] filled in', async () => {
    const config = { domain: 'localhost:3000', path: '/tenants/[random-uuid]' };
    const { issuerDid } = await onboard(server, { did: { method: 'web', config } });
    expect(issuerDid).to.match(/^did:web:localhost%3A3000:tenants:[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const plain = await onboard(server, { did: { method: 'web', config: { domain: 'issuer.example' } } });
    expect(plain.issuerDid).to.equal('did:web:issuer.example');
  });

  it('200: a did:web issuer signs with the thumbprint of its key as kid', async () => {
    const issuer = await onboard(server, {
      key: { keyType: 'secp256r1' },
      did: { method: 'web', config: { domain: 'issuer.example' } },
    });
    const { body } = await accept(server, await makeOffer(server, degree(issuer)));
    expect(decodeJwt(body.credential).header.kid).to.equal(`did:web:issuer.example#${issuer.issuerKey.jwk.kid}`);
  });

  it('200: did:key in its JWK form', async () => {
    const { issuerDid, issuerKey } = await onboard(server, {
      key: { keyType: 'secp256r1' },
      did: { method: 'key', config: { useJwkJcsPub: true } },
    });
    expect(issuerDid).to.match(/^did:key:z2dm/);
    expect(thumbprint(publicKeyOfDid(issuerDid))).to.equal(issuerKey.jwk.kid);
  });

  const refused: [string, unknown, string][] = [
    ['an unknown backend', { key: { backend: 'hsm' } }, '/body/key/backend'],
    [
      'a key of a key management service without credentials',
      { key: { backend: 'kmsa-rest-api', keyType: 'RSA' } },
      '/body/key/config/auth',
    ],
    ['an empty backend', { key: { backend: '' } }, '/body/key/backend'],
    ['an unknown key type', { key: { keyType: 'secp256R1' } }, '/body/key/keyType'],
    ['a configuration for a jwk key', { key: { config: { auth: {} } } }, '/body/key/config/auth'],
    ['an unknown DID method', { did: { method: 'ebsi' } }, '/body/did/method'],
    ['an empty DID method', { did: { method: '' } }, '/body/did/method'],
    ['a DID method by the name of a prototype', { did: { method: 'constructor' } }, '/body/did/method'],
    ['did:web without a domain', { did: { method: 'web' } }, '/body/did/config/domain'],
    [
      'did:web with a URL for a domain',
      { did: { method: 'web', config: { domain: 'https://a.example' } } },
      '/body/did/config/domain',
    ],
    [
      'did:web with a strange path',
      { did: { method: 'web', config: { domain: 'a.example', path: 'a?b#c' } } },
      '/body/did/config/path',
    ],
    ['an unknown field', { keys: {} }, '/body/keys'],
    ['an unknown field of the key', { key: { type: 'jwk' } }, '/body/key/type'],
    ['an unknown field of the DID', { did: { config: { color: 'red' } } }, '/body/did/config/color'],
    ['a key that is no object', { key: 'jwk' }, '/body/key'],
  ];
  for (const [title, json, path] of refused)
    it(`400: refuses ${title}, naming it`, async () => {
      const { status, body } = await server.call('onboardIssuer', { json });
      expect(status).to.equal(400);
      expect(body.details[0].path).to.equal(path);
    });

  it('400: reports that did:cheqd needs a registrar', async () => {
    const { status, body } = await server.call('onboardIssuer', { json: { did: { method: 'cheqd' } } });
    expect(status).to.equal(400);
    expect(body.message).to.include('registrar').and.include('did.method');
  });

  it('400: requires a body', async () => {
    expect((await server.call('onboardIssuer', { contentType: 'application/json', text: '' })).status).to.equal(400);
  });

  it('413: refuses a body over 1 MiB', async () => {
    const json = { key: { name: 'x'.repeat(1024 * 1024) } };
    expect((await server.call('onboardIssuer', { json })).status).to.equal(413);
  });

  it('415: refuses another media type', async () => {
    expect((await server.call('onboardIssuer', { text: '{}' })).status).to.equal(415);
  });
});
