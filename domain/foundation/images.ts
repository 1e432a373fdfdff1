import { fromBase64 } from './bytes.ts';

/** The bytes of a data URL in base64 (RFC 2397); undefined for any other text. */
export function dataUrlBytes(url: string): Uint8Array | undefined {
  const [, content = ''] = /^data:[^,]{0,100};base64,([A-Za-z0-9+/]*={0,2})$/i.exec(url) ?? [];
  return fromBase64(content);
}

/** The first bytes of the types of images that are shown; '?' is any byte. SVG is a document with scripts and links, so it is none of them. */
const SIGNATURES: readonly (readonly [type: string, start: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF????WEBP'],
];

/** The media type of an image by its first bytes, regardless of what its server says; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const begins = (start: string): boolean =>
    bytes.length > start.length && [...start].every((one, at) => one === '?' || one.charCodeAt(0) === bytes[at]);
  return SIGNATURES.find(([, start]) => begins(start))?.[0];
}
