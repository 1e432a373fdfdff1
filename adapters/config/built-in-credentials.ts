import { readFileSync } from 'node:fs';
import type { FileContents } from './config-files.ts';
import { FOLDER } from './schemas.ts';
import type { Settings } from './settings.ts';

/** Puts what has two names under one, and adds those that an issuer offers whose operator names none. */
export function withBuiltIn({
  supportedCredentialTypes,
  credentialConfigurations,
  enforcePushedAuthorizationRequests: isEnforced = false,
  ...settings
}: FileContents['credential-issuer-metadata']): Settings['issuerMetadata'] {
  const written = [supportedCredentialTypes, credentialConfigurations].filter((entries) => entries !== undefined);
  return {
    ...settings,
    requirePushedAuthorizationRequests: settings.requirePushedAuthorizationRequests || isEnforced,
    supportedCredentialTypes: written.length === 0 ? builtInCredentials() : Object.assign({}, ...written),
  };
}

const builtInCredentials = (): Settings['issuerMetadata']['supportedCredentialTypes'] =>
  JSON.parse(readFileSync(new URL('../defaults/credential-configurations.json', FOLDER), 'utf8'));
