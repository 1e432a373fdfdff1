import type { Activity } from './activity.ts';
import type { StoredCredential } from './credentials.ts';

type CredentialActivity = Extract<Activity, { event: 'Credential' }>;

/** What can happen to a credential. */
export type CredentialAction = CredentialActivity['action'];

/** What the event log says of a credential: never its claims. */
export const credentialActivity = (
  action: CredentialAction,
  { id, format, parsed }: StoredCredential,
): CredentialActivity => ({
  event: 'Credential',
  action,
  credentialId: id,
  data: { format, ...(parsed && { credentialType: parsed.type, issuer: parsed.issuer.id }) },
});
