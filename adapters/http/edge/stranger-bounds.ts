import { DomainError } from '../../../domain/foundation/errors.ts';
import { LruCache } from '../../../domain/foundation/lru-cache.ts';
import { wholeSeconds } from '../../../domain/limits/rate-limit.ts';
import { type StoredBytes, stored } from '../../../domain/limits/stored-bytes.ts';
import type { Clock } from '../../../ports/system.ts';
import type { Operation } from '../messages/document.ts';
import { hasLines } from '../messages/lines.ts';
import type { Context, Middleware } from './context.ts';

/** The section of `rate-limit.conf` for what needs no login and keeps, signs or revokes something. */
const OPEN_ENDPOINTS = 'open_endpoints';

/** What a stranger may have stored: a caller without a login, from a network that is not the operator's. 0 for any. */
export interface StrangerRules {
  /** Of the body of one request, in bytes of JSON. */
  largestBytes: number;
  bytesPerDay: number;
  /** The longest life of a record, in seconds. */
  longestSeconds: number;
}

/** Bytes of memory for what is known of one source. */
const KNOWN_BYTES = 1024;

/** Bounds what strangers have stored. Each process counts for itself. */
export class StrangerBounds {
  readonly #sources = new LruCache<StoredBytes>('stranger-bytes');

  constructor(
    private readonly rules: StrangerRules,
    private readonly clock: Clock,
  ) {}

  /** The step of an operation that strangers may call and that keeps something; undefined for all others. */
  step(operation: Operation): Middleware | undefined {
    const { rateLimit, authentication } = operation;
    if (rateLimit !== OPEN_ENDPOINTS || authentication !== 'none') return undefined;
    return (ctx, next) => {
      const { isLocal, caller, parts } = ctx.state;
      const { longestSeconds } = this.rules;
      if (!isLocal && longestSeconds > 0) caller.longestSeconds = longestSeconds;
      // The lines of a body are counted one by one.
      if (!hasLines(operation)) this.check(ctx, parts.requestBody);
      return next();
    };
  }

  /** Counts a body. @throws DomainError `PayloadTooLarge`, `TooManyRequests` */
  check({ state: { isLocal, source } }: Pick<Context, 'state'>, body: unknown): void {
    if (isLocal || body === undefined) return;
    const { largestBytes, bytesPerDay } = this.rules;
    const bytes = Buffer.byteLength(JSON.stringify(body));
    if (largestBytes > 0 && bytes > largestBytes)
      throw new DomainError(
        'PayloadTooLarge',
        `Without a login the body may have at most ${largestBytes} bytes (${OPEN_ENDPOINTS}.largestKiB of rate-limit.conf)`,
      );
    if (bytesPerDay === 0) return;
    const after = stored(this.#sources.get(source) ?? [], { bytes, now: this.clock.now(), perDay: bytesPerDay });
    if (typeof after !== 'number') this.#sources.set(source, after, { bytes: KNOWN_BYTES });
    else
      throw new DomainError(
        'TooManyRequests',
        `This address had as much stored today as it may without a login (${OPEN_ENDPOINTS}.storedMiBPerDay of rate-limit.conf)`,
        { retryAfterSeconds: wholeSeconds(after) },
      );
  }
}
