import { expect } from 'chai';
import { REDIRECT_URI } from '../../actors/attested-wallet.ts';
import { errorOf, expectError, expectSecret, sentBackTo, useHaipIssuer } from './client.ts';

describe('The HAIP plan of the conformance suite, FAPI 2: flows', () => {
  const module = useHaipIssuer();

  module('fapi2-security-profile-final-discovery-end-point-verification', async ({ server, issuer }) => {
    const { status, body, headers } = await server.call('getOpenid4vciServerMetadata');
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
    expect(body).to.deep.include({
      issuer,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(body.require_pushed_authorization_requests).to.be.a('boolean');
    for (const name of ['authorization', 'token', 'pushed_authorization_request'])
      expect(new URL(body[`${name}_endpoint`]).origin).to.equal(server.url);
    const algorithms = Object.entries<string[]>(body).filter(([name]) => name.endsWith('signing_alg_values_supported'));
    expect(algorithms.map(([name]) => name)).to.include('dpop_signing_alg_values_supported');
    for (const [, names] of algorithms) for (const name of names) expect(['PS256', 'ES256', 'EdDSA']).to.include(name);
    expect(body.token_endpoint_auth_methods_supported).to.include('attest_jwt_client_auth');
    expect(body).to.not.have.property('id_token_signing_alg_values_supported');
  });

  module('fapi2-security-profile-final-happy-flow', async (first) => {
    const tokens = await first.flow();
    await first.expectCredential(tokens.access_token);
    const query = { access_token: tokens.access_token };
    const inQuery = await first.server.call('requestOpenid4vciCredential', { query, json: {} });
    expect(inQuery.status).to.equal(401);
    for (const accept of ['application/json; charset=utf-8', 'application/json, */*'])
      await first.expectCredential(tokens.access_token, {}, { accept });
    const second = await first.another();
    const redirectUri = `${REDIRECT_URI}?dummy1=lorem&dummy2=ipsum`;
    const changes = { redirect_uri: redirectUri, dpop_jkt: second.thumbprint };
    const landing = sentBackTo(await second.open(await second.reference(changes)));
    expect(landing).to.include({ dummy1: 'lorem', dummy2: 'ipsum', iss: second.issuer });
    const answer = await second.redeem(landing.code ?? '', { redirect_uri: redirectUri });
    expect(answer.status).to.equal(200);
    await second.expectCredential(answer.body.access_token);
    // The token of the second client with the key of the first one.
    expectError(await first.claim(answer.body.access_token), [400, 401], 'invalid_token');
  });

  module('fapi2-security-profile-final-user-rejects-authentication', async (client) => {
    client.login.behaviour.error = 'access_denied';
    try {
      const state = 's'.repeat(128);
      const answer = sentBackTo(await client.open(await client.reference({ state }), { state }));
      expect(answer).to.deep.include({ error: 'access_denied', state, iss: client.issuer });
      expect(answer).to.not.have.property('code');
      const second = await client.another();
      const redirectUri = `${REDIRECT_URI}?dummy1=lorem&dummy2=ipsum`;
      const other = sentBackTo(await second.open(await second.reference({ redirect_uri: redirectUri })));
      expect(other).to.include({ error: 'access_denied', dummy1: 'lorem', dummy2: 'ipsum' });
    } finally {
      client.login.behaviour.error = undefined;
    }
  });

  module('fapi2-security-profile-final-ensure-authorization-request-without-state-success', async (client) => {
    const without = { state: undefined };
    const { code, ...others } = sentBackTo(await client.open(await client.reference(without), without));
    expect(others).to.deep.equal({ iss: client.issuer });
    expectSecret(code);
    const { body } = await client.redeem(code ?? '');
    await client.expectCredential(body.access_token);
  });

  module('fapi2-security-profile-final-ensure-different-state-inside-and-outside-request-object', async (client) => {
    const answer = sentBackTo(await client.open(await client.reference(), { state: 'another' }));
    expect(answer.state).to.equal('7f3a');
    expect((await client.redeem(answer.code ?? '')).status).to.equal(200);
  });

  module('fapi2-security-profile-final-state-only-outside-request-object-not-used', async (client) => {
    const answer = sentBackTo(await client.open(await client.reference({ state: undefined }), { state: 'outside' }));
    expect(answer).to.not.have.property('state');
    expect((await client.redeem(answer.code ?? '')).status).to.equal(200);
  });

  module('fapi2-security-profile-final-ensure-authorization-request-with-long-state', async (client) => {
    const state = 'x'.repeat(1000);
    const answer = sentBackTo(await client.open(await client.reference({ state }), { state }));
    expect(answer.state).to.equal(state);
    expect((await client.redeem(answer.code ?? '')).status).to.equal(200);
  });

  module('fapi2-security-profile-final-access-token-type-header-case-sensitivity', async (client) => {
    const { access_token: token } = await client.flow();
    for (const scheme of ['dPOp', 'dpop', 'DPOP'])
      await client.expectCredential(token, {}, { authorization: `${scheme} ${token}` });
  });

  module('fapi2-security-profile-final-refresh-token', async (client) => {
    const { server } = client;
    const { body: metadata } = await server.call('getOpenid4vciServerMetadata');
    expect(metadata.grant_types_supported).to.include('refresh_token');
    const first = await client.flow();
    expectSecret(first.refresh_token);
    const refreshed = await client.refresh(first.refresh_token);
    expect([refreshed.status, refreshed.body.token_type]).to.deep.equal([200, 'DPoP']);
    expect(refreshed.body.access_token).to.not.equal(first.access_token);
    // Not rotated: a client that loses an answer keeps its access (FAPI 2.0 §5.3.2.1).
    expect(refreshed.body.refresh_token).to.equal(first.refresh_token);
    const errors = ['invalid_client', 'invalid_grant', 'invalid_request'];
    expectError(await client.refresh(first.refresh_token, {}, { dpop: false }), 400, errors);
    await client.expectCredential(refreshed.body.access_token);
    const second = await client.another();
    const tokens = await second.flow();
    expectError(await client.claim(tokens.access_token), [400, 401], 'invalid_token');
    expectError(await client.refresh(tokens.refresh_token), 400, ['invalid_grant', 'invalid_client']);
    expect((await second.refresh(tokens.refresh_token)).status).to.equal(200);
  });

  module(
    'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds',
    async (client) => {
      const reference = await client.reference();
      const query = client.parameters({ request_uri: reference });
      const loginPage = await client.authorize(query);
      expect(loginPage.status).to.equal(302);
      expect(loginPage.headers.get('location')).to.not.include(REDIRECT_URI);
      const { code } = sentBackTo(await client.browse(await client.authorize(query)));
      expect((await client.redeem(code ?? '')).status).to.equal(200);
    },
  );

  module('fapi2-security-profile-final-par-attempt-reuse-request_uri', async (client) => {
    const reference = await client.reference();
    const { code } = sentBackTo(await client.open(reference));
    expect((await client.redeem(code ?? '')).status).to.equal(200);
    expect(errorOf(await client.open(reference))).to.equal('invalid_request_uri');
  });
});
