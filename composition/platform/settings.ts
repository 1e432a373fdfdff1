import { ConfigurationError, type ConfigurationProblem } from '../../adapters/config/errors.ts';
import { type ReadSettings, readSettings } from '../../adapters/config/read-settings.ts';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { readablePath } from '../../domain/foundation/field-paths.ts';
import { readAnchors } from '../../domain/x509/trust-anchors.ts';
import { requestKeyProblems } from './request-signing.ts';

/** Reads the settings, checks the trusted certificates and the request signing key. @throws ConfigurationError */
export async function loadSettings(environment: Record<string, string | undefined>): Promise<ReadSettings> {
  const settings = await readSettings(environment, anchorProblems);
  const problems = requestKeyProblems(settings);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

function anchorProblems(
  certificates: readonly string[],
  { file, field }: Pick<ConfigurationProblem, 'file' | 'field'>,
): ConfigurationProblem[] {
  const parser = new NodeCertificates();
  try {
    readAnchors({ certificates, now: systemClock.now(), parse: (der) => parser.parse(der) });
    return [];
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    const { details = [] } = error;
    return details.map(({ path: [, ...rest], message }) => ({ file, field: readablePath([field, ...rest]), message }));
  }
}
