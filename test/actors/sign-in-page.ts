import decodeQR from 'qr/decode.js';
import type { Page } from './browser.ts';

/** Pixels of a module of a QR code. */
const SCALE = 4;

/** The link for a wallet that the QR code of a page says. @throws Error when there is none */
export function linkOf({ text }: Page): string {
  const [, picture = ''] = /src="data:image\/svg\+xml;base64,([^"]+)"/.exec(text) ?? [];
  return decodeQR(pixelsOf(Buffer.from(picture, 'base64').toString()));
}

/** Draws the path of the picture, which consists of squares. */
function pixelsOf(svg: string) {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) * SCALE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, how, dx, dy] of svg.matchAll(/([Mm])(-?\d+) (-?\d+)/g)) {
    [x, y] = how === 'M' ? [Number(dx), Number(dy)] : [x + Number(dx), y + Number(dy)];
    for (let row = y * SCALE; row < (y + 1) * SCALE; row += 1)
      for (let column = x * SCALE; column < (x + 1) * SCALE; column += 1)
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
  }
  return { width: side, height: side, data };
}
