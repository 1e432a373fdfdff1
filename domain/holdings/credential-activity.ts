import type { Credential } from '../../ports/credential-formats.ts';
import type { Activity } from './activity.ts';

type CredentialActivity = Extract<Activity, { event: 'Credential' }>;

/** What can happen to a credential. */
export type CredentialAction = CredentialActivity['action'];

/** What the event log says of a credential: never its claims. */
export const credentialActivity = (
  action: CredentialAction,
  { id, format, parsed }: { id: string; format: string; parsed?: Credential },
): CredentialActivity => ({
  event: 'Credential',
  action,
  credentialId: id,
  data: { format, ...(parsed && { credentialType: parsed.type, issuer: parsed.issuer.id }) },
});
