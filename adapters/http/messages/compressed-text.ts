import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { weightsOf } from './negotiation.ts';
import type { Headers } from './operations.ts';

const compress = promisify(gzip);

/** The request headers that the form of the answer depends on. */
interface TextConditions {
  'accept-encoding'?: string;
  'if-none-match'?: string;
}

/** A text as it is sent, or 304 without one when the caller's copy is current (RFC 9110 §13.1.2). */
type TextAnswer = { status: 200; body: Uint8Array; headers: Headers } | { status: 304; headers: Headers };

/** A text that does not change while the process runs, compressed at the first request that accepts gzip. */
export class CompressedText {
  readonly #plain: Buffer;
  readonly #etag: string;
  #packed: Promise<Buffer> | undefined;

  constructor(
    text: string,
    private readonly headers: Headers,
  ) {
    this.#plain = Buffer.from(text);
    this.#etag = createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22);
  }

  async answer(conditions: TextConditions): Promise<TextAnswer> {
    const weights = weightsOf(conditions['accept-encoding'] ?? '');
    const encoded = (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
    // A strong entity tag differs between the two forms (RFC 9110 §8.8.1).
    const etag = `"${this.#etag}${encoded ? '-gzip' : ''}"`;
    const headers = { ...this.headers, etag, vary: 'Accept-Encoding' };
    if (isKnown(etag, conditions['if-none-match'] ?? '')) return { status: 304, headers };
    if (!encoded) return { status: 200, body: this.#plain, headers };
    return { status: 200, body: await this.#gzipped(), headers: { ...headers, 'content-encoding': 'gzip' } };
  }

  #gzipped(): Promise<Buffer> {
    this.#packed ??= compress(this.#plain, { level: constants.Z_BEST_COMPRESSION });
    return this.#packed;
  }
}

const isKnown = (etag: string, known: string): boolean =>
  known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
