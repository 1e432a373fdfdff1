/**
 * The suites by folder and by the names of files; the longest first. A test file belongs to exactly one, and those below
 * `test/spec/` that are named `*.stores.test.ts` run on Redis and on a cluster too: their outcome depends on the store
 * (concurrent callers, pages, failing stores), or they are needed so that every operation on every collection is done
 * on every store.
 */
export const SUITES = [
  {
    name: 'requests',
    title: 'The requests, on SQLite',
    store: 'sqlite',
    // Those that look at what the run has seen come last.
    specs: ['spec/*/*.test.ts', 'spec/examples.test.ts', 'spec/coverage.test.ts'],
  },
  {
    name: 'contract',
    title: 'Stores and keys',
    store: 'sqlite',
    specs: ['contract/**/*.test.ts'],
  },
  {
    name: 'processes',
    title: 'Processes, key management services and other adapters',
    store: 'sqlite',
    specs: ['adapters/**/*.test.ts', 'kms/**/*.test.ts'],
  },
  { name: 'abuse', title: 'Abuse, on SQLite', store: 'sqlite', specs: ['abuse/**/*.test.ts'] },
  {
    name: 'domain',
    title: 'The domain, interoperation and documents, on SQLite',
    store: 'sqlite',
    specs: ['domain', 'interop', 'conformance', 'docs']
      .map((folder) => `${folder}/**/*.test.ts`)
      .concat('architecture.test.ts'),
  },
  { name: 'redis', title: 'The requests, on Redis', store: 'redis', specs: ['spec/*/*.stores.test.ts'] },
  {
    name: 'cluster',
    title: 'The requests, on a Redis Cluster',
    store: 'redis-cluster',
    specs: ['spec/*/*.stores.test.ts'],
  },
];
