import type { StatusServices } from '../../adapters/http/handlers/status.ts';
import { CheckedCredentials } from '../../domain/status/checked-credentials.ts';
import { CredentialRevocation } from '../../domain/status/credential-revocation.ts';
import { RevocationCheck } from '../../domain/status/revocation-check.ts';
import type { Platform } from '../platform/platform.ts';

/** The status check, and revoking by the credential. */
export function statusServices(platform: Platform): StatusServices {
  const { issuedLists, settings, listAuthority: authority } = platform;
  const { publicUrl, status } = settings;
  const credentials = new CheckedCredentials(platform);
  return {
    ...issuedLists,
    check: new RevocationCheck({ ...platform, credentials }),
    revocation: new CredentialRevocation({ ...platform, ...issuedLists, credentials, authority, publicUrl }),
    ttlSeconds: status.issuedLists.ttlSeconds,
  };
}
