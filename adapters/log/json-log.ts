import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { pino } from 'pino';
import type PinoPretty from 'pino-pretty';
import type { Log } from '../../ports/log.ts';

/** The most bytes of lines that wait to be written; later lines are dropped, since the oldest name the cause. */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** Where lines go, and whether they wait until `release`, for a command whose output must stay together. */
interface LogOptions {
  /** Standard error where absent; standard output is for commands. */
  out?: Writable & { isTTY?: boolean };
  isHeld?: boolean;
}

/**
 * Writes lines of a level and above, for people on a terminal and as JSON elsewhere, in their order: those of one turn of
 * the event loop together, before that those up to an error, and what is left when the process exits. A reader that stops
 * reading does not stop the process.
 */
export class JsonLog implements Log {
  readonly #logger: pino.Logger;
  readonly #out: Writable;
  readonly #form: (line: string) => string;
  #isHeld: boolean;
  #lines = '';
  #bytes = 0;
  /** Lines that were dropped since the last one that was not. */
  #dropped = 0;

  constructor(level: string, { out = process.stderr, isHeld = false }: LogOptions = {}) {
    const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
    this.#logger = pino(options, { write: (line) => this.#take(line) });
    this.#out = out;
    this.#form = out.isTTY ? readable() : (line) => line;
    this.#isHeld = isHeld;
    // Lines that nothing reads, or that a full disk does not take, are lost; the process goes on.
    out.on('error', () => {});
    process.on('exit', () => this.#write());
  }

  debug(message: string, fields = {}): void {
    this.#logger.debug(fields, message);
  }

  info(message: string, fields = {}): void {
    this.#logger.info(fields, message);
  }

  warn(message: string, fields = {}): void {
    this.#logger.warn(fields, message);
  }

  error(message: string, fields = {}): void {
    this.#logger.error(fields, message);
    this.#write();
  }

  /** Writes what was held; later lines no longer wait. */
  release(): void {
    this.#isHeld = false;
    this.#write();
  }

  #take(line: string): void {
    const text = this.#form(line);
    const bytes = Buffer.byteLength(text);
    const waiting = this.#bytes + this.#out.writableLength;
    if (this.#dropped > 0 && waiting === 0) this.#reportDropped();
    if (this.#dropped > 0 || waiting + bytes > MAX_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    if (this.#bytes === 0) setImmediate(() => this.#write());
    this.#lines += text;
    this.#bytes += bytes;
  }

  #reportDropped(): void {
    const lines = this.#dropped;
    this.#dropped = 0;
    this.warn('lines of the log were dropped, since nothing read them', { lines });
  }

  #write(): void {
    if (this.#isHeld || this.#bytes === 0) return;
    this.#out.write(Buffer.from(this.#lines));
    this.#lines = '';
    this.#bytes = 0;
  }
}

/** Writes a JSON line for people: time, level, message and fields on one line. Control characters stay escaped, as in JSON. */
function readable(): (line: string) => string {
  // Loaded where it is used: most servers have no terminal.
  const { isColorSupported, prettyFactory }: typeof PinoPretty = createRequire(import.meta.url)('pino-pretty');
  const colorize = isColorSupported;
  return prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss', errorLikeObjectKeys: [], colorize });
}
