import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../domain/foundation/json.ts';
import type { LoginServer } from '../../domain/oauth/external-login.ts';
import type { StoreTypeName } from './choices.ts';
import type { ConfigurationProblem } from './errors.ts';
import { HoconError, reasonOf } from './errors.ts';
import { MAX_HOCON_BYTES, parseHocon } from './hocon.ts';
import { FileSchemas } from './schemas.ts';
import type {
  LimitStoreSettings,
  OpenEndpointsSettings,
  RateLimitSection,
  RateLimitSettings,
  Settings,
  StoreSettings,
  VolumeSection,
  VolumeSettings,
} from './settings.ts';
import { type Environment, writtenIn } from './variables.ts';

/** The content of each file with defaults, by the file's name without `.conf`. */
export interface FileContents {
  _features: { enabledFeatures: string[]; disabledFeatures: string[] };
  services: Settings['services'];
  'trusted-ca': Settings['trustedCa'];
  'trusted-issuers': Settings['trustedIssuers'];
  'trusted-verifiers': Settings['trustedVerifiers'];
  auth: Settings['auth'];
  'registration-defaults': Settings['registrationDefaults'];
  'key-generation-defaults': { keyGenerationDefaults: Settings['keyGenerationDefaults'] };
  outbound: Settings['outbound'];
  kms: Settings['kms'];
  'did-registrar': Settings['didRegistrar'];
  'authentication-service': WrittenLoginServer;
  store: Omit<StoreSettings, 'type'> & { type: StoreTypeName };
  'rate-limit': Record<RateLimitSection, RateLimitSettings> &
    Record<VolumeSection, VolumeSettings> & {
      exempt: string[];
      open_endpoints: OpenEndpointsSettings;
      persistence: Omit<LimitStoreSettings, 'type'> & {
        type: Exclude<StoreTypeName, 'sqlite' | 'postgresql' | 'postgres'>;
      };
    };
  'credential-issuer-metadata': Omit<Settings['issuerMetadata'], 'supportedCredentialTypes'> &
    Partial<
      Record<
        'supportedCredentialTypes' | 'credentialConfigurations',
        Settings['issuerMetadata']['supportedCredentialTypes']
      >
    > & { enforcePushedAuthorizationRequests?: boolean };
  'issuer2-profiles': Settings['issuer2Profiles'];
  status: Settings['status'];
  'verifier-service': Settings['verifier'];
  'wallet-service': Settings['wallet'];
  pagination: Settings['pagination'];
  audit: Settings['audit'];
  portal: Settings['portal'];
  'sign-in': Settings['signIn'];
  'superadmin-registration': Settings['superadminRegistration'];
}

/** What the file names; without an address there is no server. */
type WrittenLoginServer = Partial<LoginServer> &
  Pick<LoginServer, 'name' | 'defaultScopes' | 'forwardIssuerStateToAuthorizationServer'>;

type FileName = keyof FileContents;

/** Every file with its names; some have an older name too. */
const SPELLINGS: Readonly<Record<FileName, readonly string[]>> = {
  _features: ['_features'],
  services: ['services'],
  'trusted-ca': ['trusted-ca'],
  'trusted-issuers': ['trusted-issuers'],
  'trusted-verifiers': ['trusted-verifiers'],
  auth: ['auth'],
  'registration-defaults': ['registration-defaults'],
  'key-generation-defaults': ['key-generation-defaults'],
  outbound: ['outbound'],
  kms: ['kms'],
  'did-registrar': ['did-registrar'],
  'authentication-service': ['authentication-service'],
  store: ['store', 'persistence'],
  'rate-limit': ['rate-limit'],
  'credential-issuer-metadata': ['credential-issuer-metadata'],
  'issuer2-profiles': ['issuer2-profiles'],
  status: ['status'],
  'verifier-service': ['verifier-service'],
  'wallet-service': ['wallet-service'],
  pagination: ['pagination'],
  portal: ['portal'],
  'sign-in': ['sign-in'],
  audit: ['audit'],
  'superadmin-registration': ['superadmin-registration'],
};

/** The names of all files that are read. */
export const FILE_NAMES: readonly string[] = Object.values(SPELLINGS).flatMap((names) =>
  names.map((name) => `${name}.conf`),
);

/** Whether a file has the name of one that is read, with the ending of another format. */
const isMistaken = (name: string): boolean =>
  !name.endsWith('.conf') && FILE_NAMES.includes(name.replace(/\.(ya?ml|json|toml|hocon|properties)$/i, '.conf'));

/** The files of one folder. */
export class ConfigFiles {
  readonly problems: ConfigurationProblem[] = [];
  readonly warnings: string[] = [];
  /** Full paths of the known files that exist. */
  readonly files: string[] = [];
  readonly #schemas = new FileSchemas();
  #present: string[] = [];

  constructor(
    private readonly folder: string,
    private readonly environment: Environment,
  ) {}

  /** Reads the folder; a missing folder counts as empty. */
  async list(): Promise<void> {
    try {
      const names = (await readdir(this.folder)).sort();
      this.#present = names.filter((name) => name.endsWith('.conf'));
      for (const name of names.filter(isMistaken))
        this.warnings.push(`${name} is not read: only .conf files are, and JSON may stand in them`);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== 'ENOENT') this.#problem('CONFIG_DIR', `cannot be read (${reason})`, 'environment');
      else if (writtenIn(this.environment, 'CONFIG_DIR'))
        this.warnings.push(`There is no folder ${this.folder} (CONFIG_DIR)`);
    }
    for (const name of this.#present.filter((found) => !FILE_NAMES.includes(found)))
      this.warnings.push(`${name} is not read; the files are ${FILE_NAMES.join(', ')}`);
  }

  /** The content of a file, or its defaults when it is absent or has problems. */
  async content<N extends FileName>(name: N): Promise<FileContents[N]> {
    const [file, ...more] = SPELLINGS[name]
      .map((spelling) => `${spelling}.conf`)
      .filter((f) => this.#present.includes(f));
    for (const other of more) this.#problem('', `is the same file as ${file}; keep one of them`, other);
    if (file === undefined) return this.#schemas.defaults(name);
    const checked = this.#schemas.check<FileContents[N]>(name, await this.#read(file));
    if ('value' in checked) return checked.value;
    for (const { field, message } of checked.problems) this.#problem(field, message, file);
    return this.#schemas.defaults(name);
  }

  async #read(file: string): Promise<JsonObject> {
    const path = join(this.folder, file);
    this.files.push(path);
    try {
      if ((await stat(path)).size > MAX_HOCON_BYTES) throw new HoconError('is larger than 1 MiB');
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
      return await parseHocon(text, this.environment);
    } catch (error) {
      this.#problem('', error instanceof HoconError ? error.message : `cannot be read (${reasonOf(error)})`, file);
      return {};
    }
  }

  #problem(field: string, message: string, file: string): void {
    this.problems.push({ file, field, message });
  }
}
