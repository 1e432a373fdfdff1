import type { Random } from '../../ports/system.ts';

/** A serial number: 158 random bits in 20 octets, positive (RFC 5280 §4.1.2.2; ISO 18013-5 Annex B: at least 63 bits). */
export function serialNumber(random: Random): Uint8Array {
  const bytes = Uint8Array.from(random.bytes(20));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}
