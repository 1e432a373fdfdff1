import { useEffect, useState } from 'preact/hooks';
import { followEvents, type NumberedEvent, type StreamState } from '../../client/client.ts';
import { api } from './api.ts';

/** An event of a session, as far as the pages read it. */
interface SessionEvent {
  event: string;
}

const STREAMS = {
  issue: '/issuer2/sessions/{sessionId}/events',
  verify: '/verification-session/{sessionId}/events',
} as const;

/** For how long a page that is not seen keeps its stream. */
const HIDDEN_MS = 60_000;

/** What has happened in a session, from its first event on, and how the connection is; `ended` when nothing more comes. */
interface Live {
  state: StreamState | 'ended';
  events: NumberedEvent<SessionEvent>[];
}

/** Follows a session while `isOpen`: each event comes once, also over breaks, restarts of the server and hidden pages. */
export function useLive(kind: keyof typeof STREAMS, sessionId: string, isOpen: boolean): Live {
  const [live, setLive] = useState<Live>({ state: 'connecting', events: [] });
  const isSeen = useSeen();
  useEffect(() => {
    if (!isSeen) return;
    const leaving = new AbortController();
    void follow(kind, sessionId, { leaving, setLive });
    return () => leaving.abort();
  }, [kind, sessionId, isSeen]);
  return isOpen ? live : { ...live, state: 'ended' };
}

interface Following {
  leaving: AbortController;
  setLive(change: (live: Live) => Live): void;
}

async function follow(kind: keyof typeof STREAMS, sessionId: string, { leaving, setLive }: Following): Promise<void> {
  const { signal } = leaving;
  const onState = (state: StreamState): void => setLive((live) => ({ ...live, state }));
  const connect = (last: string) =>
    api.GET(STREAMS[kind], {
      params: { path: { sessionId }, header: { 'Last-Event-ID': last } },
      parseAs: 'stream',
      signal,
    });
  setLive(() => ({ state: 'connecting', events: [] }));
  for await (const event of followEvents<SessionEvent>(connect, { signal, onState }))
    setLive((live) => ({ ...live, events: [...live.events, event] }));
  if (!signal.aborted) setLive((live) => ({ ...live, state: 'ended' }));
}

/** Whether the page is seen, or was within the last minute. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') setSeen(true);
      else timer = setTimeout(() => setSeen(false), HIDDEN_MS);
    };
    document.addEventListener('visibilitychange', note);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', note);
    };
  }, []);
  return isSeen;
}

/** Waits for an event of a session, also over breaks; ends without it when `signal` is aborted or nothing more comes. */
export async function untilEvent<T>(
  connect: Parameters<typeof followEvents<T>>[0],
  isWanted: (event: T) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for await (const { value } of followEvents<T>(connect, { signal })) if (isWanted(value)) return;
}
