import { parseArgs } from 'node:util';

/** What the commands do; each gives the exit code. */
export interface Commands {
  version: string;
  serve(): Promise<number>;
  demo(options: { keep: boolean }): Promise<number>;
  check(): Promise<number>;
  /** Copies a store into another. */
  migrate(options: { from: string; to: string }): Promise<number>;
}

/** Where text for people goes. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

const USAGE = `Usage: credenza <command>

  serve            start the services and serve until told to stop
  demo [--keep]    tell the whole story against a server of its own: log in, issue, hold, verify, check;
                   with --keep that server stays for you to go on
  check            read the configuration and try its stores, say what is enabled and what is wrong
  migrate --from <store> --to <store>
                   copy a store into another that is empty, and compare both; can be broken off and run again.
                   A store is sqlite:<folder>, redis://host:port or redis-cluster://host:port,host:port;
                   passwords from MIGRATE_FROM_PASSWORD and MIGRATE_TO_PASSWORD. See docs/stores.md.

  -h, --help       show this
  -v, --version    show the version

The environment says where: HOST, PORT, PUBLIC_URL, CONFIG_DIR, DATA_DIR, MASTER_KEY, LOG_LEVEL.
Files in CONFIG_DIR (./config) say how. None of it is needed. See docs/configuration.md.
`;

const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** Runs the command that `argv` names (without node and script) and gives the exit code: 2 when it names none. */
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
    terminal.err(`credenza: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

interface Line {
  command: keyof typeof RUN;
  help: boolean;
  version: boolean;
  keep: boolean;
  from: string;
  to: string;
}

const RUN = {
  serve: (commands: Commands) => commands.serve(),
  demo: (commands: Commands, { keep }: Line) => commands.demo({ keep }),
  check: (commands: Commands) => commands.check(),
  migrate: (commands: Commands, { from, to }: Line) => commands.migrate({ from, to }),
};

const OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  keep: { type: 'boolean', default: false },
  from: { type: 'string', default: '' },
  to: { type: 'string', default: '' },
} as const;

function readLine(argv: readonly string[]): Line | { problem: string } {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    const [command, ...more] = positionals;
    if (values.help || values.version) return { command: 'check', ...values };
    if (command === undefined) return { problem: 'which command?' };
    if (!isCommand(command)) return { problem: `there is no command ${JSON.stringify(command)}` };
    if (more.length > 0) return { problem: `${command} takes no ${JSON.stringify(more[0])}` };
    const stores = [values.from, values.to].filter((store) => store !== '').length;
    if (stores !== (command === 'migrate' ? 2 : 0)) return { problem: '--from and --to belong to migrate, both' };
    if (values.keep && command !== 'demo') return { problem: '--keep belongs to demo' };
    return { command, ...values };
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split(/\.\s/)[0] ?? '') : String(error) };
  }
}

const isCommand = (text: string): text is keyof typeof RUN => Object.hasOwn(RUN, text);
