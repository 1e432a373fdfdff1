import { expect } from 'chai';
import { encryptedResponse } from '../../actors/encrypted-response.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';
import { responseKeyOf, type WalletRequest } from '../../actors/wallet.ts';

describe('submitPresentation: direct_post.jwt', () => {
  const on = new VerificationFixture();
  const ask = () => on.ask(DEGREE_REQUEST, { responseMode: 'direct_post.jwt' });
  const post = ({ state }: WalletRequest, form: Record<string, string>) =>
    on.server.call('submitPresentation', { path: { state }, form });

  /** What the session refuses, and that it still takes the right response afterwards. */
  async function refused(request: WalletRequest, form: Record<string, string>, message: string): Promise<void> {
    const { status, body } = await post(request, form);
    expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
    expect(body.error_description).to.include(message);
    expect(await on.session(request)).not.to.have.property('verificationResult');
    expect((await on.present(request)).status).to.equal(200);
  }

  it('200: verifies what was encrypted, by both algorithms, with a submission as JSON or as text', async () => {
    for (const enc of ['A128GCM', 'A256GCM'])
      for (const isText of [true, false]) {
        const request = await ask();
        const { presentation_submission: submission = '', ...plain } = await on.form(request);
        const parameters = { ...plain, presentation_submission: isText ? submission : JSON.parse(submission) };
        const response = await encryptedResponse(parameters, responseKeyOf(request), { enc });
        const answer = await post(request, { response, state: request.state });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        const { verificationResult, tokenResponse } = await on.session(request);
        expect(verificationResult).to.equal(true);
        expect(tokenResponse).to.deep.equal({ ...plain, presentation_submission: JSON.parse(submission) });
      }
  });

  it('400: the same rules hold as for plain responses: a wrong nonce fails, a second use is 409', async () => {
    const request = await ask();
    expect((await on.present(request, { claims: { nonce: 'other' } })).status).to.equal(400);
    expect((await on.session(request)).verificationResult).to.equal(false);
    expect((await on.present(request)).status).to.equal(409);
  });

  it('200: a response that does not name the one key of its session', async () => {
    const request = await ask();
    const form = await on.form(request);
    const response = await encryptedResponse(form, responseKeyOf(request), { header: { kid: undefined } });
    expect((await post(request, { response })).status).to.equal(200);
  });

  it('400: refuses a plain presentation', async () => {
    const request = await ask();
    await refused(request, await on.form(request), 'direct_post.jwt');
  });

  it('400: a session of direct_post refuses an encrypted response', async () => {
    const [plain, encrypted] = [await on.ask(DEGREE_REQUEST), await ask()];
    const response = await encryptedResponse(await on.form(plain), responseKeyOf(encrypted));
    await refused(plain, { response }, 'direct_post');
  });

  it('400: refuses other algorithms, keys of other sessions, and what is no JSON object', async () => {
    const [request, other] = [await ask(), await ask()];
    const key = responseKeyOf(request);
    const form = await on.form(request);
    const cases: [string, string][] = [
      [await encryptedResponse(form, key, { enc: 'A256CBC-HS512' }), 'JWE'],
      [await encryptedResponse(form, { ...responseKeyOf(other), kid: key.kid }), 'JWE'],
      [await encryptedResponse(form, responseKeyOf(other)), 'kid'],
      [await encryptedResponse(form, responseKeyOf(other), { header: { kid: undefined } }), 'JWE'],
      [await encryptedResponse(form, key, { header: { kid: 7 } }), 'kid'],
      [await encryptedResponse(form, key, { header: { alg: 'ECDH-ES+A256KW' } }), 'JWE'],
      [await encryptedResponse('[]', key), 'JSON object'],
      [await encryptedResponse('{"a":1,"a":2}', key), ''],
      [await encryptedResponse({ ...form, state: 'another' }, key), 'state'],
      [await encryptedResponse({ ...form, state: 7 }, key), 'state'],
      [await encryptedResponse({ state: request.state }, key), 'vp_token'],
      ['a.b.c.d.e', 'JWE'],
      ['nonsense', 'JWE'],
    ];
    for (const [response, message] of cases) {
      const { status, body } = await post(request, { response });
      expect([status, body.error], response.slice(0, 40)).to.deep.equal([400, 'invalid_request']);
      expect(body.error_description).to.include(message);
    }
    expect((await on.present(request)).status).to.equal(200);
  });

  it('400: a wallet refuses in the clear or encrypted', async () => {
    for (const isEncrypted of [true, false]) {
      const request = await ask();
      const refusal = { error: 'access_denied', state: request.state };
      const form = isEncrypted ? { response: await encryptedResponse(refusal, responseKeyOf(request)) } : refusal;
      const { status, body } = await post(request, form);
      expect([status, body.error]).to.deep.equal([400, 'access_denied']);
      expect((await on.session(request)).verificationResult).to.equal(false);
    }
  });

  it('400: refuses a message that inflates beyond bounds', async () => {
    const request = await ask();
    const bomb = JSON.stringify({ vp_token: 'a'.repeat(1_100_000) });
    const response = await encryptedResponse(bomb, responseKeyOf(request));
    const { status } = await post(request, { response });
    expect(status).to.be.oneOf([400, 413]);
    expect((await on.present(request)).status).to.equal(200);
  });
});
