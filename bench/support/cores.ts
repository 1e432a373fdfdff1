import { execFileSync } from 'node:child_process';

/** Seconds on the clock instead of processor time: for work that several processes do. */
export const wallSeconds = async (): Promise<number> => performance.now() / 1000;

/** Returns in words how much faster OpenSSL signs in two processes than in one: what two cores of this machine can gain. */
export function coresGain(): string {
  const signs = (processes: number): number => {
    const args = ['speed', '-mr', '-seconds', '1', '-multi', String(processes), 'ecdsap256'];
    const said = execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    // The line of the sum has seconds per signature in one version of OpenSSL, signatures per second in another.
    const [, each = Number.NaN] = /^\+F\d+:\d+:\d+:([\d.]+)/m.exec(said) ?? [];
    return 1 / Number(each);
  };
  try {
    return `openssl speed -multi 2: ${(signs(2) / signs(1)).toFixed(2)} of 1`;
  } catch {
    return 'openssl is not installed';
  }
}
