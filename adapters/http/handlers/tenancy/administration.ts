import type { FactorEnrolment } from '../../../../domain/accounts/factor-enrolment.ts';
import type { LoginSessions } from '../../../../domain/accounts/login-sessions.ts';
import type { TenancyAccounts } from '../../../../domain/accounts/tenancy-accounts.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { PermissionInquiry } from '../../../../domain/tenancy/access/permission-inquiry.ts';
import { ACTIONS } from '../../../../domain/tenancy/access/permissions.ts';
import type { AccountAdministration } from '../../../../domain/tenancy/accounts/account-administration.ts';
import type { Administration } from '../../../../domain/tenancy/accounts/administration.ts';
import type { ApiKeyAdministration } from '../../../../domain/tenancy/accounts/api-key-administration.ts';
import type { InvitationAdministration } from '../../../../domain/tenancy/accounts/invitation-administration.ts';
import type { Overviews } from '../../../../domain/tenancy/accounts/overview.ts';
import type { RoleAdministration } from '../../../../domain/tenancy/accounts/role-administration.ts';
import type { HostAliasAdministration } from '../../../../domain/tenancy/hosts/host-alias-administration.ts';
import type { HostAlias } from '../../../../domain/tenancy/hosts/host-aliases.ts';
import type { components } from '../../../../openapi/types.ts';
import {
  type Handlers,
  type LateQuery,
  type LoggedIn,
  NO_STORE,
  type TokenBearer,
  turnOf,
} from '../../messages/operations.ts';
import { clearCookie, type LoginCookie, setCookie } from '../login-cookie.ts';

type Schemas = components['schemas'];

/** What the handlers of the document `administration` need. */
export interface AdministrationServices {
  accounts: TenancyAccounts;
  enrolment: FactorEnrolment;
  accountAdministration: AccountAdministration;
  roleAdministration: RoleAdministration;
  permissionInquiry: PermissionInquiry;
  overviews: Overviews;
  hostAliasAdministration: HostAliasAdministration;
  apiKeyAdministration: ApiKeyAdministration;
  invitationAdministration: InvitationAdministration;
  administration: Administration;
  sessions: LoginSessions;
  cookie: LoginCookie;
}

type Part = Partial<Handlers<'administration'>>;

/** The administration of accounts and tenants. */
export const administrationHandlers = (services: AdministrationServices): Handlers<'administration'> => ({
  ...ownAccountHandlers(services),
  ...accountHandlers(services),
  ...roleHandlers(services),
  ...permissionHandlers(services),
  ...hostAliasHandlers(services),
  ...apiKeyHandlers(services),
  ...sessionHandlers(services),
  ...factorHandlers(services),
  ...invitationHandlers(services),
});

interface PageInput {
  path: { target: string };
  query: LateQuery<unknown>;
  caller: LoggedIn;
}

const pageRequest = ({ path, query, caller }: PageInput) => ({ caller: caller.accountId, ...path, query });

const ownAccountHandlers = ({ accountAdministration, accounts }: AdministrationServices) =>
  ({
    getOwnAccount: async ({ caller }) => ({
      status: 200,
      body: await accountAdministration.own(caller.accountId),
    }),
    replaceOwnProfile: async ({ body, caller }) => ({
      status: 200,
      body: await accountAdministration.setProfile(caller.accountId, body.profile),
    }),
    changeOwnPassword: async ({ body, caller }) => {
      const { accountId, token } = caller;
      const change = { current: body.current, next: body.new, turn: turnOf(caller), token };
      await at(['body'], () => accounts.changePassword(accountId, change));
      return { status: 204 };
    },
    resetPassword: async ({ body, caller }) => {
      await at(['body'], () => accounts.reset({ ...body, turn: turnOf(caller) }));
      return { status: 204 };
    },
  }) satisfies Part;

const accountHandlers = ({ accountAdministration: accounts }: AdministrationServices) =>
  ({
    listAccounts: async ({ query, caller }) => ({
      status: 200,
      body: await accounts.page({ caller: caller.accountId, query }),
    }),
    getAccount: async ({ path, caller }) => ({
      status: 200,
      body: await accounts.get(caller.accountId, path.accountId.toLowerCase()),
    }),
    deleteAccount: async ({ path, caller }) => {
      await accounts.remove(caller.accountId, path.accountId.toLowerCase());
      return { status: 204 };
    },
    disableAccount: async ({ path, caller }) => ({
      status: 200,
      body: await accounts.disable(caller.accountId, path.accountId.toLowerCase()),
    }),
    enableAccount: async ({ path, caller }) => ({
      status: 200,
      body: await accounts.enable(caller.accountId, path.accountId.toLowerCase()),
    }),
    createPasswordReset: async ({ path, caller }) => {
      const { token, expiresAt } = await accounts.startReset(caller.accountId, path.accountId.toLowerCase());
      return { status: 201, body: { token, expiresDateTime: isoMillis(expiresAt) }, headers: NO_STORE };
    },
  }) satisfies Part;

const roleHandlers = ({ roleAdministration: roles }: AdministrationServices) =>
  ({
    listRoles: async (input) => ({ status: 200, body: await roles.page(pageRequest(input)) }),
    getRole: async ({ path }) => ({ status: 200, body: await roles.get(path.target) }),
    replaceRole: async ({ path, body, caller }) => ({
      status: 200,
      body: await at(['body'], () => roles.replace(caller.accountId, path.target, body)),
    }),
    deleteRole: async ({ path, caller }) => {
      await roles.remove(caller.accountId, path.target);
      return { status: 204 };
    },
    listRoleAccounts: async (input) => ({ status: 200, body: await roles.accounts(pageRequest(input)) }),
    unassignRole: async ({ path, caller }) => ({
      status: 200,
      body: await roles.unassign(caller.accountId, path.accountId.toLowerCase(), path),
    }),
  }) satisfies Part;

const permissionHandlers = ({ permissionInquiry, overviews }: AdministrationServices) =>
  ({
    getOverview: async ({ caller }) => ({ status: 200, body: await overviews.show(caller.accountId) }),
    decidePermission: async ({ path, query, caller }) => {
      const account = query.account?.toLowerCase();
      const question = { caller: caller.accountId, ...path, account, action: query.action };
      return { status: 200, body: await at(['query'], () => permissionInquiry.answer(question)) };
    },
    listActions: async () => ({
      status: 200,
      body: Object.entries(ACTIONS).map(([action, meaning]) => ({ action, meaning })),
    }),
  }) satisfies Part;

const apiKeyHandlers = ({ apiKeyAdministration: keys }: AdministrationServices) =>
  ({
    createApiKey: async ({ path, body, caller }) => ({
      status: 201,
      body: await at(['body'], () => keys.create(caller.accountId, path.target, body)),
      headers: NO_STORE,
    }),
    listApiKeys: async (input) => ({ status: 200, body: await keys.page(pageRequest(input)) }),
    revokeApiKey: async ({ path }) => {
      await keys.revoke(path.target, path.keyId.toLowerCase());
      return { status: 204 };
    },
  }) satisfies Part;

const invitationHandlers = ({ invitationAdministration: invitations }: AdministrationServices) =>
  ({
    createInvitation: async ({ path, body, caller }) => ({
      status: 201,
      body: await at(['body'], () => invitations.create(caller.accountId, path.target, body)),
      headers: NO_STORE,
    }),
    acceptInvitation: async ({ body, caller }) => {
      const accepted = await at(['body'], () => invitations.accept({ ...body, turn: turnOf(caller) }));
      return { status: 201, body: accepted, account: accepted._id };
    },
    listInvitations: async (input) => ({ status: 200, body: await invitations.page(pageRequest(input)) }),
    revokeInvitation: async ({ path }) => {
      await invitations.revoke(path.target, path.invitationId.toLowerCase());
      return { status: 204 };
    },
  }) satisfies Part;

const factorHandlers = ({ enrolment, accountAdministration }: AdministrationServices) =>
  ({
    enrolSecondFactor: async ({ body, caller }) => ({
      status: 201,
      body: await at(['body'], () => enrolment.start({ ...body, turn: turnOf(caller) })),
      headers: NO_STORE,
    }),
    confirmSecondFactor: async ({ body, caller }) => {
      const credentials = { ...body, turn: turnOf(caller) };
      const recoveryCodes = await at(['body'], () => enrolment.confirm(credentials));
      return { status: 200, body: { recoveryCodes }, headers: NO_STORE };
    },
    removeSecondFactor: async ({ body, caller }) => {
      await at(['body'], () => enrolment.remove({ ...body, turn: turnOf(caller) }));
      return { status: 204 };
    },
    deleteSecondFactor: async ({ path, caller }) => {
      await accountAdministration.removeFactor(caller.accountId, path.accountId.toLowerCase());
      return { status: 204 };
    },
  }) satisfies Part;

function sessionHandlers({ administration, sessions, cookie }: AdministrationServices) {
  const logout = async ({ caller }: { caller: TokenBearer }) => {
    const [account] = await sessions.end(caller.presentedTokens);
    return { status: 204, headers: { 'set-cookie': clearCookie(cookie) }, account } as const;
  };
  return {
    createAccountSession: async ({ body, caller }) => {
      const login = { ...body, turn: turnOf(caller) };
      const { token, account } = await at(['body'], () => administration.login(login));
      return { status: 204, headers: { ...NO_STORE, 'set-cookie': setCookie(cookie, token) }, account };
    },
    deleteAccountSession: logout,
    logoutEnterpriseAccount: logout,
  } satisfies Part;
}

const hostAliasHandlers = ({ hostAliasAdministration: aliases }: AdministrationServices) =>
  ({
    createHostAlias: async ({ path, body }) => ({
      status: 201,
      body: writeAlias(await at(['body'], () => aliases.create(path.target, body))),
    }),
    listHostAliases: async (input) => ({
      status: 200,
      body: (await aliases.page(pageRequest(input))).map(writeAlias),
    }),
    deleteHostAlias: async ({ path }) => {
      await aliases.remove(path.target, path.domain);
      return { status: 204 };
    },
  }) satisfies Part;

const writeAlias = ({ createdAt, ...alias }: HostAlias): Schemas['HostAlias'] => ({
  ...alias,
  createdDateTime: isoMillis(createdAt),
});
