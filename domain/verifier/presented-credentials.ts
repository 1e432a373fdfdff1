import type { PresentationView, ViewMode } from '../../ports/credential-formats.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { DomainError } from '../foundation/errors.ts';
import { asList, isText } from '../foundation/json.ts';
import type { VerificationSession } from './verification-session.ts';

/** The presentations of a session, by the names of their formats. */
export interface PresentedCredentials {
  credentialsByFormat: Record<string, PresentationView[]>;
  viewMode: ViewMode;
}

/**
 * Shows what was presented and verified, one view for each presentation. What was not accepted is not shown.
 * @throws DomainError `BadRequest` unless the verification succeeded
 */
export async function presentedCredentials(
  session: VerificationSession,
  viewMode: ViewMode,
  formats: CredentialFormats,
): Promise<PresentedCredentials> {
  if (session.state !== 'verified')
    throw new DomainError('BadRequest', 'There are no presented credentials: the verification has not succeeded');
  if (session.outcome.handedOverAt !== undefined)
    throw new DomainError('BadRequest', 'There are no presented credentials: they were handed over and deleted');
  const credentialsByFormat: Record<string, PresentationView[]> = {};
  for (const text of asList(session.outcome.tokenResponse.vp_token).filter(isText)) {
    const { name, presentations } = formats.presentedIn(text);
    if (!presentations.view) throw new DomainError('BadRequest', `Presentations of the format ${name} cannot be shown`);
    const shown = credentialsByFormat[name] ?? [];
    credentialsByFormat[name] = [...shown, await presentations.view(text, viewMode)];
  }
  return { credentialsByFormat, viewMode };
}
