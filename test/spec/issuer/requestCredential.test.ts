import { expect } from 'chai';
import { didJwk } from '../../../domain/dids/did-methods.ts';
import { REDELIVERY_MS } from '../../../domain/issuer/sessions/redeliverable-credentials.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { type IssuanceFixture, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, decodeJwt, proofOf, requestCredential } from '../../actors/wallet.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

describe('requestCredential', () => {
  let { server, issuer, holder, access, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, issuer, holder, access, proof } = await startIssuance());
  });
  after(() => server.close());

  describe('the credential', () => {
    it('200: is a VC 1.1 as JWT, mapped when the credential is requested', async () => {
      const { token, nonce } = await access();
      server.clock.advance(60_000);
      const { status, body, headers } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      expect(status).to.equal(200);
      expect(body).to.have.keys('format', 'credential', 'notification_id');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('pragma')).to.equal('no-cache');
      const { header, claims, verifies } = decodeJwt(body.credential);
      expect(header).to.deep.equal({ alg: 'ES256', typ: 'JWT', kid: `${issuer.issuerDid}#0` });
      expect(verifies(issuer.issuerKey.jwk)).to.equal(true);
      expect(claims.iat).to.equal(Math.floor(server.clock.now() / 1000));
      expect(claims.exp - claims.iat).to.equal(365 * 86_400);
      expect(claims.vc).to.deep.include({
        issuer: { id: issuer.issuerDid },
        credentialSubject: { id: holder.did, degree: { name: 'BSc' } },
      });
      expect(claims).to.include({ iss: issuer.issuerDid, sub: holder.did, jti: claims.vc.id, nbf: claims.iat });
      expect(claims.vc.id).to.match(/^urn:uuid:/);
    });

    it('200: is a VC 2.0 when its context says so', async () => {
      const credentialData = {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        type: ['VerifiableCredential', 'UniversityDegree'],
        credentialSubject: {},
      };
      const { token, nonce } = await access({ credentialData });
      const { body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      const { header, claims } = decodeJwt(body.credential);
      expect(header.typ).to.equal('vc+jwt');
      expect(claims).to.not.have.property('vc');
      expect(claims.validFrom).to.be.a('string');
      expect(claims.credentialSubject.id).to.equal(holder.did);
    });

    it('200: carries claims of the mapping, credentialStatus and display', async () => {
      const credentialStatus = { id: 'https://status.example/1#7', type: 'StatusList2021Entry' };
      const { token, nonce } = await access({
        credentialStatus,
        display: [{ name: 'Degree', text_color: '#fff' }],
        mapping: { 'jwt:jti': '<uuid>', id: '<last:uuid>', display: '<display>', issuanceDate: '<timestamp-ebsi>' },
      });
      const { body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      const { claims } = decodeJwt(body.credential);
      expect(claims.vc.credentialStatus).to.deep.equal(credentialStatus);
      expect(claims.vc.display).to.deep.equal([{ name: 'Degree', textColor: '#fff' }]);
      expect(claims.jti).to.equal(claims.vc.id);
      expect(claims.vc.issuer).to.equal(issuer.issuerDid);
    });

    it('200: carries the certificates of its key as x5c', async () => {
      const root = makeCertificate({ subject: 'CN=Root', ca: true, keys: testKeys('P-256', 0) });
      const keys = testKeys('P-256', 1);
      const leaf = makeCertificate({ subject: 'CN=Issuer', issuer: root, keys });
      const issuerKey = { type: 'jwk', jwk: keys.privateKey.export({ format: 'jwk' }) };
      const { token, nonce } = await access({
        issuerKey,
        issuerDid: didJwk(readPublicJwk(issuerKey.jwk)),
        x5Chain: [leaf.pem, root.pem],
      });
      const { body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      const { header, verifies } = decodeJwt(body.credential);
      expect(header.x5c).to.deep.equal([leaf, root].map(({ der }) => Buffer.from(der).toString('base64')));
      expect(verifies({ ...issuerKey.jwk })).to.equal(true);
    });

    it('200: calls webhooks of the mapping when the credential is requested', async () => {
      const data = await startCallback();
      data.answer.body = '{"grade": 1}';
      const { token, nonce } = await access({
        mapping: { credentialSubject: { result: `<webhook-json:${data.url}/grades>` } },
      });
      expect(data.requests).to.equal(0);
      const { body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
      expect(decodeJwt(body.credential).claims.vc.credentialSubject.result).to.deep.equal({ grade: 1 });
      await data.goAway();
    });

    it('200: is issued to a holder with only a key, without a subject', async () => {
      const { token, nonce } = await access({ mapping: {} });
      const { privateKey: _, jwk } = holder;
      const withKey = proofOf(server, holder, { nonce, header: { kid: undefined, jwk } });
      const { body } = await requestCredential(server, token, credentialRequest(withKey));
      expect(decodeJwt(body.credential).claims.sub).to.equal('');
    });

    it('200: names a holder with only a key by its did:jwk, where the mapping names the holder', async () => {
      const { token, nonce } = await access();
      const { privateKey: _, jwk } = holder;
      const withKey = proofOf(server, holder, { nonce, header: { kid: undefined, jwk } });
      const { status, body } = await requestCredential(server, token, credentialRequest(withKey));
      expect(status, JSON.stringify(body)).to.equal(200);
      const { sub, vc } = decodeJwt(body.credential).claims;
      expect(vc.credentialSubject.id).to.equal(sub);
      expect(sub).to.match(/^did:jwk:/);
      const named = JSON.parse(Buffer.from(sub.slice('did:jwk:'.length), 'base64url').toString());
      expect(readPublicJwk(named)).to.include({ x: jwk.x, y: jwk.y });
    });

    it('200: is selected by the types in the form of earlier drafts, and by its own types', async () => {
      const one = await access();
      const request = {
        format: 'jwt_vc_json',
        types: ['VerifiableCredential', 'UniversityDegree'],
        proof: proof(one.nonce),
      };
      expect((await requestCredential(server, one.token, request)).status).to.equal(200);
      const credentialData = { type: ['VerifiableCredential', 'MastersDegree'] };
      const two = await access({ credentialData, mapping: {} });
      const own = credentialRequest(proof(two.nonce), ['VerifiableCredential', 'MastersDegree']);
      expect((await requestCredential(server, two.token, own)).status).to.equal(200);
    });
  });

  describe('access', () => {
    it('401: without a token, with an unknown one, after the session', async () => {
      const none = await server.call('requestCredential', { json: credentialRequest({}) });
      expect([none.status, none.body.error, none.headers.get('www-authenticate')]).to.deep.equal([
        401,
        'invalid_token',
        'Bearer',
      ]);
      for (const token of ['unknown', 'x'.repeat(3000)]) {
        const { status, body } = await requestCredential(server, token, credentialRequest({}));
        expect([status, body.error]).to.deep.equal([401, 'invalid_token']);
      }
      const done = await access({}, { sessionTtl: '900' });
      await requestCredential(server, done.token, credentialRequest(proof(done.nonce)));
      server.clock.advance(REDELIVERY_MS);
      expect((await requestCredential(server, done.token, credentialRequest(proof(done.nonce)))).status).to.equal(401);
      const late = await access({}, { sessionTtl: '10' });
      server.clock.advance(11_000);
      expect((await requestCredential(server, late.token, credentialRequest(proof(late.nonce)))).status).to.equal(401);
    });

    const refused: [string, Record<string, unknown>, string][] = [
      ['no format', { format: undefined }, 'invalid_credential_request'],
      ['another format', { format: 'mso_mdoc' }, 'unsupported_credential_format'],
      ['no types', { credential_definition: undefined }, 'invalid_credential_request'],
      [
        'other types',
        { credential_definition: { type: ['VerifiableCredential', 'Other'] } },
        'unsupported_credential_type',
      ],
      [
        'a type too many',
        { credential_definition: { type: ['VerifiableCredential', 'UniversityDegree', 'X'] } },
        'unsupported_credential_type',
      ],
      ['a mistyped format', { format: 5 }, 'invalid_credential_request'],
    ];
    for (const [title, changes, error] of refused)
      it(`400: ${error} for ${title}; the nonce stays valid`, async () => {
        const { token, nonce } = await access();
        const request = credentialRequest(proof(nonce));
        const { status, body } = await requestCredential(server, token, { ...request, ...changes });
        expect([status, body.error]).to.deep.equal([400, error]);
        expect((await requestCredential(server, token, request)).status).to.equal(200);
      });

    it('413 and 415: refuses bodies that are too large or not JSON', async () => {
      const large = { format: 'x'.repeat(1024 * 1024) };
      const { token } = await access();
      expect((await requestCredential(server, token, large)).status).to.equal(413);
      expect((await server.call('requestCredential', { text: '{}', token })).status).to.equal(415);
    });
  });
});
