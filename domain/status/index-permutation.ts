import { digest } from '../foundation/bytes.ts';

const ROUNDS = 10;

/** A permutation of the numbers below `size` that only those who have the seed can predict. */
interface KeyedPermutation {
  /** 32 random bytes, a secret. */
  seed: Uint8Array;
  /** At most 2³². */
  size: number;
}

/**
 * Returns where the permutation moves a number: a Feistel network over a grid of at least `size` cells with SHA-256 in
 * each round, repeated until the result is below the size. The grid is hardly larger than the size, so once is the rule.
 */
export function permuted({ seed, size }: KeyedPermutation, value: number): number {
  const width = 2 ** Math.ceil(Math.log2(size) / 2);
  const height = Math.ceil(size / width);
  let result = value;
  do {
    let [row, column] = [Math.floor(result / width), result % width];
    for (let round = 0; round < ROUNDS; round += 2) {
      row = (row + roundValue(seed, round, column)) % height;
      column = (column + roundValue(seed, round + 1, row)) % width;
    }
    result = row * width + column;
  } while (result >= size);
  return result;
}

function roundValue(seed: Uint8Array, round: number, half: number): number {
  const block = new Uint8Array(seed.length + 5);
  block.set(seed);
  const view = new DataView(block.buffer, seed.length);
  view.setUint8(0, round);
  view.setUint32(1, half);
  const { buffer, byteOffset } = digest('sha256', block);
  return new DataView(buffer, byteOffset).getUint32(0);
}
