import type { CredentialIssuer } from '../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../domain/issuer/endpoints/authorization-endpoint.ts';
import type { Parameters } from '../../domain/oauth/request-parameters.ts';
import { type Handlers, NO_STORE } from './operations.ts';

/** What the handlers of the document `draft-authorization` need. */
export interface DraftAuthorizationServices {
  /** The issuer of the open endpoints of draft 13. */
  issuer: CredentialIssuer;
  /** The issuer of OpenID4VCI 1.0, which sends users to the same login. */
  v1Issuer: CredentialIssuer;
  authorizationEndpoint: AuthorizationEndpoint;
}

const headers = NO_STORE;
const redirect = (location: string) => ({ status: 302 as const, headers: { ...headers, location } });

/** The authorization code flow of the drafts. */
export const authorizationHandlers = ({
  issuer,
  v1Issuer,
  authorizationEndpoint: endpoint,
}: DraftAuthorizationServices): Handlers<'draft-authorization'> => ({
  requestAuthorization: async ({ query }) => redirect(await endpoint.authorize(issuer, query as Parameters)),
  pushAuthorization: async ({ body }) => {
    const { requestUri, expiresInSeconds } = await endpoint.push(issuer, body as Parameters);
    return { status: 201, headers, body: { request_uri: requestUri, expires_in: expiresInSeconds } };
  },
  answerLogin: async ({ body }) => redirect(await endpoint.finish([issuer], body)),
  finishExternalLogin: async ({ query }) => redirect(await endpoint.finish([issuer, v1Issuer], query)),
});
