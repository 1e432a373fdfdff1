import { useEffect, useState } from 'preact/hooks';
import { followEvents, type NumberedEvent, type StreamState } from '../../client/client.ts';

/** An event of a session, as far as the pages read it. */
interface SessionEvent {
  event: string;
}

/** Opens the stream of a session after its last event. */
type Connect = (last: string, signal: AbortSignal) => ReturnType<Parameters<typeof followEvents>[0]>;

/** For how long a page that is not seen keeps its stream. */
const HIDDEN_MS = 60_000;

/** What has happened in a session, from its first event on, and how the connection is; `ended` when nothing more comes. */
interface Live {
  state: StreamState | 'ended';
  events: NumberedEvent<SessionEvent>[];
}

/**
 * Follows the session of an id while `isOpen`: each event comes once, also over breaks, restarts of the server and hidden
 * pages.
 */
export function useLive(connect: Connect, sessionId: string, isOpen: boolean): Live {
  const [live, setLive] = useState<Live>({ state: 'connecting', events: [] });
  const isSeen = useSeen();
  useEffect(() => {
    if (!isSeen) return;
    const leaving = new AbortController();
    void follow(connect, leaving.signal, setLive);
    return () => leaving.abort();
  }, [sessionId, isSeen]);
  return isOpen ? live : { ...live, state: 'ended' };
}

async function follow(
  connect: Connect,
  signal: AbortSignal,
  setLive: (change: (live: Live) => Live) => void,
): Promise<void> {
  const onState = (state: StreamState): void => setLive((live) => ({ ...live, state }));
  setLive(() => ({ state: 'connecting', events: [] }));
  for await (const event of followEvents<SessionEvent>((last) => connect(last, signal), { signal, onState }))
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
