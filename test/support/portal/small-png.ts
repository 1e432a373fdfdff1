import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What the page shows as a PNG of at most 256 colours, a third as large as the browser's own. */
export async function smallScreenshot(page: Page): Promise<Buffer> {
  const shot = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
  const { width, height, text } = await page.evaluate<{ width: number; height: number; text: string }>(
    `(async () => {
      const bytes = Uint8Array.from(atob('${shot}'), (sign) => sign.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      let text = '';
      for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at], data[at + 1], data[at + 2]);
      return { width, height, text };
    })()`,
  );
  const pixels = Buffer.from(text, 'latin1');
  const colours = Array.from({ length: width * height }, (_, at) => pixels.readUIntBE(at * 3, 3));
  return pngOf(width, colours);
}

/** A PNG of colours as numbers 0xrrggbb, line by line; those that look the same become one where there are too many. */
function pngOf(width: number, colours: readonly number[]): Buffer {
  const { palette, indexOf } = paletteOf(colours);
  const height = colours.length / width;
  // Each line begins with the number of its filter, which is none.
  const lines = Buffer.alloc(height * (width + 1));
  for (const [at, colour] of colours.entries()) lines[at + Math.floor(at / width) + 1] = indexOf(colour);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, with a palette.
  header.set([8, 3], 8);
  const entries = Buffer.alloc(palette.length * 3);
  for (const [at, colour] of palette.entries()) entries.writeUIntBE(colour, at * 3, 3);
  const chunks = { IHDR: header, PLTE: entries, IDAT: deflateSync(lines, { level: 9 }), IEND: Buffer.alloc(0) };
  return Buffer.concat([SIGNATURE, ...Object.entries(chunks).map(([name, data]) => chunk(name, data))]);
}

/** At most 256 colours: of those that are equal in as many of the upper bits as that allows, the most frequent one. */
function paletteOf(colours: readonly number[]): { palette: number[]; indexOf(colour: number): number } {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  for (let mask = 0xffffff; ; mask &= (mask << 1) & 0xfefefe) {
    const first = new Map<number, number>();
    for (const colour of frequent) if (!first.has(colour & mask)) first.set(colour & mask, colour);
    const indexes = new Map([...first.keys()].map((bucket, at) => [bucket, at]));
    if (first.size <= 256)
      return { palette: [...first.values()], indexOf: (colour) => indexes.get(colour & mask) ?? 0 };
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}
