/** What browsers that read codes themselves have (Shape Detection API). */
interface Detector {
  detect(image: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}

type DetectorClass = new (options: { formats: string[] }) => Detector;

const Native = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
const detector = Native && new Native({ formats: ['qr_code'] });

/** The longest side of what is looked at, in pixels: first fast, then for small codes in large photos. */
const SIDES = [1024, 2560];

/** The text of the QR code in a picture or in what a camera sees now. */
export async function readCode(image: HTMLVideoElement | ImageBitmap): Promise<string | undefined> {
  const [found] = (await detector?.detect(image).catch(() => [])) ?? [];
  if (found) return found.rawValue;
  const { default: decode } = await import('qr/decode.js');
  for (const side of SIDES) {
    const pixels = pixelsOf(image, side);
    try {
      return decode(pixels);
    } catch {
      // There is no code, or none that can be read in this size.
    }
    if (Math.max(pixels.width, pixels.height) < side) return undefined;
  }
  return undefined;
}

function pixelsOf(image: HTMLVideoElement | ImageBitmap, side: number): ImageData {
  const [fullWidth, fullHeight] =
    image instanceof HTMLVideoElement ? [image.videoWidth, image.videoHeight] : [image.width, image.height];
  const scale = Math.min(1, side / Math.max(fullWidth, fullHeight));
  const [width, height] = [fullWidth, fullHeight].map((length) => Math.max(1, Math.floor(length * scale)));
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser draws no pictures');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
