import { expect } from 'chai';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { NO_ACCOUNT } from '../../actors/administration.ts';
import { type EnterpriseFixture, may, startEnterprise, withoutRequestId } from '../../actors/tenant.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { contract } from '../../support/documents/contract.ts';
import { documentedCall } from '../../support/documents/operation-calls.ts';

/** The callers, from the one with the fewest rights on; the administrators have all rights at one organization. */
const CALLERS = [
  'no login',
  'ended login',
  'wallet account',
  'disabled account',
  'account without a role',
  'administrator of another organization',
  'administrator of the organization',
  'API key of the organization',
  'superadmin',
] as const;
type Caller = (typeof CALLERS)[number];

/** What each caller is answered; the first four have no login that counts. */
const answers = (...statuses: number[]): number[] => [401, 401, 401, 401, ...statuses];
const ofSuperadmins = (status: number): number[] => answers(403, 403, 403, 403, status);
/** An API key has no account. */
const ofItself = (status: number): number[] => answers(status, status, status, 404, status);

/** Every operation of the administration, called for an account that has no role. */
const EXPECTED: Record<string, number[]> = {
  createOrganization: ofSuperadmins(409),
  listOrganizations: answers(200, 200, 200, 200, 200),
  registerEnterpriseAccount: ofSuperadmins(201),
  listAccounts: ofSuperadmins(200),
  getAccount: ofSuperadmins(200),
  disableAccount: ofSuperadmins(200),
  enableAccount: ofSuperadmins(200),
  deleteAccount: ofSuperadmins(204),
  createPasswordReset: ofSuperadmins(201),
  deleteSecondFactor: ofSuperadmins(404),
  getOverview: ofSuperadmins(200),
  listInstallationEvents: ofSuperadmins(200),
  exportInstallationEvents: ofSuperadmins(200),
  checkInstallationTrail: ofSuperadmins(200),
  assignRole: answers(404, 404, 200, 200, 200),
  unassignRole: answers(404, 404, 200, 200, 200),
  getOwnAccount: ofItself(200),
  replaceOwnProfile: ofItself(200),
  // The documented current password is not that of these accounts.
  changeOwnPassword: ofItself(400),
  listActions: answers(200, 200, 200, 200, 200),
};

describe('Every operation of the administration', () => {
  let world: EnterpriseFixture;
  let operations: Operation[];
  const tokens: Partial<Record<Caller, string>> = {};
  before(async () => {
    world = await startEnterprise();
    operations = (await contract).operations.filter(({ path }) => path.startsWith('/v1/admin/'));
    const { server, root, member } = world;
    await server.call('createOrganization', { json: { _id: 'other' }, token: root });
    await world.post('createRole', 'acme.guest', { name: 'Guest', permissions: [may('acme.t1', 'resource-view')] });
    const [ended, disabled] = [await member([may('acme')]), await member([may('acme')])];
    await server.call('logoutEnterpriseAccount', { token: ended.token });
    await server.call('disableAccount', { path: { accountId: disabled.id }, token: root });
    const key = await world.post('createApiKey', 'acme', { name: 'CI', permissions: [may('acme')] });
    Object.assign(tokens, {
      'ended login': ended.token,
      'wallet account': (await newWalletUser(server)).token,
      'disabled account': disabled.token,
      'account without a role': (await member([])).token,
      'administrator of another organization': (await member([may('other')], 'other')).token,
      'administrator of the organization': (await member([may('acme')])).token,
      'API key of the organization': key.body.key,
      superadmin: root,
    });
  });
  after(() => world.close());

  it('rows: is in the table', () => {
    expect(operations.map(({ operationId }) => operationId)).to.have.members(Object.keys(EXPECTED));
  });

  it('answers each caller by its rights', async () => {
    const found: Record<string, number[]> = {};
    for (const operation of operations) {
      const { id } = await world.member([]);
      const request = documentedCall(operation, { accountId: id, org: 'acme', roleId: 'guest' });
      const statuses = [];
      for (const caller of CALLERS) {
        const { status } = await world.server.call(operation.operationId, { ...request, token: tokens[caller] });
        statuses.push(status);
      }
      found[operation.operationId] = statuses;
    }
    expect(found).to.deep.equal(EXPECTED);
  });

  it('refuses the same for an account that does not exist', async () => {
    const { id } = await world.member([]);
    for (const operation of operations.filter(({ path }) => path.includes('{accountId}')))
      for (const caller of ['account without a role', 'administrator of another organization'] as const) {
        const seen = [];
        for (const accountId of [id, NO_ACCOUNT]) {
          const request = documentedCall(operation, { accountId, org: 'acme', roleId: 'guest' });
          const answer = await world.server.call(operation.operationId, { ...request, token: tokens[caller] });
          seen.push(withoutRequestId(answer));
        }
        expect(seen[0], operation.operationId).to.deep.equal(seen[1]);
      }
  });
});
