import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

const run = promisify(execFile);

/** A page as paper: the texts of all sheets, and pictures of the first ones at 150 dpi. */
export async function printed(page: Page, most = 2): Promise<{ pictures: Buffer[]; texts: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'sheets-'));
  const file = join(folder, 'sheets.pdf');
  await page.pdf({ path: file, preferCSSPageSize: true });
  const pictures: Buffer[] = [];
  for (let sheet = 1; sheet <= most; sheet += 1) {
    const one = join(folder, `sheet-${sheet}`);
    await run('pdftoppm', ['-r', '150', '-png', '-singlefile', '-f', String(sheet), '-l', String(sheet), file, one]);
    pictures.push(await readFile(`${one}.png`));
  }
  const { stdout } = await run('pdftotext', [file, '-'], { maxBuffer: 16 * 1024 * 1024 });
  await rm(folder, { recursive: true });
  return { pictures, texts: stdout.split('\f').slice(0, -1) };
}
