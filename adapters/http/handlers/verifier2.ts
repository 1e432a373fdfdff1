import { historyName } from '../../../domain/events/event-logs.ts';
import type { EventWatches } from '../../../domain/events/event-watches.ts';
import { at } from '../../../domain/foundation/errors.ts';
import { REQUEST_OBJECT } from '../../../domain/presentation/request-parameters.ts';
import { ENTITY_STATEMENT } from '../../../domain/trust/federation/entity-statement.ts';
import type { FetchedRequest } from '../../../domain/verifier/protocol.ts';
import type { CreateSession } from '../../../domain/verifier/requests/create-session.ts';
import type { EntityConfigurations } from '../../../domain/verifier/requests/entity-configuration.ts';
import type { RequestEndpoint } from '../../../domain/verifier/requests/request-endpoint.ts';
import type { RequestIds } from '../../../domain/verifier/requests/request-ids.ts';
import type { WalletReply } from '../../../domain/verifier/verification/outcome.ts';
import type { ResultPurge } from '../../../domain/verifier/verification/purge.ts';
import type { ResponseReceiver } from '../../../domain/verifier/verification/receive.ts';
import type { SessionRepository, StoredSession } from '../../../domain/verifier/verification/repository.ts';
import type { ProtocolOf } from '../../../domain/verifier/verification/rules.ts';
import { linksOf, sessionView } from '../../../domain/verifier/verification/v1-view.ts';
import type { Verifier } from '../../../domain/verifier/verifier.ts';
import type { Clock } from '../../../ports/system.ts';
import { prefers } from '../messages/negotiation.ts';
import { type Handlers, NO_STORE } from '../messages/operations.ts';

/** What the handlers of the document `verifier2` need. */
export interface Verifier2Services {
  creation: CreateSession;
  sessions: SessionRepository;
  requestIds: RequestIds;
  requestEndpoint: RequestEndpoint;
  responses: ResponseReceiver;
  results: ResultPurge;
  clock: Clock;
  entityConfigurations: EntityConfigurations;
  /** The readers of the events of sessions. */
  watches: EventWatches;
}

/** The verifier that is called. */
interface OfVerifier {
  verifier: Verifier;
}

/** Verification sessions of OpenID4VP 1.0. */
export const verifier2Handlers = (services: Verifier2Services): Handlers<'verifier2', OfVerifier> => ({
  ...creatorHandlers(services),
  ...walletHandlers(services),
});

/** The answer with a new session: what its creator passes to the wallet. */
export async function createdSession(
  requestEndpoint: Pick<RequestEndpoint, 'ofPage'>,
  { verifier, session }: OfVerifier & { session: StoredSession<ProtocolOf<'v1'>> },
) {
  const data = await requestEndpoint.ofPage(verifier, session);
  const body = { sessionId: session.id, ...linksOf(session.value.request), ...(data && { data }) };
  return { status: 200, headers: NO_STORE, body } as const;
}

function creatorHandlers(services: Verifier2Services) {
  const { creation, sessions, responses, results, requestEndpoint, watches, clock } = services;
  const shown = async (verifier: Verifier, session: StoredSession<ProtocolOf<'v1'>>) => {
    const now = clock.now();
    const body = await results.read(verifier, session, (one) => sessionView(one, now));
    return { status: 200, headers: NO_STORE, body } as const;
  };
  return {
    createVerificationSession: async ({ verifier, body }) => {
      const session = await at(['body'], () => creation.create(verifier, body));
      return createdSession(requestEndpoint, { verifier, session });
    },
    getVerificationSession: async ({ verifier, path }) =>
      shown(verifier, await sessions.get(verifier, 'v1', path.sessionId)),
    redeemResponseCode: async ({ verifier, path, body }) => {
      const session = await sessions.get(verifier, 'v1', path.sessionId);
      return shown(verifier, await at(['body'], () => responses.redeem(session, body.response_code)));
    },
    streamVerificationSessionEvents: async ({ verifier, path, query, headers }) => {
      const session = await sessions.get(verifier, 'v1', path.sessionId);
      const known = headers['last-event-id'];
      const place = known === undefined ? ['query', 'lastEventId'] : ['header', 'Last-Event-ID'];
      const after = Number(known ?? query.lastEventId ?? 0);
      return { status: 200, events: await at({ after: place }, () => watches.open(historyName(session), after)) };
    },
  } satisfies Partial<Handlers<'verifier2', OfVerifier>>;
}

function walletHandlers(services: Verifier2Services) {
  const { requestIds, requestEndpoint, responses, entityConfigurations } = services;
  return {
    getVerifierEntity: async ({ verifier }) => {
      const headers = { 'content-type': ENTITY_STATEMENT.MEDIA_TYPE };
      return { status: 200, headers, body: await entityConfigurations.create(verifier) };
    },
    getAuthorizationRequest: async ({ verifier, path, headers }) => {
      const session = await requestIds.session(verifier, path.requestId);
      return requestAnswer(await requestEndpoint.fetch(verifier, session), headers.accept);
    },
    postAuthorizationRequest: async ({ verifier, path, body, headers }) => {
      const session = await requestIds.session(verifier, path.requestId);
      return requestAnswer(await at(['body'], () => requestEndpoint.fetch(verifier, session, body)), headers.accept);
    },
    submitAuthorizationResponse: async ({ verifier, path, body }) => {
      const session = await requestIds.session(verifier, path.requestId);
      return responseAnswer(await at(['body'], () => responses.receive(verifier, session, body)));
    },
  } satisfies Partial<Handlers<'verifier2', OfVerifier>>;
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

const MESSAGES = {
  received: 'Presentation received and is being processed.',
  acknowledged: 'The error was received.',
} as const;

function responseAnswer(reply: WalletReply) {
  if (reply.kind === 'redirect') throw new Error('A response endpoint of OpenID4VP 1.0 never redirects');
  const { redirectUri } = reply;
  const redirect = redirectUri === undefined ? {} : { redirect_uri: redirectUri };
  if (reply.kind === 'rejected') {
    const body = { error: reply.error, error_description: reply.description, ...redirect };
    return { status: 400, headers: NO_STORE, body } as const;
  }
  const { status } = reply;
  const body = redirectUri === undefined ? { status, message: MESSAGES[status] } : redirect;
  return { status: 200, headers: NO_STORE, body } as const;
}
