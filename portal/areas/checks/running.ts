import { isClosed, type Session } from '../../queries/results.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { untilEvent } from '../../shell/live.ts';

/** A session of a check, as far as the counter needs it. */
interface Begun {
  sessionId: string;
  bootstrapAuthorizationRequestUrl?: string;
  data?: Record<string, unknown>;
}

/** What `navigator.credentials.get` gives (Digital Credentials API). */
interface DigitalAnswer {
  data: Record<string, unknown>;
}

/** Whether this browser asks wallets itself, for pages with https; those with http only on the host `localhost`. */
export const hasDigital = (): boolean =>
  'DigitalCredential' in globalThis && (location.protocol === 'https:' || location.hostname === 'localhost');

/** Begins a session of a check: for a code that a wallet scans, or for the browser. */
export function begin(check: string, isDigital: boolean): Promise<Outcome<Begun>> {
  const body = isDigital
    ? { flow_type: 'dc_api_openid4vp' as const, expectedOrigins: [location.origin] }
    : { flow_type: 'cross_device' as const };
  const params = { path: { target: check } };
  return ask(api.POST('/v1/{target}/verifier2-service-api/checks/verification-session', { params, body }));
}

/** The session as it is. */
export const read = (target: string, sessionId: string): Promise<Outcome<Session>> =>
  ask(
    api.GET('/v1/{target}/verifier2-service-api/verification-session/{sessionId}/info', {
      params: { path: { target, sessionId } },
    }),
  );

/** Waits for the end of a session, which is then read once; undefined when `signal` ended the wait. */
export async function ending(
  verifier: string,
  { sessionId }: Begun,
  signal: AbortSignal,
): Promise<Outcome<Session> | undefined> {
  await untilEvent<{ session: { status: Session['status'] } }>(
    (last) =>
      api.GET('/v1/{target}/verifier2-service-api/verification-session/{sessionId}/events', {
        params: { path: { target: verifier, sessionId }, header: { 'Last-Event-ID': last } },
        parseAs: 'stream',
        signal,
      }),
    ({ session }) => isClosed(session),
    signal,
  );
  return signal.aborted ? undefined : read(verifier, sessionId);
}

/** Asks the browser for the credentials, hands them to the verifier and reads what came of them; undefined without an answer. */
export async function digital(
  verifier: string,
  { sessionId, data }: Begun,
  signal: AbortSignal,
): Promise<Outcome<Session> | undefined> {
  const options = { mediation: 'required', signal, ...data } as CredentialRequestOptions;
  const answer = await navigator.credentials.get(options).catch(() => null);
  if (signal.aborted || !answer) return undefined;
  const body = { data: (answer as unknown as DigitalAnswer).data, origin: location.origin };
  const path = { target: verifier, requestId: sessionId };
  const posted = await ask(
    api.POST('/v1/{target}/verifier2-service-api/verification-session/{requestId}/response', {
      params: { path },
      body,
    }),
  );
  // A presentation that was refused has ended the session, which says why.
  const isOver = !posted.ok && posted.failure.kind === 'refused' && posted.failure.status === 400;
  return isOver || posted.ok ? read(verifier, sessionId) : posted;
}
