import type { Operation } from '../../adapters/http/messages/document.ts';
import type { Plain, TestServer } from '../support/servers/server.ts';
import { accessTokens } from './access-tokens.ts';
import { login, registration, SUPERADMIN, TOKEN } from './tenant.ts';

/** What a server needs for a caller with all rights. */
export const ALL_RIGHTS = { superadminRegistration: { tokens: { [TOKEN]: registration() } } };

/** A caller with a login of each realm, a wallet, and the access tokens of wallets. */
export class AllRights {
  private constructor(
    readonly wallet: string,
    /** The tokens of logins, by realm. */
    readonly tokens: Record<Operation['realm'], string>,
    /** Access tokens, by document: where one is needed, it is checked before the body. */
    readonly ofWallets: Record<string, string>,
  ) {}

  static async at(server: TestServer): Promise<AllRights> {
    const json = { type: 'email', name: 'A', email: 'abuse@example.org', password: 'correct horse battery' };
    await server.call('registerAccount', { json });
    const { token } = (await server.call('loginAccount', { json })).body;
    await server.call('createSuperadmin', { text: TOKEN });
    const [{ id: wallet }] = (await server.call('listAccountWallets', { token })).body.wallets;
    const tokens = { wallet: token, enterprise: await login(server, SUPERADMIN) };
    return new AllRights(wallet, tokens, await accessTokens(server));
  }

  /** A request of an operation with the token that it demands. */
  authorized(operation: Operation, { headers, ...init }: Plain): Plain {
    const own = operation.authentication === 'required' ? this.tokens[operation.realm] : undefined;
    const bearer = operation.lateBody ? this.ofWallets[operation.document] : own;
    const authorization: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {};
    return { ...init, method: operation.method, headers: { ...authorization, ...headers } };
  }
}
