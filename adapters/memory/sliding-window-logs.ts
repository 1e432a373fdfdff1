import { WINDOW_MS } from '../../domain/limits/rate-limit.ts';

/** Words of a log: the start of its block, the index of its oldest time, the number of its times. */
const BLOCK = 0;
const FIRST = 1;
const COUNT = 2;
const WORDS = 3;

/**
 * Many short logs of times in a few large arrays: two bytes per time, and no objects for the garbage collector. All
 * times of a log are within 60 s of its newest, so 16 bits identify each. Times are whole milliseconds. A log is a ring
 * in one block of cells; the first cell states how often the size was doubled, the others are times.
 */
export class SlidingWindowLogs {
  #words = new Uint32Array(WORDS * 64);
  #newest = new Float64Array(64);
  #cells = new Uint16Array(1024);
  #wordsUsed = 0;
  #cellsUsed = 0;
  readonly #freeRings: number[] = [];
  /** Free blocks by the number of doublings. */
  readonly #freeBlocks: number[][] = [];

  /** `smallest` is the initial capacity of a log. */
  constructor(private readonly smallest: number) {}

  /** Creates an empty log. */
  claim(): number {
    const ring = this.#freeRings.pop() ?? this.#newRing();
    this.#words[ring + BLOCK] = this.#block(0);
    this.#words[ring + COUNT] = 0;
    return ring;
  }

  release(ring: number): void {
    this.#freeBlock(this.#word(ring + BLOCK));
    this.#freeRings.push(ring);
  }

  /** Number of times of a log in (now − 60 s, now]; deletes the others. */
  live(ring: number, now: number): number {
    let count = this.#word(ring + COUNT);
    if (count > 0 && now - this.#newestOf(ring) >= WINDOW_MS) count = 0;
    else while (count > 0 && this.at(ring, 0) <= now - WINDOW_MS) count = this.#dropOldest(ring);
    this.#words[ring + COUNT] = count;
    return count;
  }

  /** The time at an index, oldest first. */
  at(ring: number, index: number): number {
    const newest = this.#newestOf(ring);
    return newest - ((newest - this.#cell(this.#place(ring, index))) & 0xffff);
  }

  /** Adds a time to a log whose times are all live. */
  push(ring: number, now: number): void {
    const count = this.#word(ring + COUNT);
    if (count === this.#capacity(ring)) this.#enlarge(ring);
    this.#cells[this.#place(ring, count)] = now;
    this.#words[ring + COUNT] = count + 1;
    this.#newest[ring / WORDS] = now;
  }

  /** Deletes the oldest time and returns the number of the remaining ones. */
  #dropOldest(ring: number): number {
    this.#words[ring + FIRST] = (this.#word(ring + FIRST) + 1) % this.#capacity(ring);
    const count = this.#word(ring + COUNT) - 1;
    this.#words[ring + COUNT] = count;
    return count;
  }

  #enlarge(ring: number): void {
    const count = this.#word(ring + COUNT);
    const old = this.#word(ring + BLOCK);
    const block = this.#block(this.#cell(old) + 1);
    for (let index = 0; index < count; index += 1)
      this.#cells[block + 1 + index] = this.#cell(this.#place(ring, index));
    this.#freeBlock(old);
    this.#words[ring + BLOCK] = block;
    this.#words[ring + FIRST] = 0;
  }

  #newestOf = (ring: number): number => this.#newest[ring / WORDS] ?? 0;

  #capacity = (ring: number): number => this.smallest * 2 ** this.#cell(this.#word(ring + BLOCK));

  #place = (ring: number, index: number): number =>
    this.#word(ring + BLOCK) + 1 + ((this.#word(ring + FIRST) + index) % this.#capacity(ring));

  #word = (at: number): number => this.#words[at] ?? 0;

  #cell = (at: number): number => this.#cells[at] ?? 0;

  #newRing(): number {
    const ring = this.#wordsUsed;
    this.#wordsUsed += WORDS;
    this.#words = withRoom(this.#words, this.#wordsUsed, Uint32Array);
    this.#newest = withRoom(this.#newest, this.#wordsUsed / WORDS, Float64Array);
    return ring;
  }

  #block(doubled: number): number {
    const block = this.#freeBlocks[doubled]?.pop() ?? this.#newBlock(1 + this.smallest * 2 ** doubled);
    this.#cells[block] = doubled;
    return block;
  }

  #newBlock(length: number): number {
    const block = this.#cellsUsed;
    this.#cellsUsed += length;
    this.#cells = withRoom(this.#cells, this.#cellsUsed, Uint16Array);
    return block;
  }

  #freeBlock(block: number): void {
    const doubled = this.#cell(block);
    this.#freeBlocks[doubled] ??= [];
    this.#freeBlocks[doubled].push(block);
  }
}

/** The arrays grow in small steps, since they grow under attack, when memory is scarce. */
const GROWTH = 1 + 1 / 16;

interface Numbers extends ArrayLike<number> {
  set(from: ArrayLike<number>): void;
}

/** Returns the array, or a longer copy when it is shorter than `length`. */
function withRoom<A extends Numbers>(array: A, length: number, kind: new (length: number) => A): A {
  if (length <= array.length) return array;
  const longer = new kind(Math.ceil(length * GROWTH));
  longer.set(array);
  return longer;
}
