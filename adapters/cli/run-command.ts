import { parseArgs } from 'node:util';
import { explain } from '../../domain/foundation/errors.ts';

/** The commands; each returns its exit code. */
export interface Commands {
  version: string;
  /** Options win over the environment. */
  serve(options: { host: string; port: string }): Promise<number>;
  demo(options: { keep: boolean; kms: string }): Promise<number>;
  /** Of the own configuration, or of the folder `from` of one of the reference implementation. */
  check(options: { from: string }): Promise<number>;
  /** Asks the server with this process id to read trusted-issuers.conf again. */
  reload(options: { pid: number }): Promise<number>;
  /** Copies a store into another one. */
  migrate(options: { from: string; to: string }): Promise<number>;
  /** Seals everything in the store under the current master key. */
  reseal(): Promise<number>;
  /** Writes everything in the store, as it is at one moment, into a sealed file. */
  backup(options: { file: string }): Promise<number>;
  /** Reads a backup whole and says what it holds. */
  verify(options: { file: string }): Promise<number>;
  /** Puts a backup into an empty store, where what is good once is void. */
  restore(options: { file: string }): Promise<number>;
  /** Makes void what another backup brought back and what is good once. */
  restored(): Promise<number>;
  /** Makes a new login key current. */
  rotateLoginKey(): Promise<number>;
  /** Makes a new key current that wallets encrypt credential requests to. */
  rotateEncryptionKey(): Promise<number>;
  /** Makes new keys current that sign the tokens of sign-ins. */
  rotateSignInKeys(): Promise<number>;
}

/** Standard output and standard error. */
interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

const USAGE = `Usage: credenza <command>

  serve [--host <address>] [--port <port>]
                   start the services and serve until stopped
  demo [--keep] [--kms kmsa|kmsb|kmsc|tse]
                   run the main scenario against a server of its own: log in, issue, present, verify, check a status;
                   with --keep that server keeps running, with --kms the issuer's key is in a fake of AWS KMS,
                   Azure Key Vault or Oracle OCI Vault that the demo starts
  check [--from <folder>]
                   read the configuration, connect to its stores and list what is enabled and every problem;
                   with --from say of each line of a configuration of the reference implementation what becomes of it
                   here. See docs/moving.md.
  reload --pid <process id of serve>
                   check the configuration, then let that server and its workers take over trusted issuers, profiles and
                   attesters of it
  migrate --from <store> --to <store>
                   copy a store into an empty one and compare both; can be interrupted and run again.
                   A store is sqlite:<folder>, redis://host:port, redis-cluster://host:port,host:port or
                   postgresql://user@host:port/database;
                   passwords from MIGRATE_FROM_PASSWORD and MIGRATE_TO_PASSWORD. See docs/stores.md.
  reseal           seal everything in the store under the first key of MASTER_KEYS, while servers use it; can be
                   interrupted and run again. See docs/rotation.md.
  backup <file>    write what the store holds at one moment into a new file, sealed under the master key, while
                   servers use it; of a Redis while they are stopped. See docs/backup.md.
  verify <file>    read a backup whole: its checksum, its seal, its database; list what it holds
  restore <file>   put a backup into an empty store and do what restored does
  restored         after a backup was put back by other means and before a server starts: make void what is good once,
                   and go on in new status lists; can be interrupted and run again. See docs/backup.md.
  rotate-login-key sign new login sessions with a new key; sessions that exist remain valid
  rotate-encryption-key
                   publish a new key for encrypted credential requests; the key before it decrypts for a day
  rotate-sign-in-keys
                   sign the tokens of sign-ins with new keys; those before are published until their last token ended

  help, --help, -h            show this
  version, --version, -v      show the version

Environment variables: CREDENZA_HOST, CREDENZA_PORT, CREDENZA_PUBLIC_URL, CREDENZA_CONFIG_DIR, CREDENZA_DATA_DIR,
CREDENZA_LOG_LEVEL, CREDENZA_MASTER_KEY and CREDENZA_MASTER_KEYS (or …_FILE, the file with it). Each may also be written without CREDENZA_.
Configuration files are read from CREDENZA_CONFIG_DIR (./config). All of them are optional. See docs/configuration.md.
`;

const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** Runs the command that `argv` names (without node and script) and returns its exit code; 2 when `argv` is invalid. */
export async function runCommand(
  argv: readonly string[],
  commands: Commands,
  terminal: Terminal = processTerminal,
): Promise<number> {
  const line = readLine(argv);
  if ('problem' in line) {
    terminal.err(`credenza: ${line.problem}\n\n${USAGE}`);
    return 2;
  }
  if (line.help || line.version) {
    terminal.out(line.help ? USAGE : `${commands.version}\n`);
    return 0;
  }
  try {
    return await RUN[line.command](commands, line);
  } catch (error) {
    terminal.err(`credenza: ${explain(error)}\n`);
    return 1;
  }
}

interface Line {
  command: keyof typeof RUN;
  help: boolean;
  version: boolean;
  keep: boolean;
  kms: string;
  from: string;
  to: string;
  file: string;
  pid: string;
  host: string;
  port: string;
}

const RUN = {
  serve: (commands: Commands, { host, port }: Line) => commands.serve({ host, port }),
  demo: (commands: Commands, { keep, kms }: Line) => commands.demo({ keep, kms }),
  check: (commands: Commands, { from }: Line) => commands.check({ from }),
  reload: (commands: Commands, { pid }: Line) => commands.reload({ pid: Number(pid) }),
  migrate: (commands: Commands, { from, to }: Line) => commands.migrate({ from, to }),
  reseal: (commands: Commands) => commands.reseal(),
  backup: (commands: Commands, { file }: Line) => commands.backup({ file }),
  verify: (commands: Commands, { file }: Line) => commands.verify({ file }),
  restore: (commands: Commands, { file }: Line) => commands.restore({ file }),
  restored: (commands: Commands) => commands.restored(),
  'rotate-login-key': (commands: Commands) => commands.rotateLoginKey(),
  'rotate-encryption-key': (commands: Commands) => commands.rotateEncryptionKey(),
  'rotate-sign-in-keys': (commands: Commands) => commands.rotateSignInKeys(),
};

const OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  keep: { type: 'boolean', default: false },
  kms: { type: 'string', default: '' },
  from: { type: 'string', default: '' },
  to: { type: 'string', default: '' },
  pid: { type: 'string', default: '' },
  host: { type: 'string', default: '' },
  port: { type: 'string', default: '' },
} as const;

/** The commands that take the name of a file. */
const FILE_COMMANDS: readonly string[] = ['backup', 'verify', 'restore'];

const PROCESS_ID = /^[1-9]\d{0,9}$/;

function readLine(argv: readonly string[]): Line | { problem: string } {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    const [command, ...named] = positionals;
    const asked = { help: values.help || command === 'help', version: values.version || command === 'version' };
    if (asked.help || asked.version) return { command: 'check', file: '', ...values, ...asked };
    if (command === undefined) return { problem: 'a command is required' };
    if (!isCommand(command)) return { problem: `unknown command ${JSON.stringify(command)}` };
    const [file = '', ...more] = FILE_COMMANDS.includes(command) ? named : ['', ...named];
    if (more.length > 0) return { problem: `unexpected argument ${JSON.stringify(more[0])} after ${command}` };
    if (file === '' && FILE_COMMANDS.includes(command)) return { problem: `${command} requires the name of a file` };
    const [isFrom, isTo] = [values.from !== '', values.to !== ''];
    if (command === 'migrate' ? !isFrom || !isTo : isTo || (isFrom && command !== 'check'))
      return { problem: 'migrate requires both --from and --to, check may have --from; other commands accept neither' };
    if (command === 'reload' ? !PROCESS_ID.test(values.pid) : values.pid !== '')
      return { problem: 'reload requires --pid, a process id; other commands do not accept it' };
    if ((values.keep || values.kms !== '') && command !== 'demo')
      return { problem: 'only demo accepts --keep and --kms' };
    if ((values.host !== '' || values.port !== '') && command !== 'serve')
      return { problem: 'only serve accepts --host and --port' };
    return { command, file, ...values };
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split(/\.\s/)[0] ?? '') : String(error) };
  }
}

const isCommand = (text: string): text is keyof typeof RUN => Object.hasOwn(RUN, text);
