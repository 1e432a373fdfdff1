import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import type { ConfigurationProblem } from './errors.ts';
import { baseUrlOf } from './formats.ts';
import type { Settings } from './settings.ts';
import { type Environment, SecretFileError, secretIn, writtenIn } from './variables.ts';

/** Settings from the environment. */
type EnvironmentSettings = Pick<
  Settings,
  'host' | 'port' | 'admin' | 'publicUrl' | 'configDir' | 'dataDir' | 'logLevel' | 'masterKeys'
>;

/** The settings from the environment, with their problems and warnings. */
interface EnvironmentReading {
  settings: EnvironmentSettings;
  /** What calls of management must carry. */
  adminToken?: string;
  problems: ConfigurationProblem[];
  warnings: string[];
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const HOST_NAME = 'must be an IP address or a host name';

/** The form of a master key. */
const KEY = '32 bytes, as 64 hex digits or as base64';
const KEYS = `one or more keys, separated by commas or spaces: each ${KEY}`;

const PUBLIC_URL =
  'must be an http or https URL without query or user; a path has up to 8 segments of letters, digits and -._~';

/**
 * Reads HOST, PORT, ADMIN_HOST, ADMIN_PORT, ADMIN_TOKEN, PUBLIC_URL, CONFIG_DIR, DATA_DIR, LOG_LEVEL, MASTER_KEYS and MASTER_KEY,
 * each with the prefix `CREDENZA_` or without; an empty variable counts as unset.
 */
export function readEnvironment(environment: Environment): EnvironmentReading {
  const problems: ConfigurationProblem[] = [];
  const warnings: string[] = [];
  const problem: Problem = (field, message) => {
    problems.push({ file: field.startsWith('--') ? 'command line' : 'environment', field, message });
  };
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, message: string): T => {
    const written = writtenIn(environment, name);
    if (written === undefined) return fallback;
    const value = parse(written.text);
    if (value === undefined) problem(written.name, message);
    return value ?? fallback;
  };
  const host = read('HOST', '127.0.0.1', hostName, HOST_NAME);
  const port = read('PORT', 7001, portNumber, 'must be a whole number from 0 (any free port) to 65535');
  const publicUrl = read('PUBLIC_URL', undefined, baseUrlOf, PUBLIC_URL);
  if (publicUrl === undefined && isEveryAddress(host))
    warnings.push('PUBLIC_URL is not set: the links this server gives out lead to this machine only');
  const secret = (name: string) => secretOr(environment, name, problem);
  const adminHost = read('ADMIN_HOST', undefined, hostName, HOST_NAME);
  const fixedPort = (text: string) => portNumber(text) || undefined;
  const adminPort = read('ADMIN_PORT', undefined, fixedPort, 'must be a whole number from 1 to 65535');
  const admin = adminPort === undefined ? undefined : { host: adminHost ?? '127.0.0.1', port: adminPort };
  if (adminHost !== undefined && !admin) problem('ADMIN_HOST', 'is of use beside ADMIN_PORT only');
  if (admin?.port === port) problem('ADMIN_PORT', 'must be another port than PORT');
  const settings: EnvironmentSettings = {
    host,
    port,
    admin,
    publicUrl: publicUrl ?? `http://${authority(host)}:${port}`.replace(/:80$/, ''),
    configDir: resolve(writtenIn(environment, 'CONFIG_DIR')?.text ?? 'config'),
    dataDir: resolve(writtenIn(environment, 'DATA_DIR')?.text ?? 'data'),
    logLevel: read('LOG_LEVEL', 'info', logLevel, `must be one of ${LOG_LEVELS.join(', ')}`),
    masterKeys: readMasterKeys(secret, problem),
  };
  return { settings, adminToken: secret('ADMIN_TOKEN')?.text, problems, warnings };
}

type Problem = (field: string, message: string) => void;
type Secret = ReturnType<typeof secretIn>;

/** A secret of the environment; undefined, with a problem, for one in a file that cannot be read. */
function secretOr(environment: Environment, name: string, problem: Problem): Secret {
  try {
    return secretIn(environment, name);
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    problem(error.field, error.message);
    return undefined;
  }
}

/** The ring of MASTER_KEYS, or the one key of MASTER_KEY. */
function readMasterKeys(secret: (name: string) => Secret, problem: Problem): string[] | undefined {
  const [ring, key] = [secret('MASTER_KEYS'), secret('MASTER_KEY')];
  if (ring && key) problem(key.name, `must not be set beside ${ring.name}`);
  const keys = ring ? masterKeys(ring.text) : key && masterKey(key.text);
  const written = ring ?? key;
  if (written && !keys) problem(written.name, ring ? `must be ${KEYS}` : `must be ${KEY}`);
  return keys;
}

const hostName = (text: string): string | undefined =>
  isIPv6(text) || /^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$/.test(text) ? text : undefined;

const portNumber = (text: string): number | undefined =>
  /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined;

const logLevel = (text: string): string | undefined => LOG_LEVELS.find((level) => level === text.toLowerCase());

const isMasterKey = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text) || /^[A-Za-z0-9+/_-]{43}=?$/.test(text);

const masterKey = (text: string): string[] | undefined => (isMasterKey(text) ? [text] : undefined);

function masterKeys(text: string): string[] | undefined {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  return keys.length > 0 && keys.every(isMasterKey) ? keys : undefined;
}

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The host in a URL; a server that listens on every address is reached by loopback. */
function authority(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
