import { expect } from 'chai';
import { request } from 'undici';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { type Changes, IDENTITY, type Sent } from '../../actors/attested-wallet.ts';
import { type Client, expectError, useHaipIssuer } from './client.ts';

describe('The HAIP plan of the conformance suite, FAPI 2: DPoP', () => {
  const module = useHaipIssuer();
  const now = ({ server }: Client) => Math.floor(server.clock.now() / 1000);

  /** A flow whose proofs have these claims at every endpoint. */
  async function withClaims(client: Client, claims: () => Record<string, unknown>, par: Sent): Promise<void> {
    const { access_token: token } = await client.flow({}, { par, token: { dpop: { claims: claims() } } });
    await client.expectCredential(token, { dpop: { claims: claims() } });
  }

  module('fapi2-security-profile-final-check-dpop-proof-nbf-exp', async (client) => {
    await withClaims(client, () => ({ nbf: now(client), exp: now(client) + 300 }), {});
  });

  module('fapi2-security-profile-final-ensure-dpopproof-with-iat-10seconds-before-succeeds', async (client) => {
    const claims = () => ({ iat: now(client) - 10 });
    await withClaims(client, claims, { dpop: { claims: claims() } });
  });

  module('fapi2-security-profile-final-ensure-dpopproof-with-iat-10seconds-after-succeeds', async (client) => {
    const claims = () => ({ iat: now(client) + 8 });
    await withClaims(client, claims, { dpop: { claims: claims() } });
  });

  module('fapi2-security-profile-final-ensure-mismatched-dpop-jkt-fails', async (client) => {
    const { thumbprint } = await client.another();
    const answer = await client.push({ dpop_jkt: thumbprint }, { dpop: {} });
    expectError(answer, 400, ['invalid_request', 'invalid_dpop_proof']);
  });

  const MISMATCH = ['invalid_request', 'invalid_grant', 'invalid_dpop_proof'];

  module('fapi2-security-profile-final-ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt', async (client) => {
    const code = await client.authorizedCode({}, { dpop: {} });
    expectError(await client.redeem(code, {}, { dpop: { key: makeHolderKey() } }), 400, MISMATCH);
  });

  module('fapi2-security-profile-final-ensure-token-endpoint-fails-with-mismatched-dpop-jkt', async (client) => {
    const { thumbprint } = await client.another();
    expectError(await client.redeem(await client.authorizedCode({ dpop_jkt: thumbprint })), 400, MISMATCH);
  });

  module('fapi2-security-profile-final-ensure-dpopproof-at-par-endpoint-binding-success', async (client) => {
    const { access_token: token } = await client.flow({}, { par: { dpop: {} } });
    await client.expectCredential(token);
  });

  module('fapi2-security-profile-final-ensure-dpop-auth-code-binding-success', async (client) => {
    const { access_token: token } = await client.flow({ dpop_jkt: client.thumbprint }, { par: { dpop: {} } });
    await client.expectCredential(token);
  });

  module('fapi2-security-profile-final-dpop-negative-tests', async (client) => {
    const { access_token: token } = await client.flow();
    const claim = (dpop: Changes, headers?: Record<string, string>) => client.claim(token, { dpop }, headers);
    await client.expectCredential(token);
    for (const [title, dpop] of accepted(client)) expect((await claim(dpop)).status, title).to.equal(200);
    for (const [title, dpop] of refused(client, token)) {
      const answer = await claim(dpop);
      expect([400, 401], title).to.include(answer.status);
      expect(answer.body.error, title).to.be.oneOf(['invalid_dpop_proof', 'invalid_token']);
    }
    expectError(await client.claim(token, { dpop: false }), [400, 401], 'invalid_dpop_proof');
    const bearer = await client.claim(token, { dpop: false }, { authorization: `Bearer ${token}` });
    expectError(bearer, [400, 401], 'invalid_token');
    const jti = { claims: { jti: `the same ${token}` } };
    expect([(await claim(jti)).status, (await claim(jti)).status]).to.deep.equal([200, 401]);
    expect((await client.claim(token, { dpop: false }, { DPOP: client.dpop('credential', token) })).status).to.equal(
      200,
    );
    expect(await statusOfTwo(client, token)).to.be.oneOf([400, 401]);
    await client.expectCredential(token);
  });
});

/** Proofs that are good. */
const accepted = ({ issuer }: Client): [string, Changes][] => [
  ['an htu with query and fragment', { claims: { htu: `${issuer}/credential?a=1#b` } }],
  ['unknown members', { header: { unknown: 'a' }, claims: { unknown: 'a' } }],
  ['scheme and host in upper case', { claims: { htu: `${issuer}/credential`.replace('http:', 'HTTP:') } }],
];

/** Proofs that are not. */
function refused(client: Client, token: string): [string, Changes][] {
  const good = client.dpop('credential', token);
  const [head, body, signature = ''] = good.split('.');
  const other = signature.startsWith('A') ? 'B' : 'A';
  const unsigned = `${Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: client.dpopKey.jwk })).toString('base64url')}.${body}.`;
  const now = Math.floor(client.server.clock.now() / 1000);
  return [
    ['not well-formed', { text: good.replaceAll('.', '') }],
    ['no typ', { header: { typ: undefined } }],
    ['no alg', { header: { alg: undefined } }],
    ['no jwk', { header: { jwk: undefined } }],
    ['no jti', { claims: { jti: undefined } }],
    ['no htm', { claims: { htm: undefined } }],
    ['no htu', { claims: { htu: undefined } }],
    ['no iat', { claims: { iat: undefined } }],
    ['no ath', { claims: { ath: undefined } }],
    ['another typ', { header: { typ: 'JWT' } }],
    ['alg none', { text: unsigned }],
    ['an invalid signature', { text: `${head}.${body}.${other}${signature.slice(1)}` }],
    ['a private key', { header: { jwk: client.dpopKey.privateKey.export({ format: 'jwk' }) } }],
    ['another method', { claims: { htm: 'PUT' } }],
    ['another URL', { claims: { htu: 'https://other.example/credential' } }],
    ['iat in an hour', { claims: { iat: now + 3600 } }],
    ['iat an hour ago', { claims: { iat: now - 3600 } }],
    ['another ath', { claims: { ath: 'other' } }],
    ['another key', { key: makeHolderKey() }],
  ];
}

/** The status of a request with two headers `DPoP`. */
async function statusOfTwo(client: Client, token: string): Promise<number> {
  const proofs = [client.dpop('credential', token), client.dpop('credential', token)];
  const { statusCode, body } = await request(`${client.issuer}/credential`, {
    method: 'POST',
    headers: [
      'authorization',
      `DPoP ${token}`,
      'content-type',
      'application/json',
      ...proofs.flatMap((one) => ['dpop', one]),
    ],
    body: JSON.stringify({ credential_configuration_id: IDENTITY, proofs: { jwt: ['a'] } }),
  });
  await body.dump();
  return statusCode;
}
