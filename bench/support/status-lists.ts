import { compress } from '../../domain/foundation/bytes.ts';

const ENTRIES = 131_072;
const BITS = 2;

/** The bytes of a Token Status List as JWT, its header, signature and other claims apart, with this share of entries revoked. */
export function bytesCompressed(share: number): number {
  const statuses = new Uint8Array((ENTRIES * BITS) / 8);
  // Entries are taken in a secret order, so what was revoked lies anywhere.
  for (let left = Math.round(ENTRIES * share); left > 0; ) {
    const entry = Math.floor(Math.random() * ENTRIES);
    const [byte, mask] = [entry >> 2, 1 << ((entry & 3) * BITS)];
    if (((statuses[byte] ?? 0) & mask) !== 0) continue;
    statuses[byte] = (statuses[byte] ?? 0) | mask;
    left -= 1;
  }
  return Math.ceil((compress('zlib', statuses).length * 4) / 3);
}
