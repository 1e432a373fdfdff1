import { randomUUID } from 'node:crypto';
import { stepAt, totpCode } from '../../../domain/accounts/totp.ts';
import { hmacSha1 } from '../../../domain/foundation/bytes.ts';
import { NO_ACCOUNT, secretOf } from '../../actors/administration.ts';
import { accountRequest } from '../../actors/tenant.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import type { PlantedServer } from './planted-server.ts';

/** Secrets of the accounts of administrators. */
export function secretsOfAdministrators(on: PlantedServer): void {
  it('of administrators: registration tokens, passwords, bearer tokens and settings of services', async () => {
    const { token, email, password } = on.superadmin;
    await on.call('createSuperadmin', 401, { text: `${token}x` });
    await on.call('createSuperadmin', 200, { text: token });
    await on.call('createSuperadmin', 409, { text: token });
    const { body } = await on.call('loginEnterpriseAccount', 200, { json: { email, password } });
    on.enterprise = on.plant('enterprise token', body.token, ['loginEnterpriseAccount']);
    const json = accountRequest(`${randomUUID()}@example.org`);
    json.initialAuth.data.password = on.plant('account password', canary());
    await on.call('registerEnterpriseAccount', 201, { json, token: on.enterprise });
    await on.call('registerEnterpriseAccount', 409, { json, token: on.enterprise });
    const org = { _id: 'acme', profile: { name: 'Acme' } };
    await on.call('createOrganization', 201, { json: org, token: on.enterprise });
    await on.call('createTenant', 201, { path: { target: 'acme.t1' }, json: {}, token: on.enterprise });
    const secret = on.plant('setting of a service', canary());
    const webhook = { url: 'https://hook.example.org', bearerToken: secret };
    const profile = { name: 'Card', credentialConfigurationId: 'Card', credentialData: {}, notifications: { webhook } };
    const supportedCredentialTypes = { Card: { format: 'dc+sd-jwt' } };
    const service = { type: 'issuer2', supportedCredentialTypes, profiles: { card: profile } };
    const path = { target: 'acme.t1.wallet1' };
    await on.call('createService', 201, { path, json: service, token: on.enterprise });
    await on.call('createService', 409, { path, json: service, token: on.enterprise });
    await on.call('getResource', 200, { path, token: on.enterprise });
    await on.call('listResources', 200, { path: { target: 'acme.t1' }, token: on.enterprise });
    await on.call('getUserInfo', 401, { token: on.enterprise });
  });

  /** Registers an account without rights. */
  const newAccount = async (): Promise<{ id: string; email: string; password: string }> => {
    const account = { email: `${randomUUID()}@example.org`, password: on.plant('account password', canary()) };
    const json = accountRequest(account.email);
    json.initialAuth.data.password = account.password;
    const { body } = await on.call('registerEnterpriseAccount', 201, { json, token: on.enterprise });
    return { ...account, id: body._id };
  };

  it('of second factors: the secret, recovery codes and cookies', async () => {
    const { id: accountId, ...json } = await newAccount();
    const { body: replaced } = await on.call('enrolSecondFactor', 201, { json });
    on.plant('second factor', replaced.secret, ['enrolSecondFactor']);
    const { body } = await on.call('enrolSecondFactor', 201, { json });
    on.plant('second factor', body.secret, ['enrolSecondFactor']);
    const bytes = secretOf(body.secret);
    for (const encoding of ['base64url', 'hex'] as const)
      on.plant('bytes of a second factor', Buffer.from(bytes).toString(encoding));
    await on.call('confirmSecondFactor', 401, { json: { ...json, code: body.secret } });
    const code = totpCode(bytes, stepAt(on.server.clock.now()), hmacSha1);
    const { body: confirmed } = await on.call('confirmSecondFactor', 200, { json: { ...json, code } });
    const codes: string[] = confirmed.recoveryCodes;
    for (const one of codes) {
      on.plant('recovery code', one, ['confirmSecondFactor']);
      on.plant('recovery code', one.replaceAll('-', ''));
    }
    await on.call('enrolSecondFactor', 409, { json });
    await on.call('loginEnterpriseAccount', 401, { json });
    await on.call('loginEnterpriseAccount', 401, { json: { ...json, code: `${codes[0]}x` } });
    const { headers } = await on.call('createAccountSession', 204, { json: { ...json, code: codes[0] } });
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    on.plant('session cookie', cookie, ['createAccountSession']);
    await on.call('getOwnAccount', 200, { cookie });
    await on.call('getOwnAccount', 401, { cookie: `${cookie}x` });
    await on.call('getUserInfo', 401, { cookie });
    await on.call('createAccountSession', 401, { json: { ...json, code: codes[0] } });
    await on.call('removeSecondFactor', 401, { json: { ...json, code: `${codes[1]}x` } });
    await on.call('getAccount', 200, { path: { accountId }, token: on.enterprise });
  });

  it('of passwords: their changes, and the tokens of resets', async () => {
    const { id: accountId, email, password } = await newAccount();
    const { body } = await on.call('loginEnterpriseAccount', 200, { json: { email, password } });
    const token = on.plant('enterprise token', body.token, ['loginEnterpriseAccount']);
    const change = { current: password, new: on.plant('new password', canary()) };
    await on.call('changeOwnPassword', 400, { json: { ...change, current: `${password}x` }, token });
    await on.call('changeOwnPassword', 400, { json: { ...change, new: [change.new] }, token });
    await on.call('changeOwnPassword', 204, { json: change, token });
    const created = await on.call('createPasswordReset', 201, { path: { accountId }, token: on.enterprise });
    await on.call('createPasswordReset', 404, { path: { accountId: NO_ACCOUNT }, token: on.enterprise });
    const ended = on.plant('reset token', created.body.token, ['createPasswordReset']);
    const open = await on.call('createPasswordReset', 201, { path: { accountId }, token: on.enterprise });
    const reset = on.plant('reset token', open.body.token, ['createPasswordReset']);
    const next = on.plant('new password', canary());
    await on.call('resetPassword', 400, { json: { token: [reset], password: next } });
    await on.call('resetPassword', 401, { json: { token: `${reset}x`, password: next } });
    await on.call('resetPassword', 401, { json: { token: ended, password: next } });
    await on.call('resetPassword', 204, { json: { token: reset, password: next } });
    await on.call('resetPassword', 401, { json: { token: reset, password: next } });
    await on.call('listAccounts', 200, { token: on.enterprise });
    await on.call('logoutEnterpriseAccount', 204, { token });
  });
}
