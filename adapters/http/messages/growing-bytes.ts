const NONE = Buffer.alloc(0);

/**
 * Bytes that arrive in parts of any size, in one buffer of at most twice their length: a buffer for each part would take
 * hundreds of times as much when the parts are single bytes.
 */
export class GrowingBytes {
  #buffer = NONE;
  #length = 0;

  /** `most`: how many bytes are expected at most; room for more of them is made only for those that came. */
  constructor(private readonly most: number) {}

  get length(): number {
    return this.#length;
  }

  /** The memory that is used, in bytes, once this part is added. */
  sizeWith(part: Buffer): number {
    const needed = this.#length + part.length;
    if (needed <= this.#buffer.length) return this.#buffer.length;
    return Math.max(needed, Math.min(2 * needed, this.most));
  }

  add(part: Buffer): void {
    const size = this.sizeWith(part);
    if (size > this.#buffer.length) {
      // Not of the pool, of which a small part would keep the whole.
      const larger = Buffer.allocUnsafeSlow(size);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#length += part.copy(this.#buffer, this.#length);
  }

  /** The bytes so far, of which nothing is kept. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#buffer = NONE;
    this.#length = 0;
    return taken;
  }
}
