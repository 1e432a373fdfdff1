import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../../domain/issuer/endpoints/authorization-endpoint.ts';
import type { HolderAnswer } from '../../../domain/issuer/endpoints/holder-authentication.ts';
import type { Parameters } from '../../../domain/oauth/request-parameters.ts';
import { type Handlers, NO_STORE } from '../messages/operations.ts';

/** What the handlers of the document `draft-authorization` need. */
export interface DraftAuthorizationServices {
  /** The issuer of the open endpoints of draft 13. */
  issuer: CredentialIssuer;
  /** The same over draft 11. */
  draft11Issuer: CredentialIssuer;
  /** The issuer of OpenID4VCI 1.0, which sends users to the same login. */
  v1Issuer: CredentialIssuer;
  authorizationEndpoint: AuthorizationEndpoint;
}

const headers = NO_STORE;
const redirect = (location: string) => ({ status: 302 as const, headers: { ...headers, location } });

/** The endpoints of one draft. */
const ofIssuer = (issuer: CredentialIssuer, endpoint: AuthorizationEndpoint) => ({
  authorize: async ({ query }: { query: object }) => redirect(await endpoint.authorize(issuer, query as Parameters)),
  push: async ({ body }: { body: object }) => {
    const { requestUri, expiresInSeconds } = await endpoint.push(issuer, body as Parameters);
    return { status: 201 as const, headers, body: { request_uri: requestUri, expires_in: expiresInSeconds } };
  },
  answer: async ({ body }: { body: HolderAnswer }) => redirect(await endpoint.finish([issuer], body)),
});

/** The authorization code flow of the drafts. */
export const authorizationHandlers = ({
  issuer,
  draft11Issuer,
  v1Issuer,
  authorizationEndpoint: endpoint,
}: DraftAuthorizationServices): Handlers<'draft-authorization'> => ({
  requestAuthorization: ofIssuer(issuer, endpoint).authorize,
  requestDraft11Authorization: ofIssuer(draft11Issuer, endpoint).authorize,
  pushAuthorization: ofIssuer(issuer, endpoint).push,
  pushDraft11Authorization: ofIssuer(draft11Issuer, endpoint).push,
  answerLogin: ofIssuer(issuer, endpoint).answer,
  answerDraft11Login: ofIssuer(draft11Issuer, endpoint).answer,
  finishExternalLogin: async ({ query }) => redirect(await endpoint.finish([issuer, draft11Issuer, v1Issuer], query)),
});
