import { createSign } from 'node:crypto';
import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { type IssuanceFixture, makeOffer, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';
import { startServer } from '../../support/servers/server.ts';
import { testKeys } from '../../support/trust/certificates.ts';

describe('requestCredential', () => {
  let { server, issuer, holder, access, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, issuer, holder, access, proof } = await startIssuance());
  });
  after(() => server.close());

  describe('the proof', () => {
    const other = makeHolderKey();
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
      it(`400: invalid_proof for ${title}; the fresh nonce is accepted`, async () => {
        const { token, nonce } = await access();
        const { status, body } = await requestCredential(
          server,
          token,
          credentialRequest(proofOf(server, holder, { nonce, ...change() })),
        );
        expect([status, body.error]).to.deep.equal([400, 'invalid_proof']);
        expect(body.c_nonce).to.be.a('string').and.not.equal(nonce);
        expect(body.c_nonce_expires_in).to.equal(300);
        const stale = await requestCredential(server, token, credentialRequest(proof(nonce)));
        expect([stale.status, stale.body.error]).to.deep.equal([400, 'invalid_proof']);
        expect((await requestCredential(server, token, credentialRequest(proof(stale.body.c_nonce)))).status).to.equal(
          200,
        );
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
        const { body } = await requestCredential(server, token, credentialRequest(value));
        expect(body.error).to.equal('invalid_proof');
        expect((await requestCredential(server, token, credentialRequest(proof(body.c_nonce)))).status).to.equal(200);
      });

    it('400: invalid_proof for a proof of another session', async () => {
      const [one, two] = [await access(), await access()];
      const { body } = await requestCredential(server, one.token, credentialRequest(proof(two.nonce)));
      expect(body.error).to.equal('invalid_proof');
    });

    it('400: invalid_proof for a signature over something else', async () => {
      const { token, nonce } = await access();
      const { jwt } = proof(nonce);
      const forged = jwt.replace(/[^.]+$/, proof('other').jwt.split('.')[2] ?? '');
      expect(
        (await requestCredential(server, token, credentialRequest({ proof_type: 'jwt', jwt: forged }))).body.error,
      ).to.equal('invalid_proof');
    });

    it('200: an RSA holder may sign with any RS algorithm', async () => {
      const { privateKey, publicKey } = testKeys('RSA', 40);
      const { token, nonce } = await access({ mapping: {} });
      const head = { typ: 'openid4vci-proof+jwt', alg: 'RS512', jwk: publicKey.export({ format: 'jwk' }) };
      const claims = { aud: [`${server.url}/draft13`], iat: now(), nonce };
      const input = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const jwt = `${input}.${createSign('RSA-SHA512').update(input).sign(privateKey).toString('base64url')}`;
      expect((await requestCredential(server, token, credentialRequest({ proof_type: 'jwt', jwt }))).status).to.equal(
        200,
      );
    });

    for (const store of ['memory', 'sqlite'] as const)
      it(`of 50 concurrent uses of one proof exactly one returns the credential (${store})`, async () => {
        const own = await startServer({ store });
        const callback = await startCallback();
        const { code } = await makeOffer(own, degree(issuer), { headers: { statusCallbackUri: callback.url } });
        const { body } = await redeem(own, code);
        const request = credentialRequest(proofOf(own, holder, { nonce: body.c_nonce }));
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => requestCredential(own, body.access_token, request)),
        );
        expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
        for (const { status, headers, body: answer } of answers)
          expect(status === 503 ? headers.get('retry-after') : (answer.error ?? status)).to.be.oneOf([
            200,
            'invalid_proof',
            '1',
          ]);
        expect(callback.events.filter(({ type }) => type === 'jwt_issue')).to.have.length(1);
        await callback.goAway();
        await own.close();
      });
  });
});
