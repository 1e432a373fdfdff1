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
    ...jwksProblems('trusted-issuers.conf', trustedIssuers, 'federations'),
    ...jwksProblems('trusted-verifiers.conf', trustedVerifiers, 'federations'),
    ...jwksProblems('trusted-verifiers.conf', trustedVerifiers, 'attestationIssuers'),
    ...jwksProblems('trusted-verifiers.conf', trustedVerifiers, 'clients'),
  ];
}

/** What is wrong with the keys of the parties in one list of a file. */
const jwksProblems = <N extends string>(
  file: string,
  settings: { [K in N]: readonly { jwks?: { keys: unknown[] } }[] },
  list: N,
) =>
  settings[list].flatMap(({ jwks }, index) =>
    (jwks?.keys ?? []).flatMap((key, place) =>
      problemsOf(file, [list, index, 'jwks', 'keys', place], () => readVerificationKey(key)),
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
