import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The suites by folder and by the names of files. A test file belongs to exactly one suite, and those below `test/spec/`
 * that are named `*.stores.test.ts` run on Redis or on a cluster too, which their first letter decides: they have callers
 * at once, or they are needed so that every operation on every collection is done on a Redis. Pages are the same on each
 * store (lists-model.test.ts, tenant-lists-model.test.ts), and so is what follows from a call that fails. That Redis,
 * cluster and all other stores do the same is shown by the suite `contract`, which does each operation, alone and at once
 * with others, on each. A few of these files run on PostgreSQL as well; all of them pass there.
 */
export const SUITES = [
  { name: 'portal', title: 'The portal, in Chromium and Firefox', store: 'sqlite', files: ['portal/*.test.ts'] },
  { name: 'abuse', title: 'Abuse, on SQLite', store: 'sqlite', files: ['abuse/*.test.ts'] },
  { name: 'redis', title: 'Half of the requests, on Redis', store: 'redis', files: ['spec/*/[a-k]*.stores.test.ts'] },
  {
    name: 'cluster',
    title: 'The other half, on a Redis Cluster',
    store: 'redis-cluster',
    files: ['spec/*/[l-z]*.stores.test.ts'],
  },
  {
    name: 'postgresql',
    title: 'Some requests with callers at once, on PostgreSQL',
    store: 'postgresql',
    files: [
      'spec/enterprise/create-wallet.stores.test.ts',
      'spec/enterprise/tenant-dids.stores.test.ts',
      'spec/issuer/getStatusList.stores.test.ts',
      'spec/issuer/requestAccessToken.stores.test.ts',
      'spec/verifier/submitAuthorizationResponse.stores.test.ts',
    ],
  },
  {
    name: 'requests',
    title: 'The requests, on SQLite',
    store: 'sqlite',
    files: ['spec/*/*.test.ts'],
    last: ['spec/examples.test.ts', 'spec/coverage.test.ts'],
  },
  { name: 'contract', title: 'Stores and keys', store: 'sqlite', files: ['contract/*.test.ts'] },
  {
    name: 'processes',
    title: 'Processes, key management services and other adapters',
    store: 'sqlite',
    files: ['adapters/*.test.ts', 'kms/*.test.ts', 'endurance/*.test.ts'],
  },
  {
    name: 'domain',
    title: 'The domain, interoperation and documents, on SQLite',
    store: 'sqlite',
    files: [
      'docs/*.test.ts',
      'architecture.test.ts',
      'interop/*.test.ts',
      'conformance/*/*.test.ts',
      'domain/*/*.test.ts',
    ],
  },
];

/** Seconds of processor time of test files that take more than others, as `npm test -- --weigh` measured and wrote them. */
export const WEIGHTS_FILE = join(root, 'scripts/test-weights.json');
const weights = existsSync(WEIGHTS_FILE) ? JSON.parse(readFileSync(WEIGHTS_FILE, 'utf8')) : {};

/** From this on a file is in the table; each of the others counts as the quarter. */
export const LEAST_WEIGHT = 2;
const weightOf = (file) => weights[file] ?? LEAST_WEIGHT / 4;

/**
 * What a process may take: the start of each costs four seconds of processor time, and at the end of a run the last one
 * has the machine for itself.
 */
const MOST_SECONDS = 180;

/** The files below `test/` that a glob names: `*` stands for part of a name, `[a-d]` for a letter. */
const patternOf = (glob) => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);

/** The files of each process of a suite, and how long it takes: as few processes as may be, which take about as long. */
export function partsOf({ files: globs }) {
  const patterns = globs.map(patternOf);
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .filter((file) => patterns.some((pattern) => pattern.test(file)))
    .toSorted()
    .toSorted((a, b) => weightOf(b) - weightOf(a));
  const total = files.reduce((sum, file) => sum + weightOf(file), 0);
  const parts = Array.from({ length: Math.ceil(total / MOST_SECONDS) }, () => ({ files: [], seconds: 0 }));
  for (const file of files) {
    const lightest = parts.reduce((least, part) => (part.seconds < least.seconds ? part : least));
    lightest.files.push(file);
    lightest.seconds += weightOf(file);
  }
  return parts.map(({ files: own, seconds }) => ({ files: own.toSorted(), seconds }));
}
