import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { REDIRECT_URI } from '../../actors/attested-wallet.ts';
import { errorOf, expectError, sentBackTo, useHaipIssuer } from './client.ts';

describe('The HAIP plan of the conformance suite, FAPI 2: authorization requests', () => {
  const module = useHaipIssuer();

  for (const name of [
    'fapi2-security-profile-final-ensure-request-object-without-redirect-uri-fails',
    'fapi2-security-profile-final-ensure-redirect-uri-in-authorization-request',
  ] as const)
    module(name, async (client) => {
      const answer = await client.push({ redirect_uri: undefined });
      expectError(answer, 400, ['invalid_request', 'invalid_request_object']);
    });

  module('fapi2-security-profile-final-plain-fapi-tolerate-unregistered-redirect-uri', async (client) => {
    const redirectUri = `${REDIRECT_URI}/${randomUUID()}`;
    const { code } = sentBackTo(await client.open(await client.reference({ redirect_uri: redirectUri })));
    expectError(await client.redeem(code ?? ''), 400, 'invalid_grant');
    expect((await client.redeem(code ?? '', { redirect_uri: redirectUri })).status).to.equal(200);
  });

  module(
    'fapi2-security-profile-final-ensure-unsigned-authorization-request-without-using-par-fails',
    async (client) => {
      const landing = await client.browse(await client.authorize(client.parameters()));
      expect(errorOf(landing)).to.equal('invalid_request');
      expect(sentBackTo(landing)).to.include({ state: '7f3a' }).and.not.have.property('code');
    },
  );

  for (const [name, type] of [
    ['fapi2-security-profile-final-ensure-response-type-code-idtoken-fails', 'code id_token'],
    ['fapi2-security-profile-final-ensure-response-type-token-fails', 'token'],
  ] as const)
    module(name, async (client) => {
      expectError(await client.push({ response_type: type }), 400, ['unsupported_response_type', 'invalid_request']);
    });

  module('fapi2-security-profile-final-par-attempt-to-use-expired-request_uri', async (client) => {
    const { request_uri: reference, expires_in: seconds } = (await client.push()).body;
    client.server.clock.advance((seconds + 1) * 1000);
    expect(errorOf(await client.open(reference))).to.equal('invalid_request_uri');
  });

  module('fapi2-security-profile-final-par-attempt-to-use-request_uri-for-different-client', async (client) => {
    const reference = await client.reference();
    const landing = await client.open(reference, { client_id: (await client.another()).clientId });
    expect(errorOf(landing)).to.be.oneOf(['invalid_request', 'invalid_request_object', 'invalid_request_uri']);
    expect(sentBackTo(await client.open(reference)).code).to.be.a('string');
  });

  module('fapi2-security-profile-final-par-authorization-request-containing-request_uri-form-param', async (client) => {
    const answer = await client.push({ request_uri: 'urn:ietf:params:oauth:request_uri:of-the-client' });
    expectError(answer, 400, ['invalid_request', 'invalid_request_object', 'request_uri_not_supported']);
  });

  module('fapi2-security-profile-final-par-attempt-invalid-http-method', async (client) => {
    const body = new URLSearchParams(client.parameters()).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'oauth-client-attestation': client.attestation(),
      'oauth-client-attestation-pop': client.pop(),
    };
    const { status } = await client.server.fetch('/openid4vci/par', { method: 'PUT', body, headers });
    expect(status).to.equal(405);
  });

  module('fapi2-security-profile-final-par-ensure-pkce-required', async (client) => {
    const answer = await client.push({ code_challenge: undefined, code_challenge_method: undefined });
    expectError(answer, 400, 'invalid_request');
  });

  module('fapi2-security-profile-final-par-plain-pkce-rejected', async (client) => {
    const changes = { code_challenge: client.verifier, code_challenge_method: 'plain' };
    expectError(await client.push(changes), 400, 'invalid_request');
  });

  module('fapi2-security-profile-final-par-without-duplicate-parameters', async (client) => {
    const query = { client_id: client.clientId, request_uri: await client.reference() };
    const { code } = sentBackTo(await client.browse(await client.authorize(query)));
    const { body } = await client.redeem(code ?? '');
    await client.expectCredential(body.access_token);
  });
});
