import { readFileSync } from 'node:fs';
import type { FileContents } from './config-files.ts';
import { FOLDER } from './schemas.ts';
import type { Settings } from './settings.ts';

/** Adds the credentials that an issuer offers whose operator names none. */
export function withBuiltIn({
  supportedCredentialTypes = builtInCredentials(),
  ...settings
}: FileContents['credential-issuer-metadata']): Settings['issuerMetadata'] {
  return { ...settings, supportedCredentialTypes };
}

const builtInCredentials = (): Settings['issuerMetadata']['supportedCredentialTypes'] =>
  JSON.parse(readFileSync(new URL('../defaults/credential-configurations.json', FOLDER), 'utf8'));
