import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A `credenza` command that runs as a process. */
export interface CommandProcess {
  child: ChildProcess;
  /** What it has written so far. */
  output: { out: string; err: string };
  /** Resolves with the part of standard output that matches. @throws Error when the process ends first */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal; resolves with the exit code and the duration. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }>;
  ended: Promise<number | null>;
}

/** What runs the command. */
interface Runner {
  node?: string;
  program?: string;
}

/** Runs the built `credenza <args>` with exactly this environment and this or another Node executable. */
export function runCommandProcess(
  args: string[],
  environment: Record<string, string>,
  { node = process.execPath, program = 'dist/main.js' }: Runner = {},
): CommandProcess {
  const child = spawn(node, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.err += chunk;
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    output,
    says: (pattern) => waitFor(child, output, pattern),
    stop: (signal = 'SIGTERM') => stop(child, ended, signal),
    ended,
  };
}

async function waitFor(
  child: ChildProcess,
  output: { out: string; err: string },
  pattern: RegExp,
): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(output.out);
    if (match) return match;
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output.out}${output.err}`);
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'exit')]);
  }
}

async function stop(
  child: ChildProcess,
  ended: Promise<number | null>,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; ms: number }> {
  const started = performance.now();
  child.kill(signal);
  return { code: await ended, ms: performance.now() - started };
}
