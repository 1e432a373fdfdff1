import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer } from '../../../demo/actors/issuer.ts';
import { Draft11Wallet } from '../../actors/draft11.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { credentialRequest, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';
import { changed, foreign, lackedBy } from '../../support/kms/cloud-configs.ts';
import { until } from '../../support/runs/waiting.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import type { Json, PlantedServer } from './planted-server.ts';

/** Secrets of issuers and of those who are issued to. */
export function secretsOfIssuance(on: PlantedServer): void {
  it('of issuers: private keys and the credentials of the clouds, in requests that succeed and that fail', async () => {
    const { body } = await on.call('onboardIssuer', 200, { json: { key: { backend: 'jwk', keyType: 'secp256r1' } } });
    on.plant('jwk d', body.issuerKey.jwk.d, ['onboardIssuer']);
    on.issuers.push(body);
    for (const [cloud, { key }] of Object.entries(on.clouds)) {
      on.issuers.push((await on.call('onboardIssuer', 200, { json: { key } })).body);
      const change = (members: object) => ({ key: { ...key, config: changed(key.config as Json, members) } });
      await on.call('onboardIssuer', 400, { json: change({ unknown: 'x' }) });
      await on.call('onboardIssuer', 400, { json: { key: { ...key, keyType: lackedBy(String(key.backend)) } } });
      await on.call('onboardIssuer', [400, 502, 504], { json: change(foreign(cloud)) });
    }
    const [{ name: token, accessKey } = { name: '', accessKey: '' }] = on.server.settings.kms.pkcs11.tokens;
    for (const [stated, status] of [[accessKey, 502] as const, [`${accessKey}x`, 400] as const]) {
      const config = { token, auth: { accessKey: stated } };
      await on.call('onboardIssuer', status, { json: { key: { backend: 'pkcs11', keyType: 'secp256r1', config } } });
    }
    for (const issuer of on.issuers) {
      await on.call('issueJwtCredential', 400, { json: degree(issuer, { issuerDid: 'did:jwk:e30' }) });
      await on.call('issueJwtCredential', 400, { json: degree(issuer, { mapping: { id: '<unknown>' } }) });
      await on.call('issueJwtCredentialBatch', 400, { json: [degree(issuer), 7] });
    }
    const [own] = on.issuers;
    const twice = { ...own?.issuerKey, more: own?.issuerKey.jwk };
    await on.call('issueJwtCredential', 400, {
      json: degree({ issuerDid: own?.issuerDid ?? '', issuerKey: twice as never }),
    });
  });

  it('of issuance: codes, access tokens and transaction codes', async () => {
    const pin = on.plant('transaction code', canary());
    const code = on.plant('authorization code', canary());
    await on.call('requestOpenid4vciToken', 400, {
      form: { grant_type: 'authorization_code', code, code_verifier: code },
    });
    for (const issuer of on.issuers) {
      const offer = await makeOffer(on.server, degree(issuer), {
        headers: { statusCallbackUri: `${on.peer.url}/events` },
      });
      on.plant('pre-authorized code', offer.code, ['getCredentialOffer', 'callback']);
      await on.call('requestAccessToken', 400, {
        form: { grant_type: GRANT, 'pre-authorized_code': offer.code, tx_code: pin },
      });
      const { body } = await redeem(on.server, offer.code);
      const access = on.plant('access token', body.access_token, ['requestAccessToken']);
      await redeem(on.server, offer.code);
      const proof = proofOf(on.server, makeHolderKey(), { nonce: body.c_nonce });
      await requestCredential(on.server, `${access}x`, credentialRequest(proof));
      await requestCredential(on.server, access, { ...credentialRequest(proof), format: access });
      const { status } = await requestCredential(on.server, access, credentialRequest(proof));
      expect(status).to.equal(200);
    }
    const [issuer] = on.issuers as [Issuer];
    const { body: link } = await on.call('issueJwtCredential', 200, { json: degree(issuer) });
    const { body: offered } = await on.server.fetch(new URL(linked(link)).pathname + new URL(linked(link)).search);
    on.plant('pre-authorized code', offered.grants[GRANT]['pre-authorized_code'], ['resolveCredentialOffer']);
    const at = { path: { wallet: on.wallet.id }, token: on.wallet.token };
    await on.call('resolveCredentialOffer', 200, { ...at, text: link });
    await on.call('acceptCredentialOffer', [200, 400], { ...at, text: link, query: { pinOrTxCode: pin } });
    const { body: another } = await on.call('issueJwtCredential', 200, { json: degree(issuer) });
    const { body: accepted } = await on.call('acceptCredentialOffer', 200, { ...at, text: another });
    on.credentialId = accepted[0].id;
    await on.call('acceptCredentialOffer', 400, { ...at, text: another });
  });

  it('of deferred issuance in draft 11: acceptance tokens', async () => {
    const wallet = new Draft11Wallet(on.server);
    const { code } = await wallet.degree(on.issuers[0] as Issuer, { issuanceType: 'DEFERRED' });
    on.plant('pre-authorized code', code, ['getDraft11Offer']);
    const { body: tokens } = await wallet.redeem(code);
    on.plant('access token', tokens.access_token, ['requestDraft11Token']);
    const { body } = await wallet.claim(tokens.access_token, wallet.asked(tokens.c_nonce));
    const acceptance = on.plant('acceptance token', body.acceptance_token, ['requestDraft11Credential']);
    const statuses = [await wallet.collect(`${acceptance}x`), await wallet.collect(acceptance)];
    expect(statuses.map(({ status }) => status)).to.deep.equal([401, 200]);
  });

  it('of status tokens: what revokes', async () => {
    const { body } = await on.call('createStatusToken', 201, {});
    const text = on.plant('base token', body.baseToken, ['createStatusToken']);
    await on.call('revokeCredential', 200, { text });
    await on.call('revokeCredential', 404, { text: text.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) });
    await on.call('getStatusToken', 200, { path: { id: body.token } });
  });

  it('of managed offers: keys, transaction codes and what webhooks are called with', async () => {
    const [issuer] = on.issuers as [Issuer];
    const webhook = {
      url: `${on.peer.url}/events`,
      bearerToken: on.plant('webhook token', canary()),
      signingSecret: on.plant('webhook secret', `secret-${canary()}`),
    };
    const txCodeValue = on.plant('transaction code of an offer', canary(), ['createCredentialOffer']);
    const json = {
      profileId: 'UniversityDegree_jwt_vc_json',
      authMethod: 'PRE_AUTHORIZED',
      txCode: { input_mode: 'text' },
      txCodeValue,
      reference: on.plant('reference of a case', canary(), ['getIssuanceSession', 'listIssuanceSessions']),
      recipient: on.plant('recipient of an offer', canary(), ['getIssuanceSession']),
      runtimeOverrides: { ...issuer, notifications: { webhook } },
    };
    const { body } = await on.call('createCredentialOffer', 201, { json });
    await on.call('createCredentialOffer', 409, { json: { ...json, sessionId: body.offerId } });
    await on.call('createCredentialOffer', 400, { json: { ...json, authMethod: 'AUTHORIZED' } });
    await on.call('createCredentialOffer', 400, { json: { ...json, txCode: { length: 3 } } });
    await on.call('getIssuanceSession', 200, { path: { sessionId: body.offerId } });
    const uri = new URL(new URL(body.credentialOffer).searchParams.get('credential_offer_uri') ?? '');
    const { body: offer } = await on.call('getOpenid4vciOffer', 200, {
      query: { id: uri.searchParams.get('id') ?? '' },
    });
    const code = on.plant('pre-authorized code', offer.grants[GRANT]['pre-authorized_code'], ['getOpenid4vciOffer']);
    const form = { grant_type: GRANT, 'pre-authorized_code': code, tx_code: txCodeValue, client_id: 'wallet' };
    const { body: tokens } = await on.call('requestOpenid4vciToken', 200, { form });
    on.plant('access token', tokens.access_token, ['requestOpenid4vciToken']);
    const refresh = on.plant('refresh token', tokens.refresh_token, ['requestOpenid4vciToken']);
    const again = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'wallet' };
    await on.call('requestOpenid4vciToken', 400, { form: { ...again, refresh_token: `${refresh}x` } });
    const next = await on.call('requestOpenid4vciToken', 200, { form: again });
    on.plant('refresh token', next.body.refresh_token, ['requestOpenid4vciToken']);
    await on.call('requestOpenid4vciToken', 200, { form: { ...again, refresh_token: next.body.refresh_token } });
    await on.call('requestOpenid4vciToken', 400, { form: again });
    for (const list of ['listIssuanceSessions', 'listIssuanceProfiles']) await on.call(list, 200);
    await on.call('deleteIssuanceRecipient', 204, { path: { sessionId: body.offerId } });
    await until(() => on.peer.seen.some(({ headers }) => headers.authorization === `Bearer ${webhook.bearerToken}`));
  });
}

const linked = (offer: string): string => new URL(offer).searchParams.get('credential_offer_uri') ?? '';
