import type { LoginServer } from '../../domain/oauth/external-login.ts';
import { withBuiltIn } from './built-in-credentials.ts';
import { alwaysServed, enabledFeatures, storeTypeOf, withStoreType } from './choices.ts';
import { ConfigFiles, type FileContents } from './config-files.ts';
import { readEnvironment } from './environment.ts';
import { ConfigurationError, type ConfigurationProblem } from './errors.ts';
import { keyProblems } from './key-settings.ts';
import { managementProblems, withAdminToken } from './management.ts';
import type { Settings } from './settings.ts';
import type { Environment } from './variables.ts';

/** The settings with their sources. */
export interface ReadSettings extends Settings {
  /** Full paths of the files that were read. */
  files: string[];
  /** Settings that are probably not intended, for the log at start. */
  warnings: string[];
}

/** Returns why certificates (PEM) of a field of a file cannot be trust anchors. */
type AnchorCheck = (
  certificates: readonly string[],
  place: Pick<ConfigurationProblem, 'file' | 'field'>,
) => ConfigurationProblem[];

/**
 * Reads the environment and the files of CONFIG_DIR. Every setting has a default.
 * @throws ConfigurationError with every problem of every file
 */
export async function readSettings(
  environment: Environment,
  checkAnchors: AnchorCheck = () => [],
): Promise<ReadSettings> {
  const base = readEnvironment(environment);
  const source = new ConfigFiles(base.settings.configDir, environment);
  await source.list();
  const { enabledFeatures: enabled, disabledFeatures: disabled } = await source.content('_features');
  const on = enabledFeatures(enabled, disabled);
  const { services, problems: outside } = withAdminToken(await source.content('services'), base);
  const settings: Settings = {
    ...base.settings,
    features: { enabled: on, disabled, trustedCa: on.includes('trusted-ca') },
    services,
    trustedCa: await source.content('trusted-ca'),
    trustedIssuers: await source.content('trusted-issuers'),
    trustedVerifiers: await source.content('trusted-verifiers'),
    auth: await source.content('auth'),
    registrationDefaults: await source.content('registration-defaults'),
    keyGenerationDefaults: (await source.content('key-generation-defaults')).keyGenerationDefaults,
    outbound: await source.content('outbound'),
    kms: await source.content('kms'),
    didRegistrar: await source.content('did-registrar'),
    authenticationService: { server: loginServer(await source.content('authentication-service')) },
    store: withStoreType(await source.content('store')),
    rateLimit: withLimitStoreType(await source.content('rate-limit')),
    issuerMetadata: withBuiltIn(await source.content('credential-issuer-metadata')),
    issuer2Profiles: await source.content('issuer2-profiles'),
    status: await source.content('status'),
    verifier: await source.content('verifier-service'),
    wallet: await source.content('wallet-service'),
    pagination: await source.content('pagination'),
    audit: await source.content('audit'),
    portal: await source.content('portal'),
    signIn: await source.content('sign-in'),
    superadminRegistration: await source.content('superadmin-registration'),
  };
  const problems = [
    ...outside,
    ...source.problems,
    ...anchorProblems(settings, source, checkAnchors),
    ...CHECKS.flatMap((problemsOf) => problemsOf(settings)),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    ...settings,
    files: source.files,
    warnings: [...base.warnings, ...source.warnings, ...alwaysServed(enabled), ...withoutAccounts(settings)],
  };
}

/** The limits with the type of their store in place of its name. */
const withLimitStoreType = ({ persistence, ...limits }: FileContents['rate-limit']): Settings['rateLimit'] => ({
  ...limits,
  persistence: { ...persistence, type: storeTypeOf(persistence.type) },
});

/** The checks of what one schema cannot say. */
const CHECKS = [workerProblems, managementProblems, pageProblems, keyProblems];

/** The line at start where wallet API 2 has no accounts. */
const withoutAccounts = ({ services: { services }, wallet }: Settings): string[] =>
  services.includes('wallet2') && wallet.wallet2Accounts === 'none'
    ? ['wallet-service.conf: wallet2Accounts is none, so every caller of wallet API 2 owns all wallets created there']
    : [];

/** The server that users log in at; the schema demands all of its members or none. */
function loginServer(written: FileContents['authentication-service']): LoginServer | undefined {
  return written.authorizeUrl === undefined ? undefined : (written as LoginServer);
}

function pageProblems({ pagination: { defaultLimit, maxLimit } }: Settings): ConfigurationProblem[] {
  const message = `must not be larger than maxLimit, which is ${maxLimit}`;
  return defaultLimit > maxLimit ? [{ file: 'pagination.conf', field: 'defaultLimit', message }] : [];
}

function workerProblems({ services, store }: Settings): ConfigurationProblem[] {
  if (services.workers === 1 || store.type !== 'memory') return [];
  return [
    { file: 'services.conf', field: 'workers', message: 'must be 1, since processes cannot share a store in memory' },
  ];
}

/** Checks the certificates only when they are used and their file is valid; a login without any is of no use. */
function anchorProblems(
  { features, trustedCa, trustedIssuers, trustedVerifiers, wallet }: Settings,
  source: ConfigFiles,
  check: AnchorCheck,
) {
  const field = 'certificates';
  const used = [
    ...(features.trustedCa ? [{ file: 'trusted-ca.conf', field, ...trustedCa }] : []),
    ...[
      { file: 'trusted-issuers.conf', field, ...trustedIssuers },
      { file: 'trusted-verifiers.conf', field, ...trustedVerifiers },
      { file: 'wallet-service.conf', field: 'issuerAuthorities', certificates: wallet.issuerAuthorities },
      { file: 'wallet-service.conf', field: 'registrars', certificates: wallet.registrars },
    ].filter(({ certificates }) => certificates.length > 0),
  ];
  const sound = used.filter(({ file }) => !source.problems.some((problem) => problem.file === file));
  return sound.flatMap(({ certificates, ...place }) => check(certificates, place));
}
