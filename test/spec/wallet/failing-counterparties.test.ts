import { expect } from 'chai';
import { REDIRECT_URI } from '../../actors/attested-wallet.ts';
import { browse, giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { CARD_SETTINGS, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer, type PeerReply } from '../../actors/http-peer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import type { WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

type Json = Record<string, unknown>;

/** What a counterparty does, and the status that the caller of the wallet gets. */
const FAILURES: Record<number, PeerReply | undefined> = { 502: { status: 500 }, 504: undefined };
const DEGREE = 'Degree_jwt_vc_json';

describe('wallet API 2: a counterparty that fails, or does not answer', () => {
  const wallet = { redirectUris: [REDIRECT_URI] };
  const server = useServer({ settings: { ...CARD_SETTINGS, wallet }, outboundTimeoutMs: 2500 });
  const peer = new HttpPeer();
  let issuer: TestIssuer;
  let holder: WalletUser;
  let card: string;
  before(async () => {
    await peer.listen();
    const { holder: user, ids } = await holderOfAll(server);
    [holder, card] = [user, ids['dc+sd-jwt'] ?? ''];
    issuer = await startIssuer();
    giveCodes(issuer);
  });
  after(async () => {
    await Promise.all([peer.close(), issuer.close()]);
  });

  const call = (operationId: string, json: Json) => holder.call(operationId, { json });
  /** A call of each operation that reaches the counterparty. */
  const calls = (): Record<string, Json> => {
    const offerUrl = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(`${peer.url}/offer`)}`;
    const requestUrl = `openid4vp://?client_id=shop&request_uri=${encodeURIComponent(`${peer.url}/request`)}`;
    const named = { credentialConfigurationId: DEGREE, accessToken: 'any' };
    return {
      receiveCredentials: { offerUrl },
      resolveOffer: { offerUrl },
      resolveOfferBatch: { offerUrl },
      createAuthorizationUrl: { offerUrl, redirectUri: REDIRECT_URI },
      createAuthorizationUrlBatch: { offerUrl, redirectUri: REDIRECT_URI },
      requestToken: { tokenEndpoint: `${peer.url}/token`, preAuthorizedCode: 'any' },
      requestNonce: { credentialIssuer: peer.url },
      signProof: { issuerUrl: peer.url, credentialConfigurationId: DEGREE },
      fetchCredential: { ...named, credentialEndpoint: `${peer.url}/credential` },
      collectDeferred: { ...named, transactionId: 'any', credentialIssuerBaseUrl: peer.url },
      presentToVerifier: { requestUrl },
      presentGivenCredentials: { requestUrl, credentials: [] },
      resolveRequest: { requestUrl },
      previewRequest: { requestUrl },
      buildVpToken: { requestUrl },
      rejectRequest: { requestUrl },
    };
  };

  for (const [status, reply] of Object.entries(FAILURES))
    it(`receiveCredentials, resolveOffer, createAuthorizationUrl, requestToken, requestNonce, signProof, fetchCredential ${status}`, async () => {
      peer.other = () => reply;
      const answers = await Promise.all(
        Object.entries(calls()).map(async ([name, json]) => [name, (await call(name, json)).status]),
      );
      expect(answers).to.deep.equal(Object.keys(calls()).map((name) => [name, Number(status)]));
    });

  for (const [status, reply] of Object.entries(FAILURES))
    it(`exchangeCode, receiveAuthorized, receiveAuthorizedBatch ${status}: at the token endpoint`, async () => {
      const token = issuer.peer.routes['/issuer/token'];
      const [named, selected] = [
        { credentialEndpoint: `${issuer.issuer}/credential` },
        { credentialConfigurationId: DEGREE },
      ];
      const issuers: Record<string, Json> = {
        exchangeCode: { credentialIssuerBaseUrl: issuer.issuer },
        receiveAuthorized: { ...named, ...selected, credentialIssuer: issuer.issuer },
        receiveAuthorizedBatch: { ...named, credentials: [selected], credentialIssuer: issuer.issuer },
      };
      for (const [name, more] of Object.entries(issuers)) {
        const begun = await call('createAuthorizationUrl', { offerUrl: loginOffer(issuer), redirectUri: REDIRECT_URI });
        const { code, iss, state } = await browse(begun.body.authorizationUrl, REDIRECT_URI);
        issuer.peer.routes['/issuer/token'] = () => reply;
        expect((await call(name, { code, iss, state, ...more })).status, name).to.equal(Number(status));
        if (token) issuer.peer.routes['/issuer/token'] = token;
      }
    });

  it('sendResponse 504: the response can be sent again', async () => {
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card:1'] } };
    const parameters = {
      ...{ response_type: 'vp_token', response_mode: 'direct_post', nonce: 'n' },
      client_id: `redirect_uri:${peer.url}/response`,
      response_uri: `${peer.url}/response`,
      dcql_query: JSON.stringify({ credentials: [query] }),
    };
    const requestUrl = `openid4vp://?${new URLSearchParams(parameters)}`;
    const selectedCredentialOptions = [{ queryId: 'card', credentialId: card }];
    const { vpToken } = (await call('buildVpToken', { requestUrl, selectedCredentialOptions })).body;
    peer.routes['/response'] = () => undefined;
    expect((await call('sendResponse', { requestUrl, vpToken })).status).to.equal(504);
    peer.routes['/response'] = () => ({});
    expect((await call('sendResponse', { requestUrl, vpToken })).status).to.equal(200);
  });
});
