import type { BulkAnswer, Offer, OfferRequest } from './values.ts';

/** A card that is to be offered. Its request names a session of its own, so that it can be sent again and is made once. */
export interface Wanted {
  /** The line of the table, as spreadsheets count. */
  line: number;
  request: OfferRequest & { sessionId: string };
  /** What came of it; undefined while that is not known. */
  offer?: Offer;
  /** Why it was refused for good. */
  refused?: string;
}

/** An answer to each request, or those that came before it failed. */
export interface Sent<F> {
  answers: BulkAnswer[];
  failure?: F;
}

/** How many are sent at once. */
const AT_ONCE = 200;

const isOpen = ({ offer, refused }: Wanted): boolean => offer === undefined && refused === undefined;

/** Whether a line was refused for now only. */
const isForNow = ({ status }: BulkAnswer): boolean => status === 429 || status >= 500;

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Offers all that is not offered yet; `changed` is called as answers come. Returns why it stopped before the end. */
export async function offerAll<F>(
  wanted: readonly Wanted[],
  send: (requests: readonly OfferRequest[], signal: AbortSignal) => Promise<Sent<F>>,
  { changed, signal }: { changed(): void; signal: AbortSignal },
): Promise<F | undefined> {
  for (let left = wanted.filter(isOpen); left.length > 0 && !signal.aborted; left = left.filter(isOpen)) {
    const batch = left.slice(0, AT_ONCE);
    const { answers, failure } = await send(
      batch.map(({ request }) => request),
      signal,
    );
    let pauseSeconds = 0;
    for (const answer of answers) {
      const one = batch[answer.line - 1];
      if (one && isForNow(answer)) pauseSeconds = Math.max(pauseSeconds, answer.retryAfterSeconds ?? 1);
      else if (one) take(one, answer);
    }
    changed();
    if (failure) return failure;
    if (pauseSeconds > 0) await wait(pauseSeconds);
  }
  return undefined;
}

function take(one: Wanted, { offer, error }: BulkAnswer): void {
  if (offer) one.offer = offer;
  else
    one.refused =
      error?.details?.map(({ path, message }) => `${path.replace(/^\/body/, '')}: ${message}`).join(', ') ||
      error?.message ||
      '';
}
