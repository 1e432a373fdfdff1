import { at, isDomainError } from '../../domain/foundation/errors.ts';
import { type FieldPath, readablePath } from '../../domain/foundation/field-paths.ts';
import { readVerificationKey } from '../../domain/jose/verification-keys.ts';
import { BACKENDS, backendOf } from '../../domain/keys/key-reference.ts';
import { defaultConfig, readKeyRequest } from '../../domain/keys/key-request.ts';
import type { ConfigurationProblem } from './errors.ts';
import type { Settings } from './settings.ts';

/** What is wrong with the configured keys, by the tables of key backends and key types. */
export function keyProblems({
  keyGenerationDefaults,
  registrationDefaults,
  trustedIssuers,
  trustedVerifiers,
}: Settings): ConfigurationProblem[] {
  const { backend, ...wanted } = registrationDefaults.defaultKeyConfig;
  const config = wanted.config ?? defaultConfig(keyGenerationDefaults, backend);
  return [
    ...Object.entries(keyGenerationDefaults).flatMap(([name, defaults]) =>
      problemsOf('key-generation-defaults.conf', ['keyGenerationDefaults', name], () => {
        const row = backendOf(name);
        if (row) BACKENDS[row].readConfig(defaults);
      }),
    ),
    ...problemsOf('registration-defaults.conf', ['defaultKeyConfig'], () =>
      readKeyRequest(backend, { ...wanted, config }),
    ),
    ...anchorKeyProblems('trusted-issuers.conf', trustedIssuers),
    ...anchorKeyProblems('trusted-verifiers.conf', trustedVerifiers),
  ];
}

const anchorKeyProblems = (file: string, { federations }: Pick<Settings['trustedIssuers'], 'federations'>) =>
  federations.flatMap(({ jwks: { keys } }, index) =>
    keys.flatMap((key, place) =>
      problemsOf(file, ['federations', index, 'jwks', 'keys', place], () => readVerificationKey(key)),
    ),
  );

function problemsOf(file: string, path: FieldPath, read: () => unknown): ConfigurationProblem[] {
  try {
    at(path, read);
    return [];
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return (error.details ?? [{ path, message: error.message }]).map((one) => ({
      file,
      field: readablePath(one.path),
      message: one.message,
    }));
  }
}
