import { expect } from 'chai';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { DEGREE_TYPES, Draft11Wallet } from '../../actors/draft11.ts';
import { HttpPeer, startCallback } from '../../actors/http-peer.ts';
import { offerId } from '../../actors/issuance.ts';
import { identity, licence } from '../../actors/issuance-formats.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import { MDL } from '../../support/credentials/mdoc-issuer.ts';
import { type Answer, type Call, useServer } from '../../support/servers/server.ts';

const LARGE = 'x'.repeat(1024 * 1024);
const outcome = ({ status, body }: Answer) => [status, body.error];

describe('OpenID4VCI draft 11', () => {
  const server = useServer();
  const wallet = new Draft11Wallet(server);
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  /** A wallet with a token for the degree. */
  async function access(changes: object = {}) {
    const { code } = await wallet.degree(issuer, { ...changes });
    const { body } = await wallet.redeem(code);
    return { token: body.access_token as string, nonce: body.c_nonce as string };
  }
  const batchOf = (requests: object[]) => wallet.offer(requests as never, 'issueJwtCredentialBatch');

  describe('getDraft11Offer', () => {
    it('200: names the credential by its id, and the code; the callback gets the same', async () => {
      const callback = await startCallback();
      const headers = { statusCallbackUri: callback.url };
      const json = degree(issuer, { standardVersion: 'DRAFT11' });
      const { body: url } = await server.call('issueJwtCredential', { json, headers });
      expect(decodeURIComponent(url)).to.include(`=${server.url}/draft11/credentialOffer?id=`);
      const { body } = await server.call('getDraft11Offer', { query: { id: offerId(url) } });
      const { [GRANT]: grant, ...others } = body.grants;
      expect([body.credential_issuer, body.credentials, others]).to.deep.equal([
        `${server.url}/draft11`,
        ['UniversityDegree_jwt_vc_json'],
        {},
      ]);
      expect(grant).to.have.keys('pre-authorized_code', 'user_pin_required');
      expect(grant.user_pin_required).to.equal(false);
      expect(callback.events.map(({ type, data }) => [type, data])).to.deep.equal([
        ['resolved_credential_offer', body],
      ]);
      await callback.goAway();
    });

    it('200: describes credentials by format and type where the issuer asks for it, and says that a PIN is needed', async () => {
      const draft11EncodeOfferedCredentialsByReference = false;
      const { credentials, grants } = await wallet.degree(issuer, {
        draft11EncodeOfferedCredentialsByReference,
        txCode: {},
        txCodeValue: '4711',
      });
      expect(credentials).to.deep.equal([{ format: 'jwt_vc_json', types: DEGREE_TYPES }]);
      expect((grants as Record<string, object>)[GRANT]).to.include({ user_pin_required: true });
      const mdoc = { ...licence(issuer), draft11EncodeOfferedCredentialsByReference };
      const offered = await wallet.offer(mdoc, 'issueMdoc');
      expect(offered.credentials).to.deep.equal([{ format: 'mso_mdoc', doctype: MDL.docType }]);
    });

    it('400 and 404: without an id, for an unknown one, and for an offer of draft 13', async () => {
      expect((await server.call('getDraft11Offer')).status).to.equal(400);
      const { body: url } = await server.call('issueJwtCredential', { json: degree(issuer) });
      for (const id of ['unknown', offerId(url)])
        expect((await server.call('getDraft11Offer', { query: { id } })).status).to.equal(404);
      const json = identity(issuer, { standardVersion: 'DRAFT11' });
      expect((await server.call('issueSdJwtCredential', { json })).status).to.equal(400);
    });
  });

  describe('requestDraft11Token', () => {
    it('503: a code that is repeated while it is redeemed', async () => {
      const peer = await new HttpPeer().listen();
      peer.routes['/hook'] = () => ({});
      const headers = { statusCallbackUri: `${peer.url}/hook` };
      const { body: url } = await server.call('issueJwtCredential', {
        json: degree(issuer, { standardVersion: 'DRAFT11' }),
        headers,
      });
      const { grants } = (await server.call('getDraft11Offer', { query: { id: offerId(url) } })).body;
      const { asked, answer } = peer.hold('/hook');
      const first = wallet.redeem(grants[GRANT]['pre-authorized_code']);
      await asked;
      const busy = await wallet.redeem(grants[GRANT]['pre-authorized_code']);
      expect([...outcome(busy), busy.headers.get('retry-after')]).to.deep.equal([503, 'temporarily_unavailable', '1']);
      answer();
      expect((await first).status).to.equal(200);
      await peer.close();
    });

    it('200: a token with the first nonce; the code is good once, and not over draft 13', async () => {
      const { code } = await wallet.degree(issuer);
      const form = { grant_type: GRANT, 'pre-authorized_code': code };
      expect(outcome(await server.call('requestAccessToken', { form }))).to.deep.equal([400, 'invalid_grant']);
      const { status, body } = await wallet.redeem(code);
      expect(status).to.equal(200);
      expect(body).to.have.keys('access_token', 'token_type', 'expires_in', 'c_nonce', 'c_nonce_expires_in');
      expect(outcome(await wallet.redeem(code))).to.deep.equal([400, 'invalid_grant']);
    });

    it('200: the transaction code is the PIN; the fifth wrong one ends the code', async () => {
      const pinned = { txCode: {}, txCodeValue: '493536' };
      const { code } = await wallet.degree(issuer, pinned);
      expect(outcome(await wallet.redeem(code))).to.deep.equal([400, 'invalid_request']);
      const wrong = await wallet.redeem(code, { user_pin: '000000' });
      expect(wrong.body).to.deep.equal({
        error: 'invalid_grant',
        error_description: 'user_pin: the transaction code is wrong',
      });
      expect((await wallet.redeem(code, { user_pin: '493536' })).status).to.equal(200);
      const { code: guessed } = await wallet.degree(issuer, pinned);
      for (let guess = 0; guess < 5; guess += 1) await wallet.redeem(guessed, { user_pin: `${guess}` });
      expect(outcome(await wallet.redeem(guessed, { user_pin: '493536' }))).to.deep.equal([400, 'invalid_grant']);
    });
  });

  describe('requestDraft11Credential', () => {
    it('200: a W3C credential, by its types in any order', async () => {
      const { token, nonce } = await access();
      const { status, body } = await wallet.claim(token, wallet.asked(nonce, { types: DEGREE_TYPES.toReversed() }));
      expect([status, Object.keys(body)]).to.deep.equal([200, ['format', 'credential']]);
      expect(decodeJwt(body.credential).claims.sub).to.equal(wallet.holder.did);
    });

    it('200: an mdoc, by its document type', async () => {
      const { code } = await wallet.offer(licence(issuer), 'issueMdoc');
      const { body: redeemed } = await wallet.redeem(code);
      const proof = wallet.proof(redeemed.c_nonce);
      const asked = { format: 'mso_mdoc', doctype: MDL.docType, proof };
      const { status, body } = await wallet.claim(redeemed.access_token, asked);
      expect([status, body.format]).to.deep.equal([200, 'mso_mdoc']);
    });

    it('400: invalid_or_missing_proof with the next nonce, which is then good', async () => {
      const { token } = await access();
      const refused = await wallet.claim(token, wallet.asked('stale'));
      expect(outcome(refused)).to.deep.equal([400, 'invalid_or_missing_proof']);
      expect((await wallet.claim(token, wallet.asked(refused.body.c_nonce))).status).to.equal(200);
    });

    const refused: [string, Record<string, unknown>, string][] = [
      ['no format', { format: undefined }, 'invalid_request'],
      [
        'the name of a configuration',
        { format: undefined, credential_configuration_id: 'UniversityDegree_jwt_vc_json' },
        'invalid_request',
      ],
      ['another format', { format: 'ldp_vc' }, 'unsupported_credential_format'],
      ['other types', { types: ['VerifiableCredential'] }, 'unsupported_credential_type'],
      ['no proof', { proof: undefined }, 'invalid_or_missing_proof'],
    ];
    for (const [title, changes, error] of refused)
      it(`400: ${error} for ${title}`, async () => {
        const { token, nonce } = await access();
        expect(outcome(await wallet.claim(token, wallet.asked(nonce, changes)))).to.deep.equal([400, error]);
      });

    it('401: without a token, and with one of draft 13', async () => {
      const { token, nonce } = await access();
      expect((await server.call('requestDraft11Credential', { json: wallet.asked(nonce) })).status).to.equal(401);
      expect((await wallet.claim('unknown', wallet.asked(nonce))).body.error).to.equal('invalid_token');
      const answer = await server.call('requestCredential', { token, json: wallet.asked(nonce) });
      expect(answer.status).to.equal(401);
    });
  });

  describe('requestDraft11CredentialBatch', () => {
    it('200: all credentials with one nonce, or none', async () => {
      const { code } = await batchOf([degree(issuer), degree(issuer, { mapping: { id: '<uuid>' } })]);
      const { access_token: token, c_nonce: nonce } = (await wallet.redeem(code)).body;
      const wrong = await wallet.claimAll(token, [wallet.asked(nonce), wallet.asked(nonce, { format: 'ldp_vc' })]);
      expect(outcome(wrong)).to.deep.equal([400, 'unsupported_credential_format']);
      const { status, body } = await wallet.claimAll(token, [wallet.asked(nonce), wallet.asked(nonce)]);
      expect(status).to.equal(200);
      expect(body.credential_responses.map((one: object) => Object.keys(one))).to.deep.equal([
        ['format', 'credential'],
        ['format', 'credential'],
      ]);
    });

    it('400 and 401: for no requests, and an unknown token', async () => {
      const { token, nonce } = await access();
      expect(outcome(await wallet.claimAll(token, []))).to.deep.equal([400, 'invalid_request']);
      expect((await wallet.claimAll('unknown', [wallet.asked(nonce)])).status).to.equal(401);
    });

    it('503: while another request makes the credential, as at the credential endpoint', async () => {
      const peer = await new HttpPeer().listen();
      const { asked, answer } = peer.hold('/hook');
      const { token, nonce } = await access({ mapping: { note: `<webhook:${peer.url}/hook>` } });
      const first = wallet.claim(token, wallet.asked(nonce));
      await asked;
      for (const busy of [
        await wallet.claim(token, wallet.asked(nonce)),
        await wallet.claimAll(token, [wallet.asked(nonce)]),
      ])
        expect([busy.status, busy.headers.has('retry-after')]).to.deep.equal([503, true]);
      answer();
      expect((await first).status).to.equal(200);
      await peer.close();
    });
  });

  describe('requestDraft11DeferredCredential', () => {
    it('200: the acceptance token is exchanged for one credential, and the same one again', async () => {
      const { token, nonce } = await access({ issuanceType: 'DEFERRED' });
      const { body } = await wallet.claim(token, wallet.asked(nonce));
      expect(body).to.have.keys('format', 'acceptance_token');
      const answers = [await wallet.collect(body.acceptance_token), await wallet.collect(body.acceptance_token)];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(answers[0]?.body).to.have.keys('format', 'credential');
      expect(answers[1]?.body).to.deep.equal(answers[0]?.body);
      expect(decodeJwt(answers[0]?.body.credential).claims.sub).to.equal(wallet.holder.did);
    });

    it('400: issuance_pending while another request makes the credential', async () => {
      const peer = await new HttpPeer().listen();
      const { asked, answer } = peer.hold('/hook');
      const mapping = { note: `<webhook:${peer.url}/hook>` };
      const { token, nonce } = await access({ issuanceType: 'DEFERRED', mapping });
      const { acceptance_token } = (await wallet.claim(token, wallet.asked(nonce))).body;
      const first = wallet.collect(acceptance_token);
      await asked;
      expect(outcome(await wallet.collect(acceptance_token))).to.deep.equal([400, 'issuance_pending']);
      answer();
      expect((await first).status).to.equal(200);
      await peer.close();
    });

    it('401: for a token that is unknown, absent or an access token, and five minutes after the issuance', async () => {
      const { token, nonce } = await access({ issuanceType: 'DEFERRED' });
      const { acceptance_token } = (await wallet.claim(token, wallet.asked(nonce))).body;
      expect((await wallet.collect(acceptance_token)).status).to.equal(200);
      server.clock.advance(301_000);
      for (const one of ['unknown', token, acceptance_token])
        expect(outcome(await wallet.collect(one))).to.deep.equal([401, 'invalid_token']);
      expect((await server.call('requestDraft11DeferredCredential')).status).to.equal(401);
    });
  });

  const bodies: Record<string, { large: Call; foreign: Call }> = {
    requestDraft11Token: { large: { form: { client_id: LARGE } }, foreign: { json: {} } },
    requestDraft11Credential: { large: { json: { [LARGE]: 1 } }, foreign: { form: { a: 'b' } } },
    requestDraft11CredentialBatch: { large: { json: { [LARGE]: 1 } }, foreign: { form: { a: 'b' } } },
    pushDraft11Authorization: { large: { form: { client_id: LARGE } }, foreign: { json: {} } },
    answerDraft11Login: { large: { form: { state: LARGE } }, foreign: { json: {} } },
  };
  for (const [operationId, { large, foreign }] of Object.entries(bodies))
    it(`${operationId} 413 and 415: a body that is too large, or of another media type`, async () => {
      const { token } = await access();
      expect((await server.call(operationId, { token, ...large })).status).to.equal(413);
      expect((await server.call(operationId, { token, ...foreign })).status).to.equal(415);
    });
});
