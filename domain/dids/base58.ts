const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58 in Bitcoin's alphabet, the `z` encoding of multibase. */
export function base58(bytes: Uint8Array): string {
  let zeros = 0;
  while (bytes[zeros] === 0) zeros += 1;
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  return '1'.repeat(zeros) + text;
}

/** Decodes base58 of at most 1,500 characters; undefined for anything else. */
export function fromBase58(text: string): Uint8Array | undefined {
  if (text.length > 1500) return undefined;
  let value = 0n;
  for (const character of text) {
    const index = ALPHABET.indexOf(character);
    if (index < 0) return undefined;
    value = value * 58n + BigInt(index);
  }
  const bytes: number[] = [];
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n));
  const zeros = text.length - text.replace(/^1+/, '').length;
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes]);
}
