/**
 * The suites by folder and by the names of files; those with the longest parts first. A test file belongs to exactly one
 * part of one suite, and those below `test/spec/` that are named `*.stores.test.ts` run on Redis or on a cluster too,
 * which their first letter decides: their outcome depends on the store (concurrent callers, pages, failing stores), or
 * they are needed so that every operation on every collection is done on a Redis. That Redis, cluster and all other
 * stores do the same is shown by the suite `contract`, which does each operation, alone and at once with others, on each.
 */
export const SUITES = [
  {
    name: 'portal',
    title: 'The portal, in Chromium and Firefox',
    store: 'sqlite',
    parts: ['[a-h]', '[i-p]', '[q-z]'].map((first) => [`portal/${first}*.test.ts`]),
  },
  {
    name: 'abuse',
    title: 'Abuse, on SQLite',
    store: 'sqlite',
    parts: ['[a-i]', '[j-r]', '[s-z]'].map((first) => [`abuse/${first}*.test.ts`]),
  },
  { name: 'redis', title: 'Half of the requests, on Redis', store: 'redis', parts: [['spec/*/[a-k]*.stores.test.ts']] },
  {
    name: 'cluster',
    title: 'The other half, on a Redis Cluster',
    store: 'redis-cluster',
    parts: [['spec/*/[l-z]*.stores.test.ts']],
  },
  {
    name: 'requests',
    title: 'The requests, on SQLite',
    store: 'sqlite',
    parts: [
      ['enterprise', 'formats'],
      ['verifier', 'limits', 'system'],
      ['issuer', 'status', 'client-flows', 'wallet', 'accounts', 'portal'],
    ].map((folders) => folders.map((folder) => `spec/${folder}/*.test.ts`)),
    last: ['spec/examples.test.ts', 'spec/coverage.test.ts'],
  },
  {
    name: 'contract',
    title: 'Stores and keys',
    store: 'sqlite',
    parts: ['[f-r]', '[s-z]', '[a-e]'].map((first) => [`contract/${first}*.test.ts`]),
  },
  {
    name: 'processes',
    title: 'Processes, key management services and other adapters',
    store: 'sqlite',
    parts: [
      ['adapters/s*.test.ts'],
      ['adapters/[a-m]*.test.ts'],
      ['adapters/[n-r]*.test.ts', 'adapters/[t-z]*.test.ts'],
      ['kms/*.test.ts'],
    ],
  },
  {
    name: 'domain',
    title: 'The domain, interoperation and documents, on SQLite',
    store: 'sqlite',
    parts: [
      ['docs/*.test.ts', 'architecture.test.ts'],
      ['interop/*.test.ts', 'conformance/*/*.test.ts'],
      ['domain/*/*.test.ts'],
    ],
  },
];
