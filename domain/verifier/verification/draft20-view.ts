import type { PresentationView, ViewMode } from '../../../ports/credential-formats.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { DomainError } from '../../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../../foundation/json.ts';
import { isoDuration, isoMillis } from '../../foundation/time.ts';
import type { PresentationDefinition } from '../../presentation/exchange/definition.ts';
import { asked } from '../openid4vp/draft20-requests.ts';
import type { PolicyResult } from '../policies/policy.ts';
import type { CredentialResult } from './evaluation.ts';
import type { CredentialHandle } from './handles.ts';
import type { VerificationSession } from './session.ts';

/** One credential's results; clients read the list under both names. */
interface CredentialResultView extends CredentialResult {
  policyResults: PolicyResult[];
}

/** A session as its verifier sees it, by request and by callback (interface: Verification result). */
interface SessionView {
  id: string;
  presentationDefinition: PresentationDefinition;
  tokenResponse?: JsonObject;
  verificationResult?: boolean;
  policyResults?: { results: CredentialResultView[]; time: string; policiesRun: number };
  /** Of the presented credentials, when what was presented was read and deleted. */
  credentialHandles?: CredentialHandle[];
  handoverDate?: string;
}

/** Shows a session: without a result until a wallet has responded, and never with the key of the callback. */
export function sessionView(id: string, session: VerificationSession<'draft20'>): SessionView {
  const view = { id, presentationDefinition: asked(session.request) };
  if (session.state !== 'concluded') return view;
  const { tokenResponse, results, tookMs, handles, purgedAt: at } = session.outcome;
  const policyResults = results && {
    results: results.map(({ credential, policies }) => ({ credential, policies, policyResults: policies })),
    time: isoDuration(tookMs),
    policiesRun: results.reduce((sum, { policies }) => sum + policies.length, 0),
  };
  const verificationResult = session.isAccepted;
  const purged = at !== undefined && { handoverDate: isoMillis(at), ...(handles && { credentialHandles: handles }) };
  return { ...view, tokenResponse, verificationResult, ...(policyResults && { policyResults }), ...purged };
}

/** The presentations of a session, by the names of their formats. */
interface PresentedCredentials {
  credentialsByFormat: Record<string, PresentationView[]>;
  viewMode: ViewMode;
}

/**
 * Shows what was presented and verified, one view for each presentation. What was not accepted is not shown.
 * @throws DomainError `BadRequest` unless the verification succeeded
 */
export async function presentedCredentials(
  session: VerificationSession<'draft20'>,
  viewMode: ViewMode,
  formats: CredentialFormats,
): Promise<PresentedCredentials> {
  if (session.state !== 'concluded' || !session.isAccepted)
    throw new DomainError('BadRequest', 'There are no presented credentials: the verification has not succeeded');
  if (session.outcome.purgedAt !== undefined)
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
