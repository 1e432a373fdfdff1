import { createSign } from 'node:crypto';
import { expect } from 'chai';
import { makeCertificate, testKeys } from '../../support/certificates.ts';
import { FaultyStore, StoreFaults } from '../../support/faulty-store.ts';
import {
  accept,
  claim,
  credentialRequest,
  degree,
  type Issuer,
  makeHolder,
  makeOffer,
  onboard,
  openJwt,
  proofOf,
  redeem,
  startCallback,
} from '../../support/issuance.ts';
import { keyPair } from '../../support/keys.ts';
import { startServer, type TestServer } from '../../support/server.ts';

describe('requestCredential', () => {
  let server: TestServer;
  let issuer: Issuer;
  const holder = makeHolder();
  before(async () => {
    server = await startServer();
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });
  after(() => server.close());

  interface Access {
    id: string;
    token: string;
    nonce: string;
  }
  const access = async (changes: Record<string, unknown> = {}, headers?: Record<string, string>): Promise<Access> => {
    const { id, code } = await makeOffer(server, degree(issuer, changes), { headers });
    const { body } = await redeem(server, code);
    return { id, token: body.access_token, nonce: body.c_nonce };
  };
  const proof = (nonce: string) => proofOf(server, holder, { nonce });

  describe('the credential', () => {
    it('200: is a VC 1.1 as JWT, mapped at claim time', async () => {
      const { token, nonce } = await access();
      server.clock.advance(60_000);
      const { status, body, headers } = await claim(server, token, credentialRequest(proof(nonce)));
      expect(status).to.equal(200);
      expect(body).to.have.keys('format', 'credential');
      expect(headers.get('cache-control')).to.equal('no-store');
      const { header, claims, verifies } = openJwt(body.credential);
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
      const { body } = await claim(server, token, credentialRequest(proof(nonce)));
      const { header, claims } = openJwt(body.credential);
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
      const { body } = await claim(server, token, credentialRequest(proof(nonce)));
      const { claims } = openJwt(body.credential);
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
        issuerDid: 'did:web:issuer.example',
        x5Chain: [leaf.pem, root.pem],
      });
      const { body } = await claim(server, token, credentialRequest(proof(nonce)));
      const { header, verifies } = openJwt(body.credential);
      expect(header.x5c).to.deep.equal([leaf, root].map(({ der }) => Buffer.from(der).toString('base64')));
      expect(verifies({ ...issuerKey.jwk })).to.equal(true);
    });

    it('200: asks webhooks of the mapping when it is claimed', async () => {
      const data = await startCallback();
      data.answer.body = '{"grade": 1}';
      const { token, nonce } = await access({
        mapping: { credentialSubject: { result: `<webhook-json:${data.url}/grades>` } },
      });
      expect(data.requests).to.equal(0);
      const { body } = await claim(server, token, credentialRequest(proof(nonce)));
      expect(openJwt(body.credential).claims.vc.credentialSubject.result).to.deep.equal({ grade: 1 });
      await data.goAway();
    });

    it('200: goes to a holder who shows only a key, without a subject', async () => {
      const { token, nonce } = await access({ mapping: {} });
      const { privateKey: _, jwk } = holder;
      const withKey = proofOf(server, holder, { nonce, header: { kid: undefined, jwk } });
      const { body } = await claim(server, token, credentialRequest(withKey));
      expect(openJwt(body.credential).claims.sub).to.equal('');
    });

    it('200: is found by the types as earlier drafts sent them, and by its own types', async () => {
      const one = await access();
      const request = {
        format: 'jwt_vc_json',
        types: ['VerifiableCredential', 'UniversityDegree'],
        proof: proof(one.nonce),
      };
      expect((await claim(server, one.token, request)).status).to.equal(200);
      const credentialData = { type: ['VerifiableCredential', 'MastersDegree'] };
      const two = await access({ credentialData, mapping: {} });
      const own = credentialRequest(proof(two.nonce), ['VerifiableCredential', 'MastersDegree']);
      expect((await claim(server, two.token, own)).status).to.equal(200);
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
        const { status, body } = await claim(server, token, credentialRequest({}));
        expect([status, body.error]).to.deep.equal([401, 'invalid_token']);
      }
      const done = await access();
      await claim(server, done.token, credentialRequest(proof(done.nonce)));
      expect((await claim(server, done.token, credentialRequest(proof(done.nonce)))).status).to.equal(401);
      const late = await access({}, { sessionTtl: '10' });
      server.clock.advance(11_000);
      expect((await claim(server, late.token, credentialRequest(proof(late.nonce)))).status).to.equal(401);
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
      ['a mistyped format', { format: 5 }, 'invalid_request'],
    ];
    for (const [title, changes, error] of refused)
      it(`400: ${error} for ${title}; the nonce stays good`, async () => {
        const { token, nonce } = await access();
        const request = credentialRequest(proof(nonce));
        const { status, body } = await claim(server, token, { ...request, ...changes });
        expect([status, body.error]).to.deep.equal([400, error]);
        expect((await claim(server, token, request)).status).to.equal(200);
      });

    it('413 and 415: refuses what is too large or no JSON', async () => {
      const large = { format: 'x'.repeat(1024 * 1024) };
      expect((await claim(server, 'x', large)).status).to.equal(413);
      expect((await server.call('requestCredential', { text: '{}', token: 'x' })).status).to.equal(415);
    });
  });

  describe('the proof', () => {
    const other = makeHolder();
    const now = () => Math.floor(server.clock.now() / 1000);
    type Change = { header?: Record<string, unknown>; claims?: Record<string, unknown> };
    const wrong: [string, () => Change][] = [
      ['another typ', () => ({ header: { typ: 'JWT' } })],
      ['no typ', () => ({ header: { typ: undefined } })],
      ['alg none', () => ({ header: { alg: 'none' } })],
      ['alg HS256', () => ({ header: { alg: 'HS256' } })],
      ['an alg that does not fit the key', () => ({ header: { alg: 'ES384' } })],
      ['another key', () => ({ header: { kid: `${other.did}#0` } })],
      ['both jwk and kid', () => ({ header: { jwk: holder.jwk } })],
      ['neither jwk nor kid', () => ({ header: { kid: undefined } })],
      ['x5c', () => ({ header: { kid: undefined, x5c: ['AAAA'] } })],
      ['a private jwk', () => ({ header: { kid: undefined, jwk: { ...holder.jwk, d: 'AAAA' } } })],
      ['a kid that is no DID', () => ({ header: { kid: 'key-1' } })],
      ['a kid that cannot be resolved', () => ({ header: { kid: 'did:web:127.0.0.1%3A1#0' } })],
      ['a kid of an unknown method', () => ({ header: { kid: 'did:example:1#0' } })],
      ['crit', () => ({ header: { crit: ['b64'], b64: false } })],
      ['another audience', () => ({ claims: { aud: server.url } })],
      ['several audiences', () => ({ claims: { aud: [`${server.url}/draft13`, 'https://a.example'] } })],
      ['no audience', () => ({ claims: { aud: undefined } })],
      ['no iat', () => ({ claims: { iat: undefined } })],
      ['an iat as text', () => ({ claims: { iat: String(now()) } })],
      ['an iat in the future', () => ({ claims: { iat: now() + 90 } })],
      ['an iat of six minutes ago', () => ({ claims: { iat: now() - 360 } })],
      ['an exp that has passed', () => ({ claims: { exp: now() - 90 } })],
      ['an nbf that is not reached', () => ({ claims: { nbf: now() + 90 } })],
      ['another nonce', () => ({ claims: { nonce: 'other' } })],
      ['no nonce', () => ({ claims: { nonce: undefined } })],
    ];
    for (const [title, change] of wrong)
      it(`400: invalid_proof for ${title}; the fresh nonce is good`, async () => {
        const { token, nonce } = await access();
        const { status, body } = await claim(
          server,
          token,
          credentialRequest(proofOf(server, holder, { nonce, ...change() })),
        );
        expect([status, body.error]).to.deep.equal([400, 'invalid_proof']);
        expect(body.c_nonce).to.be.a('string').and.not.equal(nonce);
        expect(body.c_nonce_expires_in).to.equal(300);
        const stale = await claim(server, token, credentialRequest(proof(nonce)));
        expect([stale.status, stale.body.error]).to.deep.equal([400, 'invalid_proof']);
        expect((await claim(server, token, credentialRequest(proof(stale.body.c_nonce)))).status).to.equal(200);
      });

    const malformed: [string, unknown][] = [
      ['no proof', undefined],
      ['another proof type', { proof_type: 'cwt', jwt: 'x' }],
      ['no jwt', { proof_type: 'jwt' }],
      ['text that is no JWS', { proof_type: 'jwt', jwt: 'nonsense' }],
      ['a JWS with padding', { proof_type: 'jwt', jwt: 'e30=.e30=.AA==' }],
    ];
    for (const [title, value] of malformed)
      it(`400: invalid_proof for ${title}, with a nonce`, async () => {
        const { token } = await access();
        const { body } = await claim(server, token, credentialRequest(value));
        expect(body.error).to.equal('invalid_proof');
        expect((await claim(server, token, credentialRequest(proof(body.c_nonce)))).status).to.equal(200);
      });

    it('400: invalid_proof for a proof of another session', async () => {
      const [one, two] = [await access(), await access()];
      const { body } = await claim(server, one.token, credentialRequest(proof(two.nonce)));
      expect(body.error).to.equal('invalid_proof');
    });

    it('400: invalid_proof for a signature over something else', async () => {
      const { token, nonce } = await access();
      const { jwt } = proof(nonce);
      const forged = jwt.replace(/[^.]+$/, proof('other').jwt.split('.')[2] ?? '');
      expect((await claim(server, token, credentialRequest({ proof_type: 'jwt', jwt: forged }))).body.error).to.equal(
        'invalid_proof',
      );
    });

    it('200: an RSA holder may sign with any RS algorithm', async () => {
      const { privateKey, publicKey } = keyPair({ modulusLength: 2048 });
      const { token, nonce } = await access({ mapping: {} });
      const head = { typ: 'openid4vci-proof+jwt', alg: 'RS512', jwk: publicKey.export({ format: 'jwk' }) };
      const claims = { aud: [`${server.url}/draft13`], iat: now(), nonce };
      const input = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const jwt = `${input}.${createSign('RSA-SHA512').update(input).sign(privateKey).toString('base64url')}`;
      expect((await claim(server, token, credentialRequest({ proof_type: 'jwt', jwt }))).status).to.equal(200);
    });

    it('400: a credential that names its holder wants a DID, and says so', async () => {
      const { token, nonce } = await access();
      const withKey = proofOf(server, holder, { nonce, header: { kid: undefined, jwk: holder.jwk } });
      const { body } = await claim(server, token, credentialRequest(withKey));
      expect([body.error, body.error_description.includes('DID')]).to.deep.equal(['invalid_proof', true]);
      expect((await claim(server, token, credentialRequest(proof(nonce)))).status).to.equal(200);
    });

    for (const store of ['memory', 'sqlite'] as const)
      it(`of 50 uses of one proof at once exactly one gets the credential (${store})`, async () => {
        const own = await startServer({ store });
        const callback = await startCallback();
        const { code } = await makeOffer(own, degree(issuer), { headers: { statusCallbackUri: callback.url } });
        const { body } = await redeem(own, code);
        const request = credentialRequest(proofOf(own, holder, { nonce: body.c_nonce }));
        const answers = await Promise.all(Array.from({ length: 50 }, () => claim(own, body.access_token, request)));
        expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
        expect(answers.filter(({ status }) => status >= 500)).to.deep.equal([]);
        expect(callback.events.filter(({ type }) => type === 'jwt_issue')).to.have.length(1);
        await callback.goAway();
        await own.close();
      });
  });

  describe('the callback', () => {
    it('is told the three events of an issuance in order, with $id filled in', async () => {
      const callback = await startCallback();
      const { id, token, nonce } = await access({}, { statusCallbackUri: `${callback.url}/$id/a?again=$id` });
      const { body } = await claim(server, token, credentialRequest(proof(nonce)));
      expect(callback.events.map(({ type }) => type)).to.deep.equal([
        'resolved_credential_offer',
        'requested_token',
        'jwt_issue',
      ]);
      expect(callback.events.at(-1)).to.deep.equal({
        path: `/${id}/a?again=${id}`,
        id,
        type: 'jwt_issue',
        data: { jwt: body.credential },
      });
      expect(JSON.stringify(callback.events)).to.not.include(issuer.issuerKey.jwk.d).and.not.include(token);
      await callback.goAway();
    });

    it('400: stops the issuance when it cannot be reached; the same proof works when it is back', async () => {
      const callback = await startCallback();
      const { token, nonce } = await access({}, { statusCallbackUri: callback.url });
      await callback.goAway();
      const request = credentialRequest(proof(nonce));
      const { status, body } = await claim(server, token, request);
      expect([status, body.error]).to.deep.equal([400, 'server_error']);
      await callback.comeBack();
      expect((await claim(server, token, request)).status).to.equal(200);
      expect(callback.events.filter(({ type }) => type === 'jwt_issue')).to.have.length(1);
      await callback.goAway();
    });
  });

  describe('what goes wrong on the way', () => {
    it('400: a mapping that cannot be applied ends the session as UNSUCCESSFUL', async () => {
      const data = await startCallback();
      data.answer.body = 'not JSON';
      const { token, nonce } = await access({ mapping: { a: `<webhook-json:${data.url}/>` } });
      const { status, body } = await claim(server, token, credentialRequest(proof(nonce)));
      expect([status, body.error]).to.deep.equal([400, 'credential_request_denied']);
      expect((await claim(server, token, credentialRequest(proof(nonce)))).status).to.equal(401);
      const metrics = await server.fetch('/metrics');
      expect(metrics.body).to.match(/kind="issuance",state="UNSUCCESSFUL"\} 1/);
      await data.goAway();
    });

    it('502: a webhook that is away or refuses leaves everything as it was', async () => {
      const data = await startCallback();
      data.answer = Object.assign(data.answer, { status: 500, body: '{}' });
      const { token, nonce } = await access({ mapping: { a: `<webhook:${data.url}/>` } });
      const request = credentialRequest(proof(nonce));
      expect((await claim(server, token, request)).status).to.equal(502);
      await data.goAway();
      expect((await claim(server, token, request)).status).to.equal(502);
      await data.comeBack();
      data.answer.status = 200;
      expect((await claim(server, token, request)).status).to.equal(200);
      await data.goAway();
    });

    it('whichever call of the store fails, the wallet is told and can complete the issuance', async () => {
      const faults = new StoreFaults();
      const own = await startServer({ wrapStore: (store) => new FaultyStore(store, faults) });
      let failures = 0;
      for (let call = 1; call <= 9; call += 1) {
        const { code } = await makeOffer(own, degree(issuer));
        const { body } = await redeem(own, code);
        const request = credentialRequest(proofOf(own, holder, { nonce: body.c_nonce }));
        faults.failIn = call;
        const first = await claim(own, body.access_token, request);
        faults.failIn = 0;
        if (first.status === 200) continue;
        failures += 1;
        expect([first.status, first.body.error]).to.deep.equal([503, 'temporarily_unavailable']);
        expect((await claim(own, body.access_token, request)).status).to.equal(200);
      }
      expect(failures).to.be.greaterThan(3);
      await own.close();
    });

    it('no secret reaches the log', async () => {
      const made = await makeOffer(server, degree(issuer));
      const { body } = await accept(server, made, holder);
      const lines = JSON.stringify(server.lines);
      for (const secret of [issuer.issuerKey.jwk.d, made.code, body.credential]) expect(lines).to.not.include(secret);
    });
  });
});
