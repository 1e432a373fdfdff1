/** Tests that run on one store. */
export interface Suite {
  name: string;
  title: string;
  /** The store of its HTTP tests. */
  store: 'sqlite' | 'redis' | 'redis-cluster';
  /** Globs below `test/` of the files that run in one process, in this order. */
  parts: string[][];
  /** Those of a process that begins when the parts have ended, since it looks at what they saw. */
  last?: string[];
}

export const SUITES: Suite[];
