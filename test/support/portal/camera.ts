import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import encodeQR from 'qr';

/** The video that the browser has for a camera; it is read when the camera is opened. */
export const CAMERA = join(tmpdir(), `credenza-camera-${process.pid}.y4m`);

const [WIDTH, HEIGHT] = [640, 480];

/** Holds the QR code of a text before the camera: a video of one picture, black on white. */
export async function showToCamera(text: string): Promise<void> {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const scale = Math.floor(HEIGHT / rows.length);
  const luma = Buffer.alloc(WIDTH * HEIGHT, 235);
  for (let y = 0; y < rows.length * scale; y += 1)
    for (let x = 0; x < rows.length * scale; x += 1)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)]) luma[y * WIDTH + x] = 16;
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const head = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`;
  await writeFile(CAMERA, Buffer.concat([Buffer.from(`${head}FRAME\n`), luma, chroma]));
}

export const closeCamera = (): Promise<void> => rm(CAMERA, { force: true });
