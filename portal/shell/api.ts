import { signal } from '@preact/signals';
import { createClient, type Problem } from '../../client/client.ts';

/** The folder that the document is in, so that the portal works below any path. */
const HERE = new URL('.', document.baseURI).href.replace(/\/$/, '');

/** The operations of this server. */
export const api = createClient({ baseUrl: HERE });

/** Why a call failed. */
export type Failure =
  | { kind: 'offline' }
  | { kind: 'refused'; status: number; problem?: Problem; retryAfterSeconds?: number };

export type Outcome<T> = { ok: true; data: T } | { ok: false; failure: Failure };

/** Whether the server answers; while it does not, it is asked again and again. */
export const isServerGone = signal(false);

/** Whether the reader was logged in since the document was opened: to the office with an account, and to the wallet. */
export const wasLoggedIn = { account: signal(false), wallet: signal(false) };

/** What `client.GET(…)` and the others resolve to. */
interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The outcome of a call; nothing is thrown. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<Outcome<T>> {
  const answer = await call.catch(() => undefined);
  if (!answer) {
    waitForServer();
    return { ok: false, failure: { kind: 'offline' } };
  }
  const { data, error, response } = answer;
  if (response.ok) return { ok: true, data: data as T };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    ok: false,
    failure: {
      kind: 'refused',
      status: response.status,
      problem: isProblem(error) ? error : undefined,
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    },
  };
}

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'message' in error && 'requestId' in error;

const LONGEST_PAUSE_MS = 30_000;

/** Asks after 1, 2, 4 … 30 seconds whether the server is back. */
function waitForServer(pauseMs = 1000): void {
  if (isServerGone.value && pauseMs === 1000) return;
  isServerGone.value = true;
  setTimeout(async () => {
    const answer = await api.GET('/livez').catch(() => undefined);
    if (answer?.response.ok) isServerGone.value = false;
    else waitForServer(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
  }, pauseMs);
}
