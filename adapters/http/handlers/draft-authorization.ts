import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { AuthorizationEndpoint } from '../../../domain/issuer/endpoints/authorization-endpoint.ts';
import type { HolderAnswer } from '../../../domain/issuer/endpoints/holder-authentication.ts';
import type { Version } from '../../../domain/issuer/versions.ts';
import type { Parameters } from '../../../domain/oauth/request-parameters.ts';
import { type Handlers, NO_STORE } from '../messages/operations.ts';

/** What the handlers of the document `draft-authorization` need. */
interface DraftAuthorizationServices {
  /** The issuers of the open endpoints, which send users to the same login. */
  issuers: Readonly<Record<Version, CredentialIssuer>>;
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
  issuers,
  authorizationEndpoint: endpoint,
}: DraftAuthorizationServices): Handlers<'draft-authorization'> => ({
  requestAuthorization: ofIssuer(issuers.draft13, endpoint).authorize,
  requestDraft11Authorization: ofIssuer(issuers.draft11, endpoint).authorize,
  pushAuthorization: ofIssuer(issuers.draft13, endpoint).push,
  pushDraft11Authorization: ofIssuer(issuers.draft11, endpoint).push,
  answerLogin: ofIssuer(issuers.draft13, endpoint).answer,
  answerDraft11Login: ofIssuer(issuers.draft11, endpoint).answer,
  finishExternalLogin: async ({ query }) => redirect(await endpoint.finish(Object.values(issuers), query)),
});
