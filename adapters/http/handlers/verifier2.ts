import type { EventWatches } from '../../../domain/events/event-watches.ts';
import { at } from '../../../domain/foundation/errors.ts';
import { REQUEST_OBJECT } from '../../../domain/presentation/request-parameters.ts';
import { ENTITY_STATEMENT } from '../../../domain/trust/federation/entity-statement.ts';
import type { EntityConfigurations } from '../../../domain/verifier/entity-configuration.ts';
import type { PresentationVerifier } from '../../../domain/verifier/presentation-verifier.ts';
import type { CreateSession } from '../../../domain/verifier/sessions/create-session.ts';
import type { PresentationSessionRepository, StoredSession } from '../../../domain/verifier/sessions/repository.ts';
import type { FetchedRequest, RequestEndpoint } from '../../../domain/verifier/sessions/request-endpoint.ts';
import type { ResponseEndpoint, ResponseReply } from '../../../domain/verifier/sessions/response-endpoint.ts';
import { logOf } from '../../../domain/verifier/sessions/session-events.ts';
import type { SessionResults } from '../../../domain/verifier/sessions/session-results.ts';
import { linksOf } from '../../../domain/verifier/sessions/session-view.ts';
import { prefers } from '../messages/negotiation.ts';
import { type Handlers, NO_STORE } from '../messages/operations.ts';

/** What the handlers of the document `verifier2` need. */
export interface Verifier2Services {
  /** The verifier of the open endpoints. */
  verifier: PresentationVerifier;
  sessionCreation: CreateSession;
  presentationSessions: PresentationSessionRepository;
  requestEndpoint: RequestEndpoint;
  responseEndpoint: ResponseEndpoint;
  sessionResults: SessionResults;
  entityConfigurations: EntityConfigurations;
  /** The readers of the events of sessions. */
  watches: EventWatches;
}

/** Verification sessions of OpenID4VP 1.0. */
export const verifier2Handlers = (services: Verifier2Services): Handlers<'verifier2'> => ({
  ...creatorHandlers(services),
  ...walletHandlers(services),
});

function creatorHandlers(services: Verifier2Services) {
  const { verifier, sessionCreation, presentationSessions: sessions, responseEndpoint, watches } = services;
  const { requestEndpoint, sessionResults } = services;
  const shown = async (session: StoredSession) =>
    ({ status: 200, headers: NO_STORE, body: await sessionResults.show(verifier, session) }) as const;
  return {
    createVerificationSession: async ({ body }) => {
      const session = await at(['body'], () => sessionCreation.create(verifier, body));
      const data = await requestEndpoint.ofPage(verifier, session);
      const created = { sessionId: session.id, ...linksOf(session.value.request), ...(data && { data }) };
      return { status: 200, headers: NO_STORE, body: created };
    },
    getVerificationSession: async ({ path }) => shown(await sessions.get(verifier, path.sessionId)),
    redeemResponseCode: async ({ path, body }) =>
      shown(await at(['body'], () => responseEndpoint.redeem(verifier, path.sessionId, body.response_code))),
    streamVerificationSessionEvents: async ({ path, query, headers }) => {
      const session = await sessions.get(verifier, path.sessionId);
      const known = headers['last-event-id'];
      const place = known === undefined ? ['query', 'lastEventId'] : ['header', 'Last-Event-ID'];
      const after = Number(known ?? query.lastEventId ?? 0);
      return { status: 200, events: await at({ after: place }, () => watches.open(logOf(session), after)) };
    },
  } satisfies Partial<Handlers<'verifier2'>>;
}

function walletHandlers({ verifier, requestEndpoint, responseEndpoint, entityConfigurations }: Verifier2Services) {
  return {
    getVerifierEntity: async () => {
      const headers = { 'content-type': ENTITY_STATEMENT.MEDIA_TYPE };
      return { status: 200, headers, body: await entityConfigurations.create(verifier) };
    },
    getAuthorizationRequest: async ({ path, headers }) =>
      requestAnswer(await requestEndpoint.fetch(verifier, path.requestId), headers.accept),
    postAuthorizationRequest: async ({ path, body, headers }) =>
      requestAnswer(await at(['body'], () => requestEndpoint.fetch(verifier, path.requestId, body)), headers.accept),
    submitAuthorizationResponse: async ({ path, body }) =>
      responseAnswer(await at(['body'], () => responseEndpoint.receive(verifier, path.requestId, body))),
  } satisfies Partial<Handlers<'verifier2'>>;
}

const JSON_TYPE = 'application/json';

/** A wallet that asks for request objects gets one; any other gets a request that is not signed as JSON. */
function requestAnswer(request: FetchedRequest, accept: string | undefined) {
  const headers = { ...NO_STORE, vary: 'Accept' };
  const { signed, json, unsecured } = { signed: undefined, unsecured: undefined, json: {}, ...request };
  const object = signed ?? (prefers(accept, REQUEST_OBJECT.MEDIA_TYPE, JSON_TYPE) ? unsecured : undefined);
  return object === undefined
    ? ({ status: 200, headers: { ...headers, 'content-type': `${JSON_TYPE}; charset=utf-8` }, body: json } as const)
    : ({ status: 200, headers: { ...headers, 'content-type': REQUEST_OBJECT.MEDIA_TYPE }, body: object } as const);
}

function responseAnswer(reply: ResponseReply) {
  const redirect = reply.redirectUri === undefined ? {} : { redirect_uri: reply.redirectUri };
  if (!reply.isRejected)
    return {
      status: 200,
      headers: NO_STORE,
      body: reply.redirectUri === undefined ? { status: reply.status, message: reply.message } : redirect,
    } as const;
  const body = { error: 'invalid_request', error_description: reply.description, ...redirect };
  return { status: 400, headers: NO_STORE, body } as const;
}
