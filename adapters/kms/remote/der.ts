/** Converts an ECDSA signature from DER (RFC 3279 §2.2.3) to r‖s, each of `bytes` bytes; undefined when it is not one. */
export function ecdsaFromDer(der: Uint8Array, bytes: number): Uint8Array | undefined {
  const sequence = readValue(der, 0x30);
  const r = sequence && readValue(sequence.value, 0x02);
  const s = r && readValue(r.rest, 0x02);
  if (!s || sequence.rest.length > 0 || s.rest.length > 0) return undefined;
  const parts = [unsigned(r.value), unsigned(s.value)];
  if (parts.some((part) => part.length > bytes)) return undefined;
  const signature = new Uint8Array(2 * bytes);
  for (const [index, part] of parts.entries()) signature.set(part, (index + 1) * bytes - part.length);
  return signature;
}

interface Tlv {
  value: Uint8Array;
  rest: Uint8Array;
}

/** Reads one value with its tag; lengths over 255 bytes do not occur in signatures. */
function readValue(bytes: Uint8Array, tag: number): Tlv | undefined {
  if (bytes[0] !== tag) return undefined;
  const first = bytes[1] ?? 0;
  const [header, length] = first === 0x81 ? [3, bytes[2] ?? 0] : [2, first];
  if (first > 0x81 || first === 0x80 || bytes.length < header + length) return undefined;
  return { value: bytes.subarray(header, header + length), rest: bytes.subarray(header + length) };
}

function unsigned(integer: Uint8Array): Uint8Array {
  let start = 0;
  while (start < integer.length && integer[start] === 0) start += 1;
  return integer.subarray(start);
}
