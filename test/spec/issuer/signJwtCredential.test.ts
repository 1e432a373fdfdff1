import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { DEGREE_MAPPING, degreeData, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import { useServer } from '../../support/servers/server.ts';

describe('signJwtCredential', () => {
  const server = useServer();
  const subject = makeHolderKey();
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  const request = (changes: Record<string, unknown> = {}) => ({
    ...issuer,
    subjectDid: subject.did,
    credentialData: degreeData({ degree: { name: 'BSc' } }),
    mapping: DEGREE_MAPPING,
    ...changes,
  });
  const sign = (changes?: Record<string, unknown>) => server.call('signJwtCredential', { json: request(changes) });

  it('200: answers with the signed credential as text, its mapping applied to the named subject', async () => {
    const { status, body, headers } = await sign();
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(headers.get('content-type')).to.match(/^text\/plain/);
    expect(headers.get('cache-control')).to.equal('no-store');
    const { header, claims, verifies } = decodeJwt(body);
    expect(header).to.include({ typ: 'JWT', alg: 'ES256' });
    expect(String(header.kid).split('#')[0]).to.equal(issuer.issuerDid);
    expect(claims).to.include({ iss: issuer.issuerDid, sub: subject.did, jti: claims.vc.id });
    expect(claims.vc.credentialSubject).to.deep.include({ id: subject.did, degree: { name: 'BSc' } });
    expect(verifies(issuer.issuerKey.jwk)).to.equal(true);
  });

  it('200: without a mapping the subject is named by sub; claims of the mapping become claims of the JWT', async () => {
    const plain = decodeJwt((await sign({ mapping: undefined })).body).claims;
    expect(plain).to.include({ iss: issuer.issuerDid, sub: subject.did });
    expect(plain).to.not.have.any.keys('iat', 'nbf', 'exp', 'jti');
    const { claims } = decodeJwt((await sign({ mapping: { 'jwt:nonce': '<uuid>' } })).body);
    expect(claims.nonce).to.match(/^urn:uuid:/);
  });

  it('200: without an issuerDid the key signs under its did:key', async () => {
    const { claims, verifies } = decodeJwt((await sign({ issuerDid: undefined })).body);
    expect(claims.iss).to.match(/^did:key:zDn/);
    expect(verifies(issuer.issuerKey.jwk)).to.equal(true);
  });

  const refused: [string, Record<string, unknown>, string][] = [
    ['no issuerKey', { issuerKey: undefined }, '/body/issuerKey'],
    ['no subjectDid', { subjectDid: undefined }, '/body/subjectDid'],
    ['no credentialData', { credentialData: undefined }, '/body/credentialData'],
    ['credentialData without a type', { credentialData: {} }, '/body/credentialData/type'],
    ['the DID of another key', { issuerDid: makeHolderKey().did }, '/body/issuerDid'],
    [
      'a credential for another subject',
      { subjectDid: makeHolderKey().did, mapping: { credentialSubject: { id: 'did:key:z6Mk' } } },
      '/body/subjectDid',
    ],
    ['an unknown data function', { mapping: { id: '<nonsense>' } }, '/body/mapping/id'],
    [
      'an unknown field',
      { credentialConfigurationId: 'UniversityDegree_jwt_vc_json' },
      '/body/credentialConfigurationId',
    ],
  ];
  for (const [title, changes, path] of refused)
    it(`400: refuses ${title}, naming it`, async () => {
      const { status, body } = await sign(changes);
      expect([status, body.details?.[0].path], JSON.stringify(body)).to.deep.equal([400, path]);
    });

  it('400: a data function that has no value is named', async () => {
    const { status, body } = await sign({ mapping: { credentialSubject: { shown: '<display>' } } });
    expect([status, body.message]).to.satisfy(
      ([code, text]: [number, string]) => code === 400 && text.includes('credentialSubject.shown'),
    );
  });

  it('413: refuses a body over 1 MiB; 415: another media type', async () => {
    expect((await sign({ credentialData: { type: 'x'.repeat(1024 * 1024) } })).status).to.equal(413);
    expect((await server.call('signJwtCredential', { text: '{}' })).status).to.equal(415);
  });
});
