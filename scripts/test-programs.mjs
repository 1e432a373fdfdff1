/**
 * The programs that the tests start. `prepare` looks for them before a test runs and installs what is missing where it
 * may: as root, or with sudo that asks for no password, on Debian and Ubuntu.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * One row a program: its Debian package, and which other program does where it cannot be installed.
 */
export const PROGRAMS = [
  // Lists the files that the lint reads.
  { program: 'git', debian: 'git' },
  { program: 'redis-server', debian: 'redis-server' },
  { program: 'postgres', debian: 'postgresql' },
  { program: 'openssl', debian: 'openssl' },
  { program: 'sqlite3', debian: 'sqlite3' },
  { program: 'curl', debian: 'curl' },
  { program: 'jq', debian: 'jq' },
  { program: 'bash', debian: 'bash' },
  { program: 'prlimit', debian: 'util-linux' },
  { program: 'script', debian: 'bsdutils' },
  { program: 'pgrep', debian: 'procps' },
  // The tests of the portal.
  { program: 'chromium-headless-shell', debian: 'chromium-headless-shell', instead: 'chromium' },
  { program: 'firefox-esr', debian: 'firefox-esr' },
  { program: 'pdftoppm', debian: 'poppler-utils' },
  // The tests of deploy/.
  { program: 'nginx', debian: 'nginx' },
  { program: 'caddy', debian: 'caddy' },
  { program: 'haproxy', debian: 'haproxy' },
  { program: 'kubectl', debian: 'kubernetes-client' },
  { program: 'systemd-analyze', debian: 'systemd' },
  // The tests of PKCS#11.
  { program: 'softhsm2-util', debian: 'softhsm2' },
  // They compile pkcs11js, and on Node 20 the SQLite driver.
  { program: 'python3', debian: 'python3' },
  { program: 'make', debian: 'make' },
  { program: 'g++', debian: 'g++' },
];

/** Where Debian has proxies, which the PATH of a user leaves out. */
const SERVERS = '/usr/sbin';

/** Where Debian has the programs of each version of PostgreSQL, which is not on the PATH. */
const POSTGRES = '/usr/lib/postgresql';

/** Where programs are looked for: the PATH, the folder of servers, and those of PostgreSQL, the newest first. */
const folders = () => {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a));
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    SERVERS,
    ...newest.map((version) => join(POSTGRES, version, 'bin')),
  ];
};

/** Whether a program can be started. */
const isInstalled = (program) =>
  folders().some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/**
 * What is missing on a machine and how it is installed.
 * @param {{has: (program: string) => boolean, isRoot: boolean, sudoes: () => boolean}} machine `has`: whether a program is
 *   there; `sudoes`: whether sudo asks for no password
 * @returns {{missing: string[], vital: string[], commands: string[][], may: boolean}} `vital`: what is missing and has
 *   nothing in its stead; `commands` install what is missing on Debian and Ubuntu; `may`: whether they can be run here
 *   without a question
 */
export function planOf({ has, isRoot, sudoes }) {
  const absent = PROGRAMS.filter(({ program }) => !has(program));
  const packages = [...new Set(absent.map(({ debian }) => debian))];
  const prefix = isRoot ? [] : ['sudo'];
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages];
  return {
    missing: absent.map(({ program }) => program),
    vital: absent.filter(({ instead }) => instead === undefined || !has(instead)).map(({ program }) => program),
    commands: [
      [...prefix, 'apt-get', 'update', '-q'],
      [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...install],
    ],
    may: has('apt-get') && (isRoot || sudoes()),
  };
}

const succeeds = ([command, ...args], stdio = 'inherit') => spawnSync(command, args, { stdio }).status === 0;

/** Installs what the tests need. False when something is missing that cannot be installed here; the command is printed. */
export function prepare() {
  const plan = planOf({
    has: isInstalled,
    isRoot: process.getuid?.() === 0,
    sudoes: () => isInstalled('sudo') && succeeds(['sudo', '-n', 'true'], 'ignore'),
  });
  if (plan.missing.length === 0) return true;
  const missing = plan.missing.join(', ');
  const command = plan.commands.map((words) => words.join(' ')).join(' && ');
  if (!plan.may) {
    if (plan.vital.length === 0) return true;
    console.error(`The tests start programs that are not installed: ${missing}. On Debian and Ubuntu:\n  ${command}`);
    return false;
  }
  console.log(`The tests start programs that are not installed: ${missing}. Installing them:\n  ${command}`);
  const isDone = plan.commands.every((words) => succeeds(words));
  if (plan.vital.length === 0 || (isDone && plan.vital.every(isInstalled))) return true;
  console.error('The installation failed; its output is above');
  return false;
}
