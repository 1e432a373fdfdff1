import { expect } from 'chai';
import { type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { CodeWallet, returned } from '../../actors/draft-authorization.ts';
import { DEGREE_TYPES } from '../../actors/draft11.ts';
import { LoginServer } from '../../actors/login-server.ts';
import { keyParty } from '../../actors/party.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';

const outcome = ({ status, body }: Answer) => [status, body.error];

describe('OpenID4VCI draft 11, authorization codes and metadata', () => {
  let login: LoginServer;
  const server = useServer(async () => {
    login = await LoginServer.start();
    return { settings: { authenticationService: { server: login.settings } } };
  });
  after(() => login.close());
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  describe('requestDraft11Authorization', () => {
    const codes = new CodeWallet(server, 'draft11');

    it('302: a code of draft 11, limited by types; it becomes a token and that a credential', async () => {
      const detail = { type: 'openid_credential', format: 'jwt_vc_json', types: DEGREE_TYPES };
      const authorization_details = JSON.stringify([detail]);
      const answer = await codes.authorize(await codes.offer(issuer), { authorization_details });
      const { code, iss } = returned(answer);
      expect([answer.status, iss]).to.deep.equal([302, `${server.url}/draft11`]);
      expect((await codes.claim(code)).status).to.equal(200);
    });

    it('400: without a client, and for an offer of draft 13', async () => {
      expect((await codes.authorize('x', { client_id: undefined })).status).to.equal(400);
      const other = await new CodeWallet(server).offer(issuer);
      expect(returned(await codes.authorize(other)).error).to.equal('invalid_request');
    });

    it('a code that is used again makes the acceptance token of its credential void', async () => {
      const redeemed = async () => {
        const state = await codes.offer(issuer, { issuanceType: 'DEFERRED' });
        const { code } = returned(await codes.authorize(state));
        return { code, token: (await codes.claim(code)).body.acceptance_token as string };
      };
      const [first, second] = [await redeemed(), await redeemed()];
      expect(outcome(await codes.redeem(first.code))).to.deep.equal([400, 'invalid_grant']);
      const collect = (token: string) => server.call('requestDraft11DeferredCredential', { token });
      expect(outcome(await collect(first.token))).to.deep.equal([401, 'invalid_token']);
      expect((await collect(second.token)).status).to.equal(200);
    });

    it('302: a login at another server ends in a code of draft 11', async () => {
      const started = await codes.authorize(await codes.offer(issuer, { authenticationMethod: 'PWD' }));
      const answer = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' });
      const query = Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
      const { code } = returned(await server.call('finishExternalLogin', { query }));
      expect((await codes.claim(code)).status).to.equal(200);
    });

    describe('pushDraft11Authorization', () => {
      it('201 and 400: a reference that becomes a code, and a request that is refused', async () => {
        const { status, body } = await codes.push(await codes.offer(issuer));
        expect(status).to.equal(201);
        expect((await codes.claim(returned(await codes.open(body.request_uri)).code)).status).to.equal(200);
        expect(outcome(await codes.push('unknown'))).to.deep.equal([400, 'invalid_request']);
      });
    });

    describe('answerDraft11Login', () => {
      it('302 and 400: an ID token becomes a code, once', async () => {
        const holder = await keyParty();
        const state = await codes.offer(issuer, { authenticationMethod: 'ID_TOKEN' });
        const asked = returned(await codes.authorize(state));
        expect(asked.redirect_uri).to.equal(`${server.url}/draft11/direct_post`);
        const iat = Math.floor(server.clock.now() / 1000);
        const { client_id: aud, nonce } = asked;
        const id_token = await holder.sign({ iss: holder.did, sub: holder.did, aud, nonce, iat, exp: iat + 60 });
        const form = { state: asked.state ?? '', id_token };
        expect(outcome(await server.call('answerLogin', { form }))).to.deep.equal([400, 'invalid_request']);
        const { code } = returned(await server.call('answerDraft11Login', { form }));
        expect((await codes.claim(code)).status).to.equal(200);
        expect((await server.call('answerDraft11Login', { form })).status).to.equal(400);
      });
    });
  });

  describe('the metadata', () => {
    const issuerUrl = () => `${server.url}/draft11`;

    describe('getDraft11IssuerMetadata', () => {
      it('200: has a list of credentials in the formats of draft 11, within what wallets read', async () => {
        const { body } = await server.call('getDraft11IssuerMetadata');
        const at = issuerUrl();
        expect(body).to.include({
          credential_issuer: at,
          authorization_server: at,
          batch_credential_endpoint: `${at}/batch_credential`,
        });
        const formats = new Set(body.credentials_supported.map(({ format }: { format: string }) => format));
        expect([...formats].sort()).to.deep.equal(['jwt_vc_json', 'mso_mdoc']);
        expect(JSON.stringify(body).length).to.be.below(64 * 1024);
      });
    });

    for (const operationId of [
      'getDraft11ServerMetadata',
      'getDraft11ServerMetadataOfHost',
      'getDraft11OpenidConfiguration',
    ])
      describe(operationId, () => {
        it('200: names the endpoints of draft 11', async () => {
          const { body } = await server.call(operationId);
          const at = issuerUrl();
          expect(body).to.include({
            issuer: at,
            token_endpoint: `${at}/token`,
            authorization_endpoint: `${at}/authorize`,
          });
        });
      });

    describe('getDraft11JwtVcIssuer', () => {
      it('200: says where the keys are', async () => {
        const { body } = await server.call('getDraft11JwtVcIssuer');
        expect(body).to.deep.equal({ issuer: issuerUrl(), jwks_uri: `${issuerUrl()}/jwks` });
      });
    });

    describe('listDraft11Keys', () => {
      it('200: the keys of draft 13', async () => {
        const [one, other] = [await server.call('listDraft11Keys'), await server.call('getIssuerKeys')];
        expect(one.body).to.deep.equal(other.body);
      });
    });
  });
});
