import { randomUUID } from 'node:crypto';
import type { Answer, Call, TestServer } from '../support/servers/server.ts';

/** Calls an operation of wallet API 2 on a wallet. */
export type WalletCall = (operationId: string, call?: Call) => Promise<Answer>;

/** Who calls wallet API 2: an account, or the operator where there are none. */
export interface Wallet2Caller {
  token?: string;
  call: WalletCall;
  /** Creates a wallet; the result calls operations on it. */
  create(json?: unknown): Promise<{ walletId: string; call: WalletCall }>;
}

/** Settings of a server on which wallet API 2 has no accounts. */
export const WITHOUT_ACCOUNTS = { wallet: { wallet2Accounts: 'none' } } as const;

/** A caller with this token; without one the operator. */
export function wallet2Caller(server: Pick<TestServer, 'call'>, token?: string): Wallet2Caller {
  const call: WalletCall = (operationId, more = {}) => server.call(operationId, { ...(token && { token }), ...more });
  return {
    token,
    call,
    create: async (json) => {
      const { status, body } = await call('createWallet', json === undefined ? {} : { json });
      if (status !== 201) throw new Error(`createWallet answered ${status}: ${JSON.stringify(body)}`);
      return {
        walletId: body.walletId,
        call: (operationId, more = {}) => call(operationId, { ...more, path: { wallet: body.walletId, ...more.path } }),
      };
    },
  };
}

/** Registers an account and logs in. */
export async function newWallet2User(
  server: Pick<TestServer, 'call'>,
): Promise<Wallet2Caller & { accountId: string; json: { email: string; password: string } }> {
  const json = { email: `${randomUUID()}@example.org`, password: 'a long enough password' };
  const { accountId } = (await server.call('registerWallet2Account', { json })).body;
  const { token } = (await server.call('loginWallet2Account', { json })).body;
  return { ...wallet2Caller(server, token), accountId, json };
}
