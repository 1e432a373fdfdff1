import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { expectError, useHaipIssuer } from './client.ts';

describe('The HAIP plan of the conformance suite, FAPI 2: token requests', () => {
  const module = useHaipIssuer();

  module('fapi2-security-profile-final-ensure-client-id-in-token-endpoint', async (client) => {
    const { clientId } = await client.another();
    const answer = await client.redeem(await client.authorizedCode(), { client_id: clientId });
    expectError(answer, answer.body.error === 'invalid_client' ? [400, 401] : 400, ['invalid_client', 'invalid_grant']);
  });

  module('fapi2-security-profile-final-ensure-holder-of-key-required', async (client) => {
    const answer = await client.redeem(await client.authorizedCode(), {}, { dpop: false });
    expectError(answer, [400, 401], ['invalid_request', 'invalid_grant', 'invalid_dpop_proof']);
  });

  module('fapi2-security-profile-final-ensure-authorization-code-is-bound-to-client', async (client) => {
    const code = await client.authorizedCode();
    const second = await client.another();
    expectError(await second.redeem(code, { code_verifier: client.verifier }), 400, 'invalid_grant');
    expect((await client.redeem(code)).status).to.equal(200);
  });

  module('fapi2-security-profile-final-attempt-reuse-authorization-code-after-one-second', async (client) => {
    const code = await client.authorizedCode();
    const { access_token: token } = (await client.redeem(code)).body;
    client.server.clock.advance(1000);
    expectError(await client.redeem(code), 400, 'invalid_grant');
    expectError(await client.claim(token), 401, 'invalid_token');
  });

  module('fapi2-security-profile-final-ensure-token-endpoint-fails-with-expired-auth-code', async (client) => {
    const code = await client.authorizedCode();
    client.server.clock.advance(62_000);
    expectError(await client.redeem(code), 400, 'invalid_grant');
  });

  module('fapi2-security-profile-final-ensure-pkce-code-verifier-required', async (client) => {
    const answer = await client.redeem(await client.authorizedCode(), { code_verifier: undefined });
    expectError(answer, 400, 'invalid_grant');
  });

  module('fapi2-security-profile-final-incorrect-pkce-code-verifier-rejected', async (client) => {
    const code_verifier = randomBytes(32).toString('base64url');
    expectError(await client.redeem(await client.authorizedCode(), { code_verifier }), 400, 'invalid_grant');
  });
});
