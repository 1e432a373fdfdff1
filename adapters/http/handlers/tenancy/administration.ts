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
  done,
  type Handlers,
  type LateQuery,
  type LoggedIn,
  NO_STORE,
  reply,
  replyToBody,
  replyUncached,
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
    getOwnAccount: reply(200, ({ caller }) => accountAdministration.own(caller.accountId)),
    replaceOwnProfile: reply(200, ({ body, caller }) =>
      accountAdministration.setProfile(caller.accountId, body.profile),
    ),
    changeOwnPassword: done(204, ({ body: { current, new: next }, caller }) => {
      const { accountId, token } = caller;
      const change = { current, next, turn: turnOf(caller), token };
      return at(['body'], () => accounts.changePassword(accountId, change));
    }),
    resetPassword: done(204, ({ body, caller }) =>
      at(['body'], () => accounts.reset({ ...body, turn: turnOf(caller) })),
    ),
  }) satisfies Part;

const accountHandlers = ({ accountAdministration: accounts }: AdministrationServices) =>
  ({
    listAccounts: reply(200, ({ query, caller }) => accounts.page({ caller: caller.accountId, query })),
    getAccount: reply(200, ({ path, caller }) => accounts.get(caller.accountId, path.accountId.toLowerCase())),
    deleteAccount: done(204, ({ path, caller }) => accounts.remove(caller.accountId, path.accountId.toLowerCase())),
    disableAccount: reply(200, ({ path, caller }) => accounts.disable(caller.accountId, path.accountId.toLowerCase())),
    enableAccount: reply(200, ({ path, caller }) => accounts.enable(caller.accountId, path.accountId.toLowerCase())),
    createPasswordReset: replyUncached(201, async ({ path, caller }) => {
      const { token, expiresAt } = await accounts.startReset(caller.accountId, path.accountId.toLowerCase());
      return { token, expiresDateTime: isoMillis(expiresAt) };
    }),
  }) satisfies Part;

const roleHandlers = ({ roleAdministration: roles }: AdministrationServices) =>
  ({
    listRoles: reply(200, (input) => roles.page(pageRequest(input))),
    getRole: reply(200, ({ path }) => roles.get(path.target)),
    replaceRole: replyToBody(200, ({ path, body, caller }) => roles.replace(caller.accountId, path.target, body)),
    deleteRole: done(204, ({ path, caller }) => roles.remove(caller.accountId, path.target)),
    listRoleAccounts: reply(200, (input) => roles.accounts(pageRequest(input))),
    unassignRole: reply(200, ({ path, caller }) =>
      roles.unassign(caller.accountId, path.accountId.toLowerCase(), path),
    ),
  }) satisfies Part;

const permissionHandlers = ({ permissionInquiry, overviews }: AdministrationServices) =>
  ({
    getOverview: reply(200, ({ caller }) => overviews.show(caller.accountId)),
    decidePermission: async ({ path, query, caller }) => {
      const account = query.account?.toLowerCase();
      const question = { caller: caller.accountId, ...path, account, action: query.action };
      return { status: 200, body: await at(['query'], () => permissionInquiry.answer(question)) };
    },
    listActions: reply(200, () => Object.entries(ACTIONS).map(([action, meaning]) => ({ action, meaning }))),
  }) satisfies Part;

const apiKeyHandlers = ({ apiKeyAdministration: keys }: AdministrationServices) =>
  ({
    createApiKey: replyUncached(201, ({ path, body, caller }) =>
      at(['body'], () => keys.create(caller.accountId, path.target, body)),
    ),
    listApiKeys: reply(200, (input) => keys.page(pageRequest(input))),
    revokeApiKey: done(204, ({ path }) => keys.revoke(path.target, path.keyId.toLowerCase())),
  }) satisfies Part;

const invitationHandlers = ({ invitationAdministration: invitations }: AdministrationServices) =>
  ({
    createInvitation: replyUncached(201, ({ path, body, caller }) =>
      at(['body'], () => invitations.create(caller.accountId, path.target, body)),
    ),
    acceptInvitation: async ({ body, caller }) => {
      const accepted = await at(['body'], () => invitations.accept({ ...body, turn: turnOf(caller) }));
      return { status: 201, body: accepted, account: accepted._id };
    },
    listInvitations: reply(200, (input) => invitations.page(pageRequest(input))),
    revokeInvitation: done(204, ({ path }) => invitations.revoke(path.target, path.invitationId.toLowerCase())),
  }) satisfies Part;

const factorHandlers = ({ enrolment, accountAdministration }: AdministrationServices) =>
  ({
    enrolSecondFactor: replyUncached(201, ({ body, caller }) =>
      at(['body'], () => enrolment.start({ ...body, turn: turnOf(caller) })),
    ),
    confirmSecondFactor: replyUncached(200, async ({ body, caller }) => ({
      recoveryCodes: await at(['body'], () => enrolment.confirm({ ...body, turn: turnOf(caller) })),
    })),
    removeSecondFactor: done(204, ({ body, caller }) =>
      at(['body'], () => enrolment.remove({ ...body, turn: turnOf(caller) })),
    ),
    deleteSecondFactor: done(204, ({ path, caller }) =>
      accountAdministration.removeFactor(caller.accountId, path.accountId.toLowerCase()),
    ),
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
    createHostAlias: replyToBody(201, async ({ path, body }) => writeAlias(await aliases.create(path.target, body))),
    listHostAliases: reply(200, async (input) => (await aliases.page(pageRequest(input))).map(writeAlias)),
    deleteHostAlias: done(204, ({ path }) => aliases.remove(path.target, path.domain)),
  }) satisfies Part;

const writeAlias = ({ createdAt, ...alias }: HostAlias): Schemas['HostAlias'] => ({
  ...alias,
  createdDateTime: isoMillis(createdAt),
});
