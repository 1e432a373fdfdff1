import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { KMS, may, VERIFIER } from '../../actors/tenant.ts';
import { CARDS, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { until } from '../../support/runs/waiting.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import type { Answer, Call } from '../../support/servers/server.ts';
import type { Json, PlantedServer } from './planted-server.ts';

/** Secrets of tenants: of their API keys, invitations, services, issuers and verifiers. */
export function secretsOfTenants(on: PlantedServer): void {
  const at = (target: string, operationId: string, status: number | number[], more: Call = {}): Promise<Answer> =>
    on.call(operationId, status, { token: on.enterprise, ...more, path: { target, ...more.path } });

  it('of API keys and invitations, which are shown once', async () => {
    const { body } = await at('acme', 'createApiKey', 201, { json: { name: 'CI', permissions: [may('acme')] } });
    on.plant('API key', body.key.slice(-43), ['createApiKey']);
    await at('acme.t1', 'getResource', 200, { token: body.key });
    await at('acme.t1', 'getResource', 401, { token: `${body.key}x` });
    await at('acme.t1', 'getResource', 400, { token: body.key, query: { key: body.key } });
    await on.call('getUserInfo', 401, { token: body.key });
    await at('acme', 'listApiKeys', 200);
    await at('acme.guest', 'createRole', 201, { json: { name: 'Guest', permissions: [] } });
    const invite = { email: `${randomUUID()}@example.org`, role: 'acme.guest' };
    const invitations = [
      await at('acme', 'createInvitation', 201, { json: invite }),
      await at('acme', 'createInvitation', 201, { json: { ...invite, email: `open-${invite.email}` } }),
    ];
    const [token = ''] = invitations.map((one) =>
      on.plant('invitation token', String(one.body.token), ['createInvitation']),
    );
    const password = on.plant('account password', canary());
    await on.call('acceptInvitation', 400, { json: { token: [token], password } });
    await on.call('acceptInvitation', 401, { json: { token: `${token}x`, password } });
    await on.call('acceptInvitation', 201, { json: { token, password } });
    await on.call('acceptInvitation', 401, { json: { token, password } });
    await at('acme', 'listInvitations', 200);
  });

  it('of services: settings, arguments of policies, imported keys and the credentials of clouds', async () => {
    await at(KMS, 'createService', 201, { json: { type: 'kms' } });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = privateKey.export({ format: 'jwk' });
    on.plant('imported key', jwk.d ?? '');
    await at(`${KMS}.imported`, 'importTenantKey', 201, { json: jwk });
    await at(`${KMS}.imported`, 'importTenantKey', 409, { json: jwk });
    await at(`${KMS}.other`, 'importTenantKey', 400, { json: { ...jwk, x: jwk.d } });
    await at(`${KMS}.imported`, 'getTenantKey', 200);
    for (const [cloud, { key }] of Object.entries(on.clouds)) {
      on.plantCloud(cloud, key);
      await at(`${KMS}.${cloud}`, 'generateKey', 201, { json: key });
      await at(`${KMS}.${cloud}`, 'generateKey', 409, { json: key });
      const unknown = { ...(key.config as Json), unknown: 'x' };
      await at(`${KMS}.other`, 'generateKey', 400, { json: { ...key, keyType: 'Ed25519', config: unknown } });
    }
    await at(KMS, 'listKeys', 200);
    const policies = 'acme.t1.policies1';
    await at(policies, 'createService', 201, { json: { type: 'policy-store' } });
    const url = `${on.peer.url}/policy`;
    const logins = {
      basic: { basicauth_username: 'ada', basicauth_password: on.plant('password of a policy', canary()) },
      bearer: { bearerauth_token: on.plant('token of a policy', canary()) },
    };
    for (const [name, login] of Object.entries(logins)) {
      const hook = { name: 'Hook', policy: { policy: 'webhook', args: { url, ...login } } };
      await at(`${policies}.${name}`, 'addStoredPolicy', 201, { json: hook });
      await at(`${policies}.${name}`, 'addStoredPolicy', 409, { json: hook });
      await at(`${policies}.${name}`, 'addStoredPolicy', 400, { json: { ...hook, policy: { policy: login } } });
      await at(`${policies}.${name}`, 'getStoredPolicy', 200);
    }
    await at(policies, 'listStoredPolicies', 200);
    const verifier = 'acme.t1.checks';
    await at(verifier, 'createService', 201, { json: { type: 'verifier2' } });
    const vc_policies = Object.values(logins).map((login) => ({ policy: 'webhook', args: { url, ...login } }));
    const webhook = { url: `${on.peer.url}/events`, bearer_token: on.plant('webhook token of a session', canary()) };
    const check = { name: 'Check', setup: crossDevice({ policies: { vc_policies }, notifications: { webhook } }) };
    await at(`${verifier}.one`, 'createSavedCheck', 201, { json: check });
    await at(`${verifier}.one`, 'createSavedCheck', 409, { json: check });
    await at(`${verifier}.one`, 'replaceSavedCheck', 200, { json: check });
    await at(`${verifier}.one`, 'getSavedCheck', 200);
    await at(verifier, 'listSavedChecks', 200);
    await at(`${verifier}.one`, 'createSessionOfCheck', 200, { json: {} });
  });

  it('of issuers: webhooks, codes and tokens', async () => {
    const webhook = {
      url: `${on.peer.url}/events`,
      bearerToken: on.plant('webhook token of a tenant', canary()),
      signingSecret: on.plant('webhook secret of a tenant', `secret-${canary()}`),
    };
    const profiles = { card: { ...CARDS.profiles.card, notifications: { webhook } } };
    await at(`${KMS}.key1`, 'generateKey', 201, { json: { keyType: 'secp256r1' } });
    const keys = { dependencies: [KMS], defaultIssuerKey: `${KMS}.key1` };
    const json = { type: 'issuer2', ...CARDS, ...keys, profiles };
    await at(ISSUER, 'createService', 400, { json: { ...json, tokenKeyId: webhook.bearerToken } });
    await at(ISSUER, 'createService', 201, { json });
    await at(ISSUER, 'createService', 409, { json });
    await at('acme.t1', 'updateService', 404, { json });
    await at(ISSUER, 'updateService', 200, { json });
    for (const operationId of ['getResource', 'tenantListIssuanceProfiles', 'listDependencies'])
      await at(ISSUER, operationId, 200);
    const txCodeValue = on.plant('transaction code of an offer', canary(), ['tenantCreateCredentialOffer']);
    const offered = offerOf({ valueMode: 'BY_VALUE', txCode: { input_mode: 'text' }, txCodeValue });
    const { body } = await at(ISSUER, 'tenantCreateCredentialOffer', 201, { json: offered });
    const offer = JSON.parse(new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '');
    const code = on.plant('pre-authorized code', offer.grants[GRANT]['pre-authorized_code'], [
      'tenantCreateCredentialOffer',
    ]);
    const form = { grant_type: GRANT, 'pre-authorized_code': code, tx_code: txCodeValue, client_id: 'wallet' };
    await at(ISSUER, 'tenantRequestOpenid4vciToken', 400, { form: { ...form, tx_code: `${txCodeValue}x` } });
    const { body: tokens } = await at(ISSUER, 'tenantRequestOpenid4vciToken', 200, { form });
    on.plant('access token', tokens.access_token, ['tenantRequestOpenid4vciToken']);
    on.plant('refresh token', tokens.refresh_token, ['tenantRequestOpenid4vciToken']);
    await at(ISSUER, 'tenantListIssuanceSessions', 200);
    await until(() => on.peer.seen.some(({ headers }) => headers.authorization === `Bearer ${webhook.bearerToken}`));
  });

  it('of what was issued: cases and recipients, which are found and forgotten', async () => {
    const lists = ['listIssuedCredentials', 'getIssuedCredential'];
    const reference = on.plant('reference of a case', canary(), ['tenantListIssuanceSessions', ...lists]);
    const recipient = on.plant('recipient of a credential', canary(), lists);
    const json = offerOf({ reference, recipient });
    const { body: offered } = await at(ISSUER, 'tenantCreateCredentialOffer', 201, { json });
    const own = { path: { wallet: on.wallet.id }, token: on.wallet.token };
    await on.call('acceptCredentialOffer', 200, { ...own, text: offered.credentialOffer });
    const { body: found } = await at(ISSUER, 'listIssuedCredentials', 200, { query: { recipient } });
    const path = { issuedId: found[0].id };
    await at(ISSUER, 'getIssuedCredential', 200, { path });
    await at(ISSUER, 'changeIssuedCredential', 409, { path, json: { action: 'revoke' } });
    await at(ISSUER, 'tenantListIssuanceSessions', 200);
    await at(ISSUER, 'deleteIssuedRecipient', 204, { path });
  });

  it('of verifiers: keys of requests, webhooks and response codes', async () => {
    await at(VERIFIER, 'createService', 201, { json: { type: 'verifier2', dependencies: [KMS] } });
    const vp = await Openid4vp.with(on.server, { target: VERIFIER, token: on.enterprise });
    const webhook = { url: `${on.peer.url}/events`, bearer_token: on.plant('webhook token of a session', canary()) };
    const redirects = { success_redirect_uri: 'https://shop.example.org/done' };
    const json = { ...crossDevice({ notifications: { webhook } }, { redirects }), flow_type: 'same_device' };
    await at(VERIFIER, 'tenantCreateVerificationSession', 400, { json: { ...json, redirects: webhook } });
    const { body: created } = await at(VERIFIER, 'tenantCreateVerificationSession', 200, { json });
    const request = await vp.request(created);
    const { body } = await vp.respond(request, await vp.response(request));
    const code = new URL(body.redirect_uri).searchParams.get('response_code') ?? '';
    on.plant('response code', code, ['tenantSubmitAuthorizationResponse']);
    const path = { sessionId: created.sessionId };
    await at(VERIFIER, 'tenantRedeemResponseCode', 400, { path, json: { response_code: `${code}x` } });
    await at(VERIFIER, 'tenantRedeemResponseCode', 200, { path, json: { response_code: code } });
    await at(VERIFIER, 'tenantGetVerificationSession', 200, { path });
    await at(VERIFIER, 'listVerificationSessions', 200);
  });

  it('are not in what is shown of all this later: resources, audit trails and their exports', async () => {
    const limit = { query: { limit: '1000' } };
    await at('acme.t1', 'listResources', 200, limit);
    await at('acme', 'listAuditEvents', 200, limit);
    await at('acme', 'exportAuditEvents', 200);
    await at('acme', 'checkAuditTrail', 200);
    await on.call('queryAuditEntries', 200, { token: on.enterprise, json: { target: 'acme' } });
    await on.call('listInstallationEvents', 200, { token: on.enterprise, ...limit });
    await on.call('exportInstallationEvents', 200, { token: on.enterprise });
    await on.call('getOverview', 200, { token: on.enterprise });
  });
}
