/** What was thrown or rejected without being handled. */
export type FaultKind = 'exception' | 'rejection';

/** How long requests under way may take when the server stops, in milliseconds. */
export const DRAIN_MS = 8000;

/** Resolves at the first SIGTERM, SIGINT or SIGHUP; the same signal a second time ends the process at once. */
export const stopRequested = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

/** Resolves at the first exception or rejection that nothing handles; all of them are reported. */
export const firstFault = (report: (kind: FaultKind, error: unknown) => void): Promise<void> =>
  new Promise((resolve) => {
    const on = (kind: FaultKind) => (error: unknown) => {
      report(kind, error);
      resolve();
    };
    process.on('uncaughtException', on('exception'));
    process.on('unhandledRejection', on('rejection'));
  });

/** Returns the log line of a fault: the message and the stack of an error, the type of any other value. */
export const faultLine = (kind: FaultKind, error: unknown): [string, Record<string, unknown>] => [
  'an error was not handled; this process ends when its requests are answered',
  { kind, ...(error instanceof Error ? { error: error.message, stack: error.stack } : { error: typeof error }) },
];
