import { at, DomainError } from '../../../../domain/foundation/errors.ts';
import { isText } from '../../../../domain/foundation/json.ts';
import { parseJws } from '../../../../domain/jose/jws.ts';
import { type Caller, type Handlers, reply, replyToBody, replyUncached, turnOf } from '../../messages/operations.ts';
import type { Wallet2Services } from './services.ts';

interface EmailLogin {
  body: { email: string; password: string };
  caller: Caller;
}

const credentialsOf = ({ body: { email, password }, caller }: EmailLogin) =>
  ({ type: 'email', email, password, turn: turnOf(caller), requestId: caller.requestId }) as const;

/** The accounts of wallet API 2, which are those of wallet API 1. */
export const accountHandlers = ({ login: methods, sessions, accounts, wallets }: Wallet2Services) =>
  ({
    registerWallet2Account: replyToBody(201, async (input) => ({
      accountId: await methods.register({ ...credentialsOf(input), isWithoutWallet: true }),
    })),
    loginWallet2Account: replyUncached(200, async (input) => {
      const { token } = await at(['body'], () => methods.login(credentialsOf(input)));
      const { jti } = parseJws(token).payload;
      return { session_id: isText(jti) ? jti : '', status: 'SUCCESS' as const, token };
    }),
    logoutWallet2Account: reply(200, async ({ caller }) => {
      await sessions.end(caller.presentedTokens);
      return { status: 'logged out' as const };
    }),
    getWallet2Account: reply(200, async ({ caller: { accountId } }) => {
      const { email } = await accounts.get(accountId);
      return { accountId, ...(email && { email }), walletIds: await wallets.list(accountId) };
    }),
    listWallet2AccountWallets: reply(200, ({ caller }) => wallets.list(caller.accountId)),
    linkWallet2AccountWallet: async () => {
      throw new DomainError('Forbidden', 'A wallet belongs to the account that created it');
    },
  }) satisfies Partial<Handlers<'wallet2'>>;
