import { hex, hmac, utf8 } from '../foundation/bytes.ts';
import type { EventDestination, LoggedEvent } from './event-log.ts';

/** The headers of an event without its signature. */
export const eventHeaders = (
  { id, sequence }: Pick<LoggedEvent, 'id' | 'sequence'>,
  { authorization }: EventDestination,
): Record<string, string> => ({
  'content-type': 'application/json',
  'x-event-id': id,
  'x-event-sequence': String(sequence),
  ...(authorization !== undefined && { authorization }),
});

/** What is signed. */
interface SignedEvent {
  id: string;
  body: string;
}

/**
 * The header that proves who sent an event: the time in seconds, and for each secret an HMAC-SHA-256 over time, id and
 * body. With two secrets a receiver that knows either of them can verify it. Without secrets there is no header.
 */
export function signatureHeaders(
  { id, body }: SignedEvent,
  secrets: readonly string[] = [],
  now: number,
): Record<string, string> {
  if (secrets.length === 0) return {};
  const time = Math.floor(now / 1000);
  const signatures = secrets.map((secret) => `v1=${hex(hmac(utf8(secret), `${time}.${id}.${body}`))}`);
  return { 'x-signature': [`t=${time}`, ...signatures].join(',') };
}
