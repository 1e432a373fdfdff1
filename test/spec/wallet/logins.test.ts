import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, LOGIN, Openid4vp } from '../../actors/openid4vp.ts';
import { useServer } from '../../support/servers/server.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups and sessions are read in any member
type Json = Record<string, any>;

const dcql_query = {
  credentials: [
    { id: 'q', format: 'jwt_vc_json', meta: { type_values: [['VerifiableCredential', 'UniversityDegree']] } },
  ],
};

describe('logins of our wallet', () => {
  const server = useServer({ settings: CARD_SETTINGS });
  const peer = new HttpPeer();
  let vp: Openid4vp;
  let wallet: HolderOfAll;
  before(async () => {
    await peer.listen();
    vp = await Openid4vp.with(server);
    wallet = await holderOfAll(server);
  });
  after(() => peer.close());

  const asking = (core: Json = {}, login: Json = {}) =>
    vp.create(crossDevice({ dcql_query, ...core }, { openid: { ...LOGIN, ...login } }));
  const answer = (presentationRequest: string, more: Json = {}) => {
    const json = { presentationRequest, selectedCredentials: [wallet.ids.jwt_vc_json], ...more };
    return wallet.holder.call('presentCredentials', { json });
  };
  const describeRequest = (text: string) => wallet.holder.call('describePresentationRequest', { text });
  const refusedFor = async (created: Json, more: Json): Promise<string> => {
    const { status, body } = await answer(created.bootstrapAuthorizationRequestUrl, more);
    expect(status, JSON.stringify(body)).to.equal(400);
    expect(await vp.info(created)).to.include({ status: 'IN_USE', attempted: false });
    return body.details[0].path;
  };
  /** A request of a verifier of its own. */
  const foreign = (params: Record<string, string> = {}) => {
    const address = `${peer.url}/response`;
    const parties = { client_id: `redirect_uri:${address}`, response_uri: address, nonce: 'n', state: 's' };
    const asked = { response_type: 'id_token vp_token', response_mode: 'direct_post', scope: 'openid' };
    const query = { dcql_query: JSON.stringify(dcql_query) };
    return `openid4vp://?${new URLSearchParams({ ...parties, ...asked, ...query, ...params })}`;
  };

  describe('describePresentationRequest', () => {
    it('200: shows that a login is asked for, and which DIDs the verifier accepts', async () => {
      const { bootstrapAuthorizationRequestUrl: link } = await asking({}, { id_token_signed_response_alg: 'ES256' });
      const { login } = (await describeRequest(link)).body;
      expect(login.signingAlg).to.equal('ES256');
      expect(login.subjectTypes).to.include('did:jwk');
      expect((await describeRequest(foreign())).body.login).to.deep.equal({});
    });

    it('200: shows none where none is asked for', async () => {
      const { bootstrapAuthorizationRequestUrl: link } = await vp.create(crossDevice({ dcql_query }));
      expect((await describeRequest(link)).body).to.not.include.keys('login');
    });

    it('400: an ID token that the user does not sign, or without the scope', async () => {
      const wrong: Record<string, string> = { id_token_type: 'attester_signed_id_token', scope: 'profile' };
      for (const [name, value] of Object.entries(wrong))
        expect((await describeRequest(foreign({ [name]: value }))).status, name).to.equal(400);
    });
  });

  describe('presentCredentials', () => {
    for (const encrypted_response of [false, true])
      for (const signed_request of [false, true])
        it(`200: a login beside credentials${encrypted_response ? ', encrypted' : ''}${signed_request ? ', for a signed request' : ''}`, async () => {
          const { key, x5c, hash: clientId } = await certifiedKey();
          const created = await asking({
            encrypted_response,
            ...(signed_request && { signed_request, key, x5c, clientId }),
          });
          const { did: loginDid } = wallet.holder;
          const { status, body } = await answer(created.bootstrapAuthorizationRequestUrl, { loginDid });
          expect(status, JSON.stringify(body)).to.equal(200);
          const session = await vp.info(created);
          expect(session.status, JSON.stringify(session)).to.equal('SUCCESSFUL');
          expect(session.presented_id_token.subject).to.equal(loginDid);
        });

    it('200: to another verifier, as SIOPv2 says', async () => {
      peer.routes['/response'] = () => ({ status: 200, body: '{}' });
      const { did: loginDid } = wallet.holder;
      expect((await answer(foreign(), { loginDid })).status).to.equal(200);
      const token = new URLSearchParams(peer.seen.at(-1)?.body).get('id_token') ?? '';
      const { iat = 0, exp = 0, ...claims } = decodeJwt(token);
      const aud = `redirect_uri:${peer.url}/response`;
      expect(claims).to.deep.equal({ iss: loginDid, sub: loginDid, aud, nonce: 'n' });
      expect(exp - iat).to.equal(300);
      expect(decodeProtectedHeader(token).kid).to.match(/^did:.+#/);
      const logged = (await wallet.holder.call('listWalletEvents', { query: { filter: 'action=Present' } })).body.items;
      expect(logged.at(-1).data).to.include({ loginDid, responseHost: new URL(peer.url).host });
    });

    it('400: the user did not agree to the login; nothing is sent', async () => {
      expect(await refusedFor(await asking(), {})).to.equal('/body/loginDid');
    });

    it('prepareExternalPresentation 400: a login is not signed outside the wallet', async () => {
      const presentation_definition = JSON.stringify({
        id: 'd',
        input_descriptors: [{ id: 'q', constraints: { fields: [{ path: ['$.vc.type'] }] } }],
      });
      const prepare = (response_type: string) => {
        const presentationRequest = foreign({ response_type, dcql_query: '', presentation_definition });
        const { did } = wallet.holder;
        const json = { did, presentationRequest, selectedCredentialIdList: [wallet.ids.jwt_vc_json] };
        return wallet.holder.call('prepareExternalPresentation', { json });
      };
      const { status, body } = await prepare('vp_token id_token');
      expect([status, body.message]).to.match(/^400,.*without a login/);
      const alone = await prepare('vp_token');
      expect(alone.status, JSON.stringify(alone.body)).to.equal(200);
    });

    it('400: a login that is not asked for', async () => {
      const created = await vp.create(crossDevice({ dcql_query }));
      expect(await refusedFor(created, { loginDid: wallet.holder.did })).to.equal('/body/loginDid');
    });

    it('400: a DID of another wallet, of a method or with an algorithm that the verifier does not accept', async () => {
      const { did: loginDid } = wallet.holder;
      expect(await refusedFor(await asking(), { loginDid: vp.holder.did })).to.equal('/body/loginDid');
      const wrongKey = await asking({}, { id_token_signed_response_alg: 'ES512' });
      expect(await refusedFor(wrongKey, { loginDid })).to.equal('/body/loginDid');
      const sent = peer.seen.length;
      const client_metadata = JSON.stringify({ subject_syntax_types_supported: ['did:ebsi'] });
      expect((await answer(foreign({ client_metadata }), { loginDid })).body.details[0].path).to.equal(
        '/body/loginDid',
      );
      expect(peer.seen).to.have.length(sent);
    });
  });

  it('declinePresentationRequest 200: the session has the refusal', async () => {
    const created = await asking({ encrypted_response: true });
    const json = { presentationRequest: created.bootstrapAuthorizationRequestUrl };
    expect((await wallet.holder.call('declinePresentationRequest', { json })).status).to.equal(200);
    expect((await vp.info(created)).failure).to.include({ type: 'wallet_error_response', error: 'access_denied' });
  });
});
