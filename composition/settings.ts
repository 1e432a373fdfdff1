import type { ConfigurationProblem } from '../adapters/config/errors.ts';
import { type ReadSettings, readSettings } from '../adapters/config/read-settings.ts';
import { NodeCertificates } from '../adapters/crypto/certificates.ts';
import { systemClock } from '../adapters/system/system.ts';
import { isDomainError } from '../domain/foundation/errors.ts';
import { configurationPath } from '../domain/foundation/field-paths.ts';
import { readAnchors } from '../domain/x509/trust-anchors.ts';

/** Reads the settings and checks the trusted certificates. @throws ConfigurationError */
export const loadSettings = (environment: Record<string, string | undefined>): Promise<ReadSettings> =>
  readSettings(environment, anchorProblems);

function anchorProblems(certificates: readonly string[], file: string): ConfigurationProblem[] {
  const parser = new NodeCertificates();
  try {
    readAnchors({ certificates, now: systemClock.now(), parse: (der) => parser.parse(der) });
    return [];
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    const { details = [] } = error;
    return details.map(({ path, message }) => ({ file, field: configurationPath(path), message }));
  }
}
