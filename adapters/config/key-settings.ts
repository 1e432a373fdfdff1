import { at, isDomainError } from '../../domain/foundation/errors.ts';
import { configurationPath } from '../../domain/foundation/field-paths.ts';
import { BACKENDS, backendOf } from '../../domain/keys/key-reference.ts';
import { defaultConfig, readKeyRequest } from '../../domain/keys/key-request.ts';
import type { ConfigurationProblem } from './errors.ts';
import type { Settings } from './settings.ts';

/** What is wrong with the configured keys, by the tables of key backends and key types. */
export function keyProblems({ keyGenerationDefaults, registrationDefaults }: Settings): ConfigurationProblem[] {
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
  ];
}

function problemsOf(file: string, path: readonly string[], read: () => unknown): ConfigurationProblem[] {
  try {
    at(path, read);
    return [];
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return (error.details ?? []).map((one) => ({ file, field: configurationPath(one.path), message: one.message }));
  }
}
