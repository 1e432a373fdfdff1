import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import type { ConfigurationProblem } from './errors.ts';
import { originOf } from './formats.ts';
import type { Environment } from './hocon.ts';
import type { Settings } from './settings.ts';

/** Settings from the environment. */
type EnvironmentSettings = Pick<
  Settings,
  'host' | 'port' | 'publicUrl' | 'configDir' | 'dataDir' | 'logLevel' | 'masterKeys'
>;

/** The settings from the environment, with their problems and warnings. */
interface EnvironmentReading {
  settings: EnvironmentSettings;
  problems: ConfigurationProblem[];
  warnings: string[];
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The form of a master key. */
const KEY = '32 bytes, as 64 hex digits or as base64';

/** Reads HOST, PORT, PUBLIC_URL, CONFIG_DIR, DATA_DIR, LOG_LEVEL, MASTER_KEYS and MASTER_KEY; an empty variable counts as unset. */
export function readEnvironment(environment: Environment): EnvironmentReading {
  const problems: ConfigurationProblem[] = [];
  const warnings: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, message: string): T => {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push({ file: 'environment', field: name, message });
    return value ?? fallback;
  };
  const host = read('HOST', '127.0.0.1', hostName, 'must be an IP address or a host name');
  const port = read('PORT', 7001, portNumber, 'must be a whole number from 0 (any free port) to 65535');
  const publicUrl = read('PUBLIC_URL', undefined, originOf, 'must be an http or https URL without path, query or user');
  if (publicUrl === undefined && isEveryAddress(host))
    warnings.push('PUBLIC_URL is not set: the links this server gives out lead to this machine only');
  const settings: EnvironmentSettings = {
    host,
    port,
    publicUrl: publicUrl ?? `http://${authority(host)}:${port}`.replace(/:80$/, ''),
    configDir: resolve(environment.CONFIG_DIR?.trim() || 'config'),
    dataDir: resolve(environment.DATA_DIR?.trim() || 'data'),
    logLevel: read('LOG_LEVEL', 'info', logLevel, `must be one of ${LOG_LEVELS.join(', ')}`),
    masterKeys:
      read(
        'MASTER_KEYS',
        undefined,
        masterKeys,
        `must be one or more keys, separated by commas or spaces: each ${KEY}`,
      ) ?? read('MASTER_KEY', undefined, masterKey, `must be ${KEY}`),
  };
  if (environment.MASTER_KEYS?.trim() && environment.MASTER_KEY?.trim())
    problems.push({ file: 'environment', field: 'MASTER_KEY', message: 'must not be set beside MASTER_KEYS' });
  return { settings, problems, warnings };
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
