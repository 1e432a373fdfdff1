import { hash } from 'node:crypto';
import { DomainError } from '../../domain/foundation/errors.ts';
import { decide, WINDOW_MS, type WindowState } from '../../domain/limits/rate-limit.ts';
import type { Admission, CounterKey, Counters, LimitRule } from '../../ports/counters.ts';
import { BatchedWriter } from './batched-writer.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { Script } from './scripts.ts';

/** Digits of milliseconds since the epoch, until the year 2286. */
const DIGITS = 13;
const UNBLOCKED = '0'.repeat(DIGITS);

/**
 * Time is the server's, in milliseconds. The state of a key is one text of decimal times, 13 digits each: the end of its
 * block, then its requests, oldest first. Its failures are a second text. Times ahead of the clock, written before it was
 * set back, are ignored. Times are passed as text, since Redis formats numbers slowly.
 */
const NOW = `
local call, sub, number = redis.call, string.sub, tonumber
local time = call('TIME')
local stamp = time[1] .. sub('00000' .. time[2], -6, -4)
local now = number(stamp)`;

/** Sets `first` to the position of the oldest time in `log` that is within the window, and `oldest` to that time. */
const FIRST_LIVE = `
local oldest = number(sub(log, first, first + ${DIGITS - 1}))
while oldest and (oldest <= now - window or oldest > now) do
  first = first + ${DIGITS}
  oldest = number(sub(log, first, first + ${DIGITS - 1}))
end`;

/** An admission is returned as one number, half the work of a list: live requests × this + ms until the oldest expires. */
const LIVE_UNIT = 2 ** 16;

/**
 * KEYS state; ARGV limit, 1 with backoff. Returns a \`WindowState\`: live, room, block, oldest. The state expires two
 * windows after it was last written as a whole. It is rewritten when its first request has left the window; until then
 * requests are appended.
 */
const ADMIT: Script = {
  name: 'admitRequest',
  lua: `${NOW}
local limit, window, first = number(ARGV[1]), ${WINDOW_MS}, ${DIGITS + 1}
local log = call('GET', KEYS[1]) or '${UNBLOCKED}'
local block = ARGV[2] == '1' and string.byte(log) ~= ${UNBLOCKED.charCodeAt(0)} and number(sub(log, 1, ${DIGITS})) - now or 0
${FIRST_LIVE}
local live = (#log + 1 - first) / ${DIGITS}
local leaves = (oldest or now) + window - now
if live < limit and block <= 0 then
  if live > 0 and first == ${DIGITS + 1} then call('APPEND', KEYS[1], stamp)
  else call('SET', KEYS[1], '${UNBLOCKED}' .. sub(log, first) .. stamp, 'PX', '${2 * WINDOW_MS}') end
  return live * ${LIVE_UNIT} + leaves
end
local room = 0
if live >= limit then
  local leaving = first + (live - limit) * ${DIGITS}
  room = number(sub(log, leaving, leaving + ${DIGITS - 1})) + window - now
  room = math.min(math.max(room, 1), window)
end
return { live, room, block, leaves }
`,
};

/** KEYS state, failures; ARGV window in ms, threshold, block in ms. */
const FAIL: Script = {
  name: 'recordFailure',
  lua: `${NOW}
local state = call('GET', KEYS[1]) or '${UNBLOCKED}'
if number(sub(state, 1, ${DIGITS})) > now then return end
local window, threshold, block = number(ARGV[1]), number(ARGV[2]), number(ARGV[3])
local log, first = call('GET', KEYS[2]) or '', 1
${FIRST_LIVE}
log = sub(log, first) .. stamp
if #log < threshold * ${DIGITS} then
  call('SET', KEYS[2], log, 'PX', window)
else
  call('DEL', KEYS[2])
  call('SET', KEYS[1], now + block .. sub(state, ${DIGITS + 1}), 'PX', block + ${2 * WINDOW_MS})
end
`,
};

/** 132 bits of the digest: no attacker finds two sources with one identity. */
const IDENTITY_CHARS = 22;

/** Counts in Redis for all instances together: one script, one round trip and one hash slot for each decision. */
export class RedisCounters implements Counters {
  readonly #writes: BatchedWriter;

  constructor(
    private readonly link: RedisConnection,
    private readonly prefix = 'credenza:limit:',
  ) {
    this.#writes = new BatchedWriter(() => link.masters());
  }

  async admit(key: CounterKey, { requestsPerMinute: limit, backoff }: LimitRule): Promise<Admission> {
    const run = { keys: [this.#keyOf(key)], args: [limit, backoff ? 1 : 0] };
    const reply = await this.#writes.send(() => this.link.script(ADMIT, run));
    return decide({ limit, ...readStanding(reply) });
  }

  async fail(key: CounterKey, { backoff }: LimitRule): Promise<void> {
    if (!backoff) return;
    const state = this.#keyOf(key);
    const args = [backoff.windowSeconds * 1000, backoff.threshold, backoff.blockSeconds * 1000];
    await this.link.script(FAIL, { keys: [state, `${state}:f`], args });
  }

  /** A digest: callers cannot choose keys, and keys reveal no addresses. The braces place both keys in one slot. */
  #keyOf({ section, target, source }: CounterKey): string {
    const identity = hash('sha256', `${section.length}|${target.length}|${section}${target}${source}`, 'base64url');
    return `${this.prefix}{${identity.slice(0, IDENTITY_CHARS)}}`;
  }
}

function readStanding(reply: unknown): Omit<WindowState, 'limit'> {
  if (typeof reply === 'number')
    return { live: Math.floor(reply / LIVE_UNIT), msUntilCapacity: 0, blockMs: 0, oldestMs: reply % LIVE_UNIT };
  const [live = Number.NaN, msUntilCapacity = Number.NaN, blockMs = Number.NaN, oldestMs = Number.NaN] =
    asNumbers(reply);
  const standing = { live, msUntilCapacity, blockMs, oldestMs };
  if (Object.values(standing).every(Number.isSafeInteger)) return standing;
  throw new DomainError('StoreUnavailable', 'The store gave no decision');
}

const asNumbers = (reply: unknown): number[] => (Array.isArray(reply) ? reply.map(Number) : []);
