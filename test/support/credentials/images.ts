/** The smallest beginnings of the kinds of images, filled up to a size. */
export const IMAGES = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  gif: Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'),
  webp: Buffer.from('RIFF\x24\x00\x00\x00WEBPVP8 ', 'latin1'),
} as const;

/** A PNG of this many bytes; `seed` makes it different from others. */
export const imageOf = (bytes: number, seed = ''): Buffer =>
  Buffer.concat([IMAGES.png, Buffer.from(seed), Buffer.alloc(bytes)]).subarray(0, bytes);

/** An image as a data URL. */
export const dataUrl = (image: Buffer, type = 'png'): string => `data:image/${type};base64,${image.toString('base64')}`;
