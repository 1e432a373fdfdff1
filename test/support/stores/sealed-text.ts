/** A sealed value as versions before 0.10.0 wrote it: JSON text of the key id, a point and the rest in base64url. */
export function sealedText(sealed: Uint8Array): string {
  const text = Buffer.from(sealed).toString('base64url');
  return JSON.stringify(`${text.slice(0, 8)}.${text.slice(8)}`);
}
