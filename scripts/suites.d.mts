/** Tests that run on one store. */
export interface Suite {
  name: string;
  title: string;
  /** The store of its HTTP tests. */
  store: 'sqlite' | 'redis' | 'redis-cluster';
  /** Globs below `test/`. */
  files: string[];
  /** Those of a process that begins when the others have ended, since it looks at what they saw. */
  last?: string[];
}

export const SUITES: Suite[];

/** The files below `test/` of each process of a suite, and how many seconds of processor time they take. */
export function partsOf(suite: Suite): { files: string[]; seconds: number }[];
