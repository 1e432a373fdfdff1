import type { PeerReply } from './http-peer.ts';
import type { TestIssuer } from './issuer.ts';

/** The endpoints that take access tokens. */
const PROTECTED = ['/issuer/credential', '/issuer/deferred', '/issuer/notification'];

/** Lets an issuer give refresh tokens, each of which is good once, with an access token that ends the one before it. */
export function giveRefreshTokens(issuer: TestIssuer) {
  const { routes } = issuer.peer;
  /** The refresh tokens that were given and not used. */
  const tokens = new Set<string>();
  let latest = '';
  let given = 0;
  const server = {
    /** The answer to each refresh, in place of tokens. */
    refusal: undefined as PeerReply | undefined,
    /** How many refresh tokens were sent. */
    refreshes: 0,
    /** Whether it gives access tokens alone. */
    isWithout: false,
    /** Ends the life of the access token. */
    expire: () => {
      latest = '';
    },
  };
  const token = routes['/issuer/token'];
  routes['/issuer/token'] = async (request) => {
    const form = new URLSearchParams(request.body);
    const isRefresh = form.get('grant_type') === 'refresh_token';
    if (isRefresh) server.refreshes += 1;
    if (isRefresh && server.refusal) return server.refusal;
    if (isRefresh && !tokens.delete(form.get('refresh_token') ?? ''))
      return { status: 400, body: { error: 'invalid_grant' } };
    const answer = isRefresh ? { body: { access_token: 'the-token', token_type: 'Bearer' } } : await token?.(request);
    if (answer?.status !== undefined) return answer;
    given += 1;
    latest = `the-token ${given}`;
    if (server.isWithout) return { body: { ...Object(answer?.body), access_token: latest } };
    tokens.add(`refresh ${given}`);
    return { body: { ...Object(answer?.body), access_token: latest, refresh_token: `refresh ${given}` } };
  };
  for (const path of PROTECTED) {
    const answer = routes[path];
    if (answer)
      routes[path] = (request) => {
        if (latest === '' || request.headers.authorization !== `Bearer ${latest}`)
          return { status: 401, body: { error: 'invalid_token' } };
        return answer({ ...request, headers: { ...request.headers, authorization: 'Bearer the-token' } });
      };
  }
  return server;
}
