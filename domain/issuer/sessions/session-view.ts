import type { Stored } from '../../../ports/store.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { type IssuanceSession, progressOf } from './issuance-session.ts';
import { recordIdOf } from './record-id.ts';

/** The public members of a session: no key, code, token or data of a credential. */
export function sessionView(session: IssuanceSession) {
  const { id, managed, configurationIds, plan, state, expiresAt } = session;
  const { offered, issued, credentials } = progressOf(session);
  return {
    sessionId: id,
    profileId: managed?.profileId,
    reference: managed?.file?.reference,
    authenticationMethod: managed?.authMethod,
    credentialConfigurationId: configurationIds[0],
    credentialConfigurationIds: configurationIds,
    issuedCredentialFormat: issued > 0 ? plan.kinds[0]?.format : undefined,
    status: state,
    statusReason: session.state === 'ACTIVE' ? undefined : session.reason,
    isClosed: session.state !== 'ACTIVE',
    expiresAt: isoMillis(expiresAt),
    offered,
    issued,
    credentials,
  };
}

type ShownIssuer = Pick<CredentialIssuer, 'service' | 'keepsIssuedMs'>;

/** A session as it is listed, with the times at which it was created and changed last; of a service with its path. */
export const storedView = (
  { service, keepsIssuedMs }: ShownIssuer,
  { value, createdAt, updatedAt }: Stored<IssuanceSession>,
) => ({
  ...(service !== undefined && { _id: `${service}.${value.id}` }),
  ...sessionView(value),
  ...(keepsIssuedMs !== undefined && progressOf(value).issued > 0 && { issuedId: recordIdOf(value) }),
  createdDateTime: isoMillis(createdAt),
  updatedDateTime: isoMillis(updatedAt),
});

/** A session as it is shown alone: lists have no recipients. */
export const sessionDetails = (issuer: ShownIssuer, session: Stored<IssuanceSession>) => ({
  ...storedView(issuer, session),
  recipient: session.value.managed?.file?.recipient,
});
