/** Tests that run in one process. */
export interface Suite {
  name: string;
  title: string;
  /** The store of its HTTP tests. */
  store: 'sqlite' | 'redis' | 'redis-cluster';
  /** Globs below `test/`, run in this order. */
  specs: string[];
}

export const SUITES: Suite[];
