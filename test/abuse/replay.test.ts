import { expect } from 'chai';
import { byCertificate, byEmail } from '../actors/accounts.ts';
import type { Answer } from '../support/servers/server.ts';
import { exactlyOne, type Installation, install, KINDS, race } from './races.ts';
import { OneTimeThings } from './single-use.ts';

for (const kind of KINDS) {
  describe(`fifty concurrent calls, on ${kind}`, () => {
    const on = new OneTimeThings(kind);

    it('registrations with one certificate create one account', async () => {
      const json = byCertificate(60);
      exactlyOne(await race(() => on.server.call('registerWithCertificate', { json })), { won: 201, lost: 409 });
    });

    it('ten registrations of one e-mail address in different spellings create one account', async () => {
      const spellings = ['race', 'RACE', 'Race'];
      const register = (index: number) => on.server.call('registerAccount', { json: byEmail(spellings[index % 3]) });
      exactlyOne(await race(register, 10), { won: 201, lost: 409 });
    });

    it('logins with one nonce, or with one jti, create one session', async () => {
      const { nonce } = (await on.server.call('createLoginNonce')).body;
      for (const payload of [{ nonce }, { jti: 'only-once' }]) {
        const json = byCertificate(61, payload);
        exactlyOne(await race(() => on.server.call('loginWithCertificate', { json })), { won: 200, lost: 401 });
      }
    });

    it('redemptions of one code return one token', async () => {
      const code = await on.code();
      // 503: while another request redeems it.
      exactlyOne(await race(() => on.redeem(code)), { won: 200, lost: [400, 503] });
      expect((await on.redeem(code)).body.error).to.equal('invalid_grant');
      expect((await on.redeem(code)).body.error).to.equal('invalid_grant');
    });

    it('proofs with one nonce return one credential', async () => {
      const { token, nonce } = await on.access();
      const answers = await race(() => on.claim(token, on.proof(nonce)));
      expect(answers.filter(({ body }) => body.credential !== undefined)).to.have.length(1);
      // 503: while another request makes the credential.
      for (const { status } of answers) expect(status).to.be.oneOf([200, 400, 401, 503]);
    });

    it('verifications with one stateId create one session', async () => {
      const call = { json: { request_credentials: ['UniversityDegree'] }, headers: { stateId: 'raced' } };
      exactlyOne(await race(() => on.server.call('startVerification', call)), { won: 200, lost: 409 });
    });

    it('answers to one request: one is accepted and not replaced', async () => {
      const request = await on.ask();
      const form = await on.answerTo(request);
      exactlyOne(await race(() => on.post(request, form)), { won: 200, lost: [409, 503] });
      const result = await on.resultOf(request);
      expect(result.verificationResult).to.equal(true);
      for (const again of [form, { error: 'access_denied' }])
        expect((await on.post(request, again)).status).to.equal(409);
      for (const _ of KINDS) expect(await on.resultOf(request)).to.deep.equal(result);
    });

    it('answers and refusals of one request: the first is accepted', async () => {
      const request = await on.ask();
      const forms = [await on.answerTo(request), { error: 'access_denied' }];
      const answers = await race((index) => on.post(request, forms[index % 3 && 1] ?? {}));
      const counted = answers.filter(({ status }) => status !== 409 && status !== 503);
      expect(counted).to.have.length(1);
      expect((await on.resultOf(request)).verificationResult).to.equal(counted[0]?.status === 200);
    });

    it('acceptances of one offer in one wallet store one credential', async () => {
      const text = await on.offer();
      exactlyOne(await race(() => on.wallet.call('acceptCredentialOffer', { text })), { won: 200, lost: [400, 502] });
      expect((await on.wallet.call('listWalletCredentials')).body).to.have.length(1);
    });

    it('presentations of one wallet to one request: one is sent', async () => {
      await on.wallet.call('acceptCredentialOffer', { text: await on.offer() });
      const [{ id }] = (await on.wallet.call('listWalletCredentials')).body;
      const request = await on.ask();
      const json = { presentationRequest: request.url, selectedCredentials: [id] };
      // 504: the wallet asks the verifier for each of them, whose answer may come too late on a busy machine.
      const answers = await race(() => on.wallet.call('presentCredentials', { json }));
      exactlyOne(answers, { won: 200, lost: [400, 502, 504] });
      expect((await on.resultOf(request)).verificationResult).to.equal(true);
    });

    it('logouts and uses of one session succeed, and the session ends on every instance', async () => {
      const { token } = (await on.server.call('loginWithCertificate', { json: byCertificate(62) })).body;
      const operations = ['logoutWithCertificate', 'getUserInfo', 'getLoginSession'];
      const answers = await race((index) => on.server.call(operations[index % 3] ?? '', { token }));
      for (const { status } of answers) expect(status).to.be.oneOf([200, 401]);
      for (const way of [{ token }, { cookie: `login=${token}` }, { cookie: `auth.token=${token}` }])
        for (const _ of KINDS) expect((await on.server.call('getUserInfo', way)).status).to.equal(401);
    });
  });

  describe(`repeated calls, on ${kind}`, () => {
    const on = new OneTimeThings(kind);

    const refused = ({ status, body }: Answer, expected: number, error: string): void => {
      expect([status, body.error], JSON.stringify(body)).to.deep.equal([expected, error]);
    };

    it('a proof is rejected after the credential is issued', async () => {
      const { code, token, nonce } = await on.access();
      const request = on.proof(nonce);
      expect((await on.claim(token, request)).status).to.equal(200);
      for (const _ of KINDS) refused(await on.claim(token, request), 400, 'invalid_proof');
      refused(await on.redeem(code), 400, 'invalid_grant');
    });

    it('a nonce is rejected after another one was returned', async () => {
      const { token, nonce: stale } = await on.access();
      const { c_nonce: fresh } = (await on.claim(token, on.proof('wrong'))).body;
      const late = await on.claim(token, on.proof(stale));
      refused(late, 400, 'invalid_proof');
      expect(late.body.c_nonce).to.not.be.oneOf([stale, fresh, undefined]);
    });

    it('a token is accepted only for its own purpose', async () => {
      const { code, token, nonce } = await on.access();
      const json = byCertificate(64);
      const bearer: string = (await on.server.call('loginWithCertificate', { json })).body.token;
      for (const other of [token, code, nonce])
        expect((await on.server.call('getUserInfo', { token: other })).status).to.equal(401);
      for (const other of [bearer, code, nonce, json.token])
        refused(await on.claim(other, on.proof(nonce)), 401, 'invalid_token');
      for (const other of [token, nonce, bearer]) refused(await on.redeem(other), 400, 'invalid_grant');
      const asLogin = await on.server.call('loginWithCertificate', { json: { ...json, token: bearer } });
      expect(asLogin.status).to.be.oneOf([400, 401]);
      expect((await on.claim(token, on.proof(nonce))).status).to.equal(200);
    });

    it('a presentation is refused by another session, by an expired one, and by its own', async () => {
      const [own, other, expired] = [await on.ask(), await on.ask(), await on.ask()];
      const form = await on.answerTo(own);
      expect((await on.post(own, form)).status).to.equal(200);
      const result = await on.resultOf(own);
      expect((await on.post(other, form)).status).to.equal(400);
      expect((await on.resultOf(other)).verificationResult).to.equal(false);
      for (const _ of KINDS) expect((await on.post(own, form)).status).to.equal(409);
      on.all.advance(301_000);
      expect((await on.post(expired, form)).status).to.equal(404);
      expect(await on.resultOf(own)).to.deep.equal(result);
    });

    it('expired codes and tokens are rejected', async () => {
      const [code, { token, nonce }] = [await on.code(), await on.access()];
      on.all.advance(301_000);
      refused(await on.redeem(code), 400, 'invalid_grant');
      refused(await on.claim(token, on.proof(nonce)), 401, 'invalid_token');
    });
  });
}

describe('login tokens that are accepted once, on two instances', () => {
  let all: Installation;
  before(async () => {
    all = await install('two instances on one SQLite file', { auth: { x5c: { replay: 'once' } } });
  });
  after(() => all.close());

  it('log in one of fifty callers and none later, also in another spelling', async () => {
    const { token, type } = byCertificate(63);
    const login = (spelling = token) => all.server.call('loginWithCertificate', { json: { type, token: spelling } });
    exactlyOne(await race(() => login()), { won: 200, lost: 401 });
    const [head = '', body = '', signature = ''] = token.split('.');
    const successor = String.fromCharCode((signature.at(-1) ?? '').charCodeAt(0) + 1);
    const spellings = [
      token,
      `${token}=`,
      `${head}.${body}.${signature.slice(0, -1)}${successor}`,
      `${head}.${body}=.${signature}`,
      ` ${token}`,
      `${token}\n`,
      `${head}.${body}.${signature.replaceAll('-', '+').replaceAll('_', '/')}`,
    ];
    for (const spelling of spellings) {
      const { status } = await login(spelling);
      expect(status, JSON.stringify(spelling.slice(-20))).to.be.oneOf([400, 401]);
    }
  });
});
