import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KmsSettings } from '../../../adapters/config/settings.ts';
import { type RemoteOptions, remoteBackends } from './remote-backends.ts';

const LIBRARY = '/usr/lib/softhsm/libsofthsm2.so';
const LABEL = 'credenza';
export const PIN = '739184';

type TokenSettings = KmsSettings['pkcs11']['tokens'][number];

/** How the module in front of SoftHSM fails: `test/support/kms/failing-module.c`. */
type Fault = 'gone' | 'busy' | 'crash' | 'hang' | 'session' | 'few' | 'open';

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

/** A token of SoftHSM in a folder of its own, behind a module that fails when it is asked to. */
export class SoftHsm {
  readonly token: TokenSettings;
  /** `config` of a key of the token. */
  readonly config: Record<string, unknown>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'softhsm-'));
  readonly #faultFile = join(this.#folder, 'fault');
  readonly #closes: (() => Promise<void>)[] = [];

  constructor() {
    const library = join(this.#folder, 'failing-module.so');
    if (!existsSync('node_modules/pkcs11js/build/Release/pkcs11.node'))
      run(process.execPath, ['scripts/pkcs11-module.mjs']);
    const include = ['-I', 'node_modules/pkcs11js/includes/pkcs11'];
    run('g++', [
      '-x',
      'c',
      '-w',
      '-shared',
      '-fPIC',
      ...include,
      '-o',
      library,
      'test/support/kms/failing-module.c',
      '-ldl',
    ]);
    const tokens = join(this.#folder, 'tokens');
    mkdirSync(tokens);
    const conf = join(this.#folder, 'softhsm2.conf');
    writeFileSync(conf, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
    // The process of a token has the environment of this one, and runs TypeScript when this one does.
    const tsx = createRequire(import.meta.url).resolve('tsx');
    Object.assign(process.env, {
      SOFTHSM2_CONF: conf,
      FAILING_MODULE: this.#faultFile,
      FAILING_MODULE_BEFORE: LIBRARY,
      ...(import.meta.url.endsWith('.ts') && { NODE_OPTIONS: `--import=${tsx}` }),
    });
    run('softhsm2-util', ['--init-token', '--free', '--label', LABEL, '--so-pin', randomUUID(), '--pin', PIN]);
    this.token = { name: 'issuer', library, label: LABEL, pin: PIN, accessKey: randomUUID() };
    this.config = { token: this.token.name, auth: { accessKey: this.token.accessKey } };
  }

  /** The key backends of a new server process that uses the token, or the token with other settings. */
  open(token: Partial<TokenSettings> = {}, options: RemoteOptions = {}): ReturnType<typeof remoteBackends> {
    const opened = remoteBackends({
      timeoutSeconds: 60,
      ...options,
      pkcs11: { tokens: [{ ...this.token, ...token }] },
    });
    this.#closes.push(() => opened.backends.close());
    return opened;
  }

  /** From now on the module fails so, or no longer. */
  fault(fault?: Fault): void {
    if (fault === undefined) rmSync(this.#faultFile, { force: true });
    else writeFileSync(this.#faultFile, fault);
  }

  /** The logins that processes have tried since this was called before. */
  logins(): number {
    const file = `${this.#faultFile}.logins`;
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
    rmSync(file, { force: true });
    return lines;
  }

  /** Whether a process hangs in the module. */
  hangs(): boolean {
    return existsSync(`${this.#faultFile}.hangs`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closes.map((close) => close()));
    for (const name of ['SOFTHSM2_CONF', 'FAILING_MODULE', 'FAILING_MODULE_BEFORE', 'NODE_OPTIONS'])
      Reflect.deleteProperty(process.env, name);
    rmSync(this.#folder, { recursive: true });
  }
}

/** A token for the tests of the enclosing `describe`; its members are set once they run. */
export function useSoftHsm(): { hsm: SoftHsm } {
  const under = {} as { hsm: SoftHsm };
  before(() => {
    under.hsm = new SoftHsm();
  });
  afterEach(() => under.hsm?.fault());
  after(() => under.hsm?.close());
  return under;
}
