import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { DEGREE, FinalIssuance } from '../../actors/openid4vci.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import type { Answer } from '../../support/servers/server.ts';

const outcome = ({ status, body }: Answer) => [status, body.error];
const detail = (id: unknown) => JSON.stringify([{ type: 'openid_credential', credential_configuration_id: id }]);

describe('OpenID4VCI 1.0, pre-authorized codes', () => {
  let issuance: FinalIssuance;
  const holder = makeHolderKey();
  before(async () => {
    issuance = await FinalIssuance.start();
  });
  after(() => issuance.close());

  describe('getOpenid4vciOffer', () => {
    it('200: shows the offer with its transaction code, but not the value', async () => {
      const { id, code, url, txCodeValue } = await issuance.offer({ txCode: { length: 4 } });
      const { body, headers } = await issuance.server.call('getOpenid4vciOffer', { query: { id } });
      expect(body).to.deep.equal({
        credential_issuer: `${issuance.server.url}/openid4vci`,
        credential_configuration_ids: [DEGREE],
        grants: { [GRANT]: { 'pre-authorized_code': code, tx_code: { input_mode: 'numeric', length: 4 } } },
      });
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(JSON.stringify(body)).to.not.include(txCodeValue);
      const uri = new URL(url).searchParams.get('credential_offer_uri');
      expect(uri).to.equal(`${issuance.server.url}/openid4vci/credential-offer?id=${id}`);
    });

    it('400 and 404: without an id, for an unknown one, and for an offer of draft 13', async () => {
      expect((await issuance.server.call('getOpenid4vciOffer')).status).to.equal(400);
      const query = { id: '0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11' };
      expect((await issuance.server.call('getOpenid4vciOffer', { query })).status).to.equal(404);
      const { id } = await issuance.offer();
      expect((await issuance.server.call('getCredentialOffer', { query: { id } })).status).to.equal(404);
    });
  });

  describe('requestOpenid4vciToken', () => {
    it('200: an opaque token without a nonce, for as long as the session has; the code is used then', async () => {
      const { code } = await issuance.offer();
      const { status, body, headers } = await issuance.redeem(code, { anything: 'ignored' });
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('access_token', 'token_type', 'expires_in');
      expect(body.expires_in).to.equal(900);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(outcome(await issuance.redeem(code))).to.deep.equal([400, 'invalid_grant']);
    });

    it('a code of 1.0 is unknown to the token endpoint of draft 13', async () => {
      const { code } = await issuance.offer();
      const form = { grant_type: GRANT, 'pre-authorized_code': code };
      expect(outcome(await issuance.server.call('requestAccessToken', { form }))).to.deep.equal([400, 'invalid_grant']);
      expect((await issuance.redeem(code)).status).to.equal(200);
    });

    it('400: a transaction code that is missing, needless or wrong; the right one is good afterwards', async () => {
      const { code, txCodeValue = '' } = await issuance.offer({ txCode: {} });
      expect(outcome(await issuance.redeem(code))).to.deep.equal([400, 'invalid_request']);
      const wrong = txCodeValue === '000000' ? '000001' : '000000';
      expect(outcome(await issuance.redeem(code, { tx_code: wrong }))).to.deep.equal([400, 'invalid_grant']);
      expect((await issuance.redeem(code, { tx_code: txCodeValue })).status).to.equal(200);
      const plain = await issuance.offer();
      expect(outcome(await issuance.redeem(plain.code, { tx_code: '1' }))).to.deep.equal([400, 'invalid_request']);
    });

    it('200: authorization details are answered with identifiers, which claim the credential', async () => {
      const { code } = await issuance.offer();
      const { body } = await issuance.redeem(code, { authorization_details: detail(DEGREE) });
      const [{ credential_configuration_id, credential_identifiers }] = body.authorization_details;
      expect([credential_configuration_id, credential_identifiers]).to.deep.equal([DEGREE, [`${DEGREE}-0`]]);
      const proofs = { jwt: [issuance.proof(holder, { nonce: await issuance.nonce() })] };
      const claim = { credential_identifier: credential_identifiers[0], proofs };
      expect((await issuance.claim(body.access_token, claim)).status).to.equal(200);
    });

    for (const [title, details] of [
      ['that name nothing of the offer', detail('Other')],
      ['without a configuration', detail(undefined)],
      ['of another type', '[{"type":"other"}]'],
      ['that are no list', '{}'],
    ] as const)
      it(`400: invalid_authorization_details for details ${title}; the code stays good`, async () => {
        const { code } = await issuance.offer();
        const refused = await issuance.redeem(code, { authorization_details: details });
        expect(outcome(refused)).to.deep.equal([400, 'invalid_authorization_details']);
        expect((await issuance.redeem(code)).status).to.equal(200);
      });

    it('400: no or another grant', async () => {
      const { code } = await issuance.offer();
      expect(outcome(await issuance.redeem(code, { grant_type: 'password' }))).to.deep.equal([
        400,
        'unsupported_grant_type',
      ]);
      expect(outcome(await issuance.server.call('requestOpenid4vciToken', { form: {} }))).to.deep.equal([
        400,
        'invalid_request',
      ]);
    });
  });

  describe('requestOpenid4vciNonce', () => {
    it('200: a fresh nonce for no cache, good for one request and for five minutes', async () => {
      const { body, headers } = await issuance.server.call('requestOpenid4vciNonce');
      expect(headers.get('cache-control')).to.equal('no-store');
      const token = await issuance.access();
      issuance.server.clock.advance(299_000);
      const claimed = await issuance.claimFor(token, [holder], body.c_nonce);
      expect(claimed.status, JSON.stringify(claimed.body)).to.equal(200);
      const other = await issuance.access();
      expect(outcome(await issuance.claimFor(other, [holder], body.c_nonce))).to.deep.equal([400, 'invalid_nonce']);
      const late = await issuance.nonce();
      issuance.server.clock.advance(300_000);
      expect(outcome(await issuance.claimFor(other, [holder], late))).to.deep.equal([400, 'invalid_nonce']);
      expect((await issuance.claimFor(other, [holder])).status).to.equal(200);
    });
  });

  describe('requestOpenid4vciCredential', () => {
    it('200: the credential, signed by the issuer for the holder', async () => {
      const { status, body, headers } = await issuance.claimFor(await issuance.access(), [holder]);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('credentials', 'notification_id');
      expect(headers.get('cache-control')).to.equal('no-store');
      const { claims, verifies } = decodeJwt(body.credentials[0].credential);
      expect(verifies(issuance.issuer.issuerKey.jwk)).to.equal(true);
      expect([claims.iss, claims.sub]).to.deep.equal([issuance.issuer.issuerDid, holder.did]);
    });

    it('200: a credential of the same data for each of 20 keys, in their order', async () => {
      const holders = Array.from({ length: 20 }, makeHolderKey);
      const { status, body } = await issuance.claimFor(await issuance.access(), holders);
      expect(status, JSON.stringify(body)).to.equal(200);
      const all = body.credentials.map(({ credential }: { credential: string }) => decodeJwt(credential).claims);
      expect(all.map(({ sub }: { sub: string }) => sub)).to.deep.equal(holders.map(({ did }) => did));
      const names = all.map(
        ({ vc }: { vc: { credentialSubject: { degree: unknown } } }) => vc.credentialSubject.degree,
      );
      expect(new Set(names.map((name: unknown) => JSON.stringify(name))).size).to.equal(1);
    });

    it('200: a wallet that lost the answer gets the same credentials again, never others', async () => {
      const token = await issuance.access();
      const first = await issuance.claimFor(token, [holder]);
      expect((await issuance.claimFor(token, [holder])).body).to.deep.equal(first.body);
      expect(outcome(await issuance.claimFor(token, [makeHolderKey()]))).to.deep.equal([400, 'invalid_proof']);
    });

    it('of ten requests at once with one nonce exactly one is served', async () => {
      const tokens = await Promise.all(Array.from({ length: 10 }, () => issuance.access()));
      const nonce = await issuance.nonce();
      const answers = await Promise.all(tokens.map((token) => issuance.claimFor(token, [holder], nonce)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ body }) => body.error === 'invalid_nonce')).to.have.length(9);
    });

    const PROOFS = { jwt: ['eyJhbGciOiJFUzI1NiJ9.e30.c2ln'] };
    const refused: [string, Record<string, unknown>, string][] = [
      ['neither a configuration nor an identifier', { proofs: PROOFS }, 'invalid_credential_request'],
      [
        'both',
        { credential_configuration_id: DEGREE, credential_identifier: 'a', proofs: PROOFS },
        'invalid_credential_request',
      ],
      [
        'another configuration',
        { credential_configuration_id: 'Other', proofs: PROOFS },
        'unknown_credential_configuration',
      ],
      ['another identifier', { credential_identifier: `${DEGREE}-7`, proofs: PROOFS }, 'unknown_credential_identifier'],
      ['no proofs', { credential_configuration_id: DEGREE }, 'invalid_proof'],
      ['empty proofs', { credential_configuration_id: DEGREE, proofs: { jwt: [] } }, 'invalid_proof'],
      ['21 proofs', { credential_configuration_id: DEGREE, proofs: { jwt: Array(21).fill('a') } }, 'invalid_proof'],
      [
        'proofs of two types',
        { credential_configuration_id: DEGREE, proofs: { ...PROOFS, attestation: ['a'] } },
        'invalid_proof',
      ],
      [
        'a proof of another type',
        { credential_configuration_id: DEGREE, proofs: { attestation: ['a'] } },
        'invalid_proof',
      ],
      ['a proof that is no JWT', { credential_configuration_id: DEGREE, proofs: { jwt: ['a'] } }, 'invalid_proof'],
      [
        'an encrypted response',
        { credential_configuration_id: DEGREE, proofs: PROOFS, credential_response_encryption: {} },
        'invalid_encryption_parameters',
      ],
    ];
    for (const [title, json, error] of refused)
      it(`400: ${error} for ${title}; the credential can be claimed afterwards`, async () => {
        const token = await issuance.access();
        expect(outcome(await issuance.claim(token, json))).to.deep.equal([400, error]);
        expect((await issuance.claimFor(token, [holder])).status).to.equal(200);
      });

    const wrong: [string, { header?: object; claims?: object; noNonce?: boolean }, string][] = [
      ['for another issuer', { claims: { aud: 'https://other.example' } }, 'invalid_proof'],
      ['without an audience', { claims: { aud: undefined } }, 'invalid_proof'],
      ['without a nonce', { noNonce: true }, 'invalid_proof'],
      ['that is signed by another key', { header: { kid: `${makeHolderKey().did}#0` } }, 'invalid_proof'],
      ['of another type', { header: { typ: 'JWT' } }, 'invalid_proof'],
    ];
    for (const [title, { noNonce, ...changes }, error] of wrong)
      it(`400: ${error} for a proof ${title}; its nonce stays good`, async () => {
        const token = await issuance.access();
        const nonce = await issuance.nonce();
        const jwt = [issuance.proof(holder, { nonce: noNonce ? undefined : nonce, ...(changes as object) })];
        const answer = await issuance.claim(token, { credential_configuration_id: DEGREE, proofs: { jwt } });
        expect(outcome(answer)).to.deep.equal([400, error]);
        expect((await issuance.claimFor(token, [holder], nonce)).status).to.equal(200);
      });

    it('400: invalid_proof for two proofs of one key', async () => {
      const token = await issuance.access();
      expect(outcome(await issuance.claimFor(token, [holder, holder]))).to.deep.equal([400, 'invalid_proof']);
      expect((await issuance.claimFor(token, [holder, makeHolderKey()])).body.credentials).to.have.length(2);
    });

    it('401: without a token, and for one of draft 13 or of no session', async () => {
      for (const token of [undefined, 'unknown']) {
        const json = { credential_configuration_id: DEGREE, proofs: PROOFS };
        const answer = await issuance.server.call('requestOpenid4vciCredential', { token, json });
        expect(answer.status).to.equal(401);
        expect(answer.headers.get('www-authenticate')).to.match(
          /^DPoP (error="invalid_token", )?algs="EdDSA ES256", Bearer/,
        );
      }
    });
  });

  describe('notifyOpenid4vciIssuer', () => {
    const notify = (token: string | undefined, notification_id: unknown, event = 'credential_accepted') =>
      issuance.server.call('notifyOpenid4vciIssuer', { token, json: { notification_id, event } });

    it('204: a wallet that accepted the credentials can ask for them again; one that did not, cannot', async () => {
      const token = await issuance.access();
      const { body } = await issuance.claimFor(token, [holder]);
      for (let time = 0; time < 2; time += 1) expect((await notify(token, body.notification_id)).status).to.equal(204);
      expect((await issuance.claimFor(token, [holder])).body).to.deep.equal(body);
      expect((await notify(token, body.notification_id, 'credential_deleted')).status).to.equal(204);
      expect((await issuance.claimFor(token, [holder])).status).to.be.oneOf([400, 401]);
    });

    it('400: an id of another session or of nothing issued, and an unknown event', async () => {
      const [token, other] = [await issuance.access(), await issuance.access()];
      const { notification_id: id } = (await issuance.claimFor(other, [holder])).body;
      for (const unknown of [id, 'unknown', id.replace(/\.0$/, '.1')])
        expect(outcome(await notify(token, unknown))).to.deep.equal([400, 'invalid_notification_id']);
      expect(outcome(await notify(other, id, 'stolen'))).to.deep.equal([400, 'invalid_notification_request']);
      expect((await notify(other, id)).status).to.equal(204);
    });

    it('401: without a token or with an unknown one', async () => {
      for (const token of [undefined, 'unknown']) expect((await notify(token, 'a')).status).to.equal(401);
    });
  });
});
