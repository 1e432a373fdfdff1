import type { JsonObject } from '../../foundation/json.ts';
import { isoMillis } from '../../foundation/time.ts';
import { dcApiRequest, referenceLink, requestLink, requestParameters } from '../openid4vp/v1-request.ts';
import type { PolicyResults, PresentedCredential, SessionFailure } from './outcome.ts';
import type { StoredSession } from './repository.ts';
import { type ConcludedSession, type PresentationSession, type SessionFlow, type SessionRequest } from './session.ts';

/** The states of a session by their names in the API. */
export type SessionStatus =
  | 'UNUSED'
  | 'IN_USE'
  | 'PROCESSING_FLOW'
  | 'EXPIRED'
  | 'SUCCESSFUL'
  | 'FAILED';

/** What is shown of a session wherever it is named. */
export interface ReportedSession {
  id: string;
  flow_type: SessionFlow;
  status: SessionStatus;
  statusReason?: string;
  /** Whether a presentation arrived. */
  attempted: boolean;
  creationDate: string;
  expirationDate: string;
  retentionDate: string;
}

/** The links of a session's request; none over the Digital Credentials API. */
export interface SessionLinks {
  /** What is shown as a QR code or opened on the device. */
  bootstrapAuthorizationRequestUrl?: string;
  /** The link with the whole request in it; absent for a signed request. */
  fullAuthorizationRequestUrl?: string;
}

/** A session as its creator sees it. */
export interface SessionView extends ReportedSession, SessionLinks {
  requestMode: 'URL_ENCODED' | 'REQUEST_URI_SIGNED' | 'DC_API' | 'DC_API_SIGNED';
  isHaip: boolean;
  authorizationRequest: JsonObject;
  policies: { vc_policies: unknown[]; specific_vc_policies: JsonObject };
  redirects?: { success_redirect_uri?: string; error_redirect_uri?: string };
  notifications?: { webhook: { url: string } };
  presented_raw_data?: { vpToken: JsonObject };
  presented_credentials?: Record<string, PresentedCredential[]>;
  policy_results?: PolicyResults;
  failure?: SessionFailure;
}

/** The links for wallets. A request that is not signed is in its link, since wallets fetch signed ones only. */
export function linksOf(request: SessionRequest): SessionLinks {
  const { walletUrl, responseUri = '' } = request;
  if (walletUrl === undefined) return {};
  if (request.requestMode === 'REQUEST_URI_SIGNED')
    return { bootstrapAuthorizationRequestUrl: referenceLink(request, responseUri.replace(/response$/, 'request')) };
  const link = requestLink(request);
  return { bootstrapAuthorizationRequestUrl: link, fullAuthorizationRequestUrl: link };
}
