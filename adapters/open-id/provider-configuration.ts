import type { Account, ClientMetadata, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { ProviderKey, SignInClient, SignInServer } from '../../domain/sign-in/sign-in-server.ts';
import type { SignedInPeople } from '../../domain/sign-in/signed-in.ts';
import { verifiedClaims } from '../../domain/sign-in/verified-claims.ts';
import type { ProviderPage } from '../../ports/open-id-provider.ts';
import type { Clock } from '../../ports/system.ts';
import { ProtocolAdapter } from './protocol-records.ts';
import { ProviderSigningKey } from './signing-keys.ts';
import type { ProtocolRecords } from './stored-records.ts';

/** What the library works with. */
export interface LibraryParts {
  records: ProtocolRecords;
  clock: Clock;
  people: SignedInPeople;
  /** Signs cookies. */
  cookieKey: string;
  keys: readonly ProviderKey[];
}

/** Shows a person something in place of a page of the library. */
type ShowPage = (ctx: KoaContextWithOIDC, page: ProviderPage) => void;

/** The names of cookies. */
const COOKIES = { session: 'sign-in', interaction: 'sign-in-page', resume: 'sign-in-resume' };

/** The endpoints below the issuer identifier. */
const ROUTES = {
  authorization: '/authorize',
  pushed_authorization_request: '/par',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/jwks',
  end_session: '/logout',
};

/** Claims that every ID token has (OpenID Connect Core §2). */
const TOKEN_CLAIMS = ['sub', 'acr', 'amr', 'auth_time'];

/** Of assertions of clients, by whose clocks they are dated, in seconds. */
const CLOCK_TOLERANCE = 10;

/** The configuration of the library for a provider. */
export function configurationOf(server: SignInServer, parts: LibraryParts, show: ShowPage): Configuration {
  const { issuer, profiles, secure } = server;
  const { signIn, code, idToken, accessToken } = server.lifetimes;
  const mapped = profiles.flatMap((profile) => Object.keys(profile.claims));
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  return {
    adapter: (kind: string) => new ProtocolAdapter(kind, { ...parts, server: server.id }),
    clients: [...server.clients.values()].map(clientOf),
    jwks: { keys: parts.keys.map((key) => new ProviderSigningKey(key)) },
    cookies: {
      names: COOKIES,
      keys: [parts.cookieKey],
      long: { ...cookie, path: new URL(issuer).pathname },
      short: cookie,
    },
    routes: ROUTES,
    interactions: { url: (_ctx, { uid }) => `${issuer}/sign-ins/${uid}` },
    scopes: ['openid', ...profiles.map(({ id }) => id)],
    // A profile is asked for by its name; what it maps is what its sign-ins have.
    claims: {
      openid: [...new Set([...TOKEN_CLAIMS, ...mapped])],
      ...(profiles.some(({ trustFramework }) => trustFramework !== undefined) && { verified_claims: null }),
    },
    acrValues: [...new Set(profiles.map(({ acr }) => acr))],
    conformIdTokenClaims: false,
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: async (_ctx, accountId) => (await parts.people.find(server, accountId))?.subject ?? '',
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: CLOCK_TOLERANCE,
    issueRefreshToken: () => false,
    ttl: {
      Interaction: signIn,
      AuthorizationCode: code,
      IdToken: idToken,
      AccessToken: accessToken,
      Grant: code + accessToken,
      Session: Math.max(idToken, accessToken),
    },
    features: featuresOf(show),
    findAccount: (_ctx, id) => accountOf(server, parts.people, id),
    loadExistingGrant: grantOf,
    renderError: (ctx, { error, error_description: description }, { name }) =>
      show(ctx, name === 'SessionNotFound' ? { kind: 'over' } : { kind: 'error', error, description }),
  };
}

/** What of the library is on. */
const featuresOf = (show: ShowPage): Configuration['features'] => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  resourceIndicators: { enabled: false },
  claimsParameter: { enabled: true },
  pushedAuthorizationRequests: { enabled: true },
  externalSigningSupport: { enabled: true, ack: 'experimental-01' },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => {
      const { client, params } = ctx.oidc;
      const goesOnTo = params?.post_logout_redirect_uri as string | undefined;
      show(ctx, { kind: 'logout', form, client: client?.clientName, goesOnTo });
    },
    postLogoutSuccessSource: (ctx) => show(ctx, { kind: 'loggedOut', client: ctx.oidc.client?.clientName }),
  },
});

const clientOf = (client: SignInClient): ClientMetadata => ({
  client_id: client.id,
  client_name: client.name,
  client_secret: client.secretDigest,
  jwks: client.jwks as ClientMetadata['jwks'],
  token_endpoint_auth_method: client.authentication,
  redirect_uris: client.redirectUris,
  post_logout_redirect_uris: client.postLogoutRedirectUris,
  response_types: ['code'],
  grant_types: ['authorization_code'],
  scope: ['openid', ...client.profiles.map(({ id }) => id)].join(' '),
  subject_type: 'pairwise',
  id_token_signed_response_alg: client.idTokenAlgorithm,
  require_auth_time: true,
  require_pushed_authorization_requests: client.requirePushedRequests,
});

/** The person of a sign-in, as the library asks for it: its claims are those of this sign-in alone. */
async function accountOf(server: SignInServer, people: SignedInPeople, id: string): Promise<Account | undefined> {
  const person = await people.find(server, id);
  return (
    person && {
      accountId: id,
      claims: async (_use, _scope, asked) => {
        const verified = verifiedClaims(asked.verified_claims, person);
        const { claims, acr, amr, at } = person;
        return {
          ...claims,
          sub: id,
          acr,
          amr: [...amr],
          auth_time: at,
          ...(verified && { verified_claims: verified }),
        };
      },
    }
  );
}

/** Who presents credentials to a client consents to what the client asks for. */
async function grantOf({ oidc }: KoaContextWithOIDC) {
  const { provider, account, client, params, claims } = oidc;
  const grant = new provider.Grant({ accountId: account?.accountId ?? '', clientId: client?.clientId ?? '' });
  grant.addOIDCScope(String(params?.scope ?? ''));
  grant.addOIDCClaims(Object.values(claims).flatMap((asked) => Object.keys(asked ?? {})));
  await grant.save();
  return grant;
}
