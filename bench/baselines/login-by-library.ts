import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { makeParty } from '../support/parties.ts';
import { listen } from '../support/servers.ts';

/** What a request has in the library. */
interface LibraryContext {
  path: string;
  method: string;
  body: unknown;
  req: IncomingMessage;
  res: ServerResponse;
  respond: boolean;
  oidc: Record<'account' | 'client', { accountId: string; clientId: string }>;
}

/** What is used of `oidc-provider`, which has no types of its own. */
interface Provider {
  callback(): Parameters<typeof listen>[0];
  use(middleware: (ctx: LibraryContext, next: () => Promise<void>) => Promise<void>): void;
  interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<{ params: Record<string, string> }>;
  interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

const LIBRARY = 'oidc-provider';
const { default: Library } = (await import(LIBRARY)) as {
  default: new (issuer: string, configuration: object) => Provider;
};
const [client_id = '', client_secret = '', callback = ''] = process.argv.slice(2);

/** The people by their names. */
const PASSWORDS = new Map([['ada', 'only an example']]);

/** An OpenID Provider with a page that asks for name and password; all that it stores is in memory. */
const provider: Provider = new Library('http://127.0.0.1', {
  clients: [
    {
      client_id,
      client_secret,
      redirect_uris: [callback],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...makeParty().privateJwk, use: 'sig', alg: 'ES256' }] },
  cookies: { keys: ['a key of cookies'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/login/${uid}` },
  pkce: { required: () => true },
  findAccount: (_ctx: unknown, accountId: string) => ({
    accountId,
    claims: async () => ({ sub: accountId, family_name: 'Lovelace' }),
  }),
  loadExistingGrant: async ({ oidc: { account, client } }: LibraryContext) => {
    const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
    grant.addOIDCScope('openid');
    await grant.save();
    return grant;
  },
  claims: { openid: ['sub', 'family_name'] },
  conformIdTokenClaims: false,
  ttl: { Interaction: 300, AuthorizationCode: 60, IdToken: 3600, AccessToken: 600, Grant: 660, Session: 3600 },
});
provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/login/')) return next();
  if (ctx.method === 'GET') {
    const { params } = await provider.interactionDetails(ctx.req, ctx.res);
    ctx.body = `<form method="post"><h1>Log in to ${params.client_id}</h1><input name="name"><input name="password"></form>`;
    return;
  }
  const form = new URLSearchParams(await text(ctx.req));
  const name = form.get('name') ?? '';
  if (PASSWORDS.get(name) !== form.get('password')) throw new Error('The password is wrong');
  ctx.respond = false;
  await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: name, remember: false }, consent: {} });
});
listen(provider.callback());
