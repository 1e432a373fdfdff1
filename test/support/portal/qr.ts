import type { Locator, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';

/** The text of a QR code as a camera would read it. */
export const readQr = async (picture: Locator): Promise<string> => readQrIn(await picture.screenshot(), picture.page());

/** The text of the QR code in a PNG, which a browser unpacks. @throws Error when there is none */
export async function readQrIn(picture: Buffer, browser: Page): Promise<string> {
  const png = picture.toString('base64');
  // One text is a hundred times as fast to fetch from it as a list of numbers.
  const { width, height, grey } = await browser.evaluate<{ width: number; height: number; grey: string }>(
    `(async () => {
      const bytes = Uint8Array.from(atob('${png}'), (sign) => sign.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      let grey = '';
      for (let at = 0; at < data.length; at += 4) grey += String.fromCharCode(data[at]);
      return { width, height, grey };
    })()`,
  );
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  Buffer.from(grey, 'latin1').forEach((value, at) => {
    data.fill(value, at * 4, at * 4 + 3);
  });
  return decodeQR({ width, height, data });
}
