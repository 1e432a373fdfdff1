import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { readRequest } from '../../actors/wallet.ts';
import { until } from '../../support/runs/waiting.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';
import type { PlantedServer } from './planted-server.ts';

/** Secrets of verifications. */
export function secretsOfVerification(on: PlantedServer): void {
  it('of verification: callback keys', async () => {
    const key = on.plant('callback key', canary());
    const headers = { statusCallbackUri: `${on.peer.url}/events`, statusCallbackApiKey: key };
    const json = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }] };
    const { body } = await on.call('startVerification', 200, { json, headers });
    await on.call('startVerification', 400, {
      json,
      headers: { ...headers, statusCallbackApiKey: `${key}\t`.repeat(400) },
    });
    const { state } = readRequest(body);
    await on.call('submitPresentation', 400, {
      path: { state },
      form: { vp_token: 'x', state, presentation_submission: '{}' },
    });
    const at = { path: { wallet: on.wallet.id }, token: on.wallet.token };
    const { body: request } = await on.call('startVerification', 200, { json, headers });
    const presented = { presentationRequest: request, selectedCredentials: [on.credentialId] };
    await on.call('presentCredentials', 200, { ...at, json: presented });
    await on.call('presentCredentials', 400, { ...at, json: presented });
    const carried = String(request).replace('response_mode=direct_post', 'response_mode=fragment');
    const shown = { ...presented, presentationRequest: carried.replace('&response_uri=', '&redirect_uri=') };
    const { body: opened } = await on.call('presentCredentials', 200, { ...at, json: shown });
    const token = new URLSearchParams(new URL(opened.redirectUri).hash.slice(1)).get('vp_token') ?? '';
    on.plant('response for a browser', token, ['presentCredentials']);
    expect(on.peer.seen.some((callback) => callback.headers.authorization === key)).to.equal(true);
    await on.call('getVerificationResult', 200, { path: { state } });
  });

  it('of verification sessions: keys, what webhooks are called with, and response codes', async () => {
    const vp = await Openid4vp.with(on.server);
    const { key, hash: clientId, x5c } = await certifiedKey();
    on.plant('jwk d', String(key.jwk.d), []);
    const [bearer_token, basic_auth_password] = [canary(), canary()];
    on.plant('webhook token of a session', bearer_token);
    on.plant('password of a webhook', basic_auth_password);
    const url = `${on.peer.url}/events`;
    const redirects = { success_redirect_uri: 'https://shop.example.org/done' };
    for (const credentials of [{ bearer_token }, { basic_auth_username: 'ada', basic_auth_password }]) {
      const core = { signed_request: true, encrypted_response: true, key, x5c, clientId };
      const json = crossDevice({ ...core, notifications: { webhook: { url, ...credentials } } }, { redirects });
      await on.call('createVerificationSession', 400, { json: { ...json, haip: true } });
      const { body: created } = await on.call('createVerificationSession', 200, { json });
      const request = await vp.request(created);
      const { body } = await vp.respond(request, await vp.response(request));
      const code = new URL(body.redirect_uri).searchParams.get('response_code') ?? '';
      on.plant('response code', code, ['submitAuthorizationResponse']);
      const path = { sessionId: created.sessionId };
      await on.call('redeemResponseCode', 400, { path, json: { response_code: `${code}x` } });
      await on.call('redeemResponseCode', 200, { path, json: { response_code: code } });
      await on.call('redeemResponseCode', 409, { path, json: { response_code: code } });
      await on.call('getVerificationSession', 200, { path });
    }
    const basic = `Basic ${Buffer.from(`ada:${basic_auth_password}`).toString('base64')}`;
    for (const authorization of [`Bearer ${bearer_token}`, basic])
      await until(() => on.peer.seen.some(({ headers }) => headers.authorization === authorization));
  });
}
