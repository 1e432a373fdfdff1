import type { JsonObject } from '../../foundation/json.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { SelfIssuedLogin } from '../../oauth/self-issued-tokens.ts';
import { referenceLink, requestLink, requestParameters } from '../openid4vp/v1-request.ts';
import type { PolicyRequest } from '../policies/policy.ts';
import { findPolicy } from '../policies/table.ts';
import { withoutArguments, withoutPresented } from './handover.ts';
import type { PolicyResults, PresentedCredential, SessionFailure, SessionOutcome } from './outcome.ts';
import type { StoredSession } from './repository.ts';
import type { ConcludedSession, PresentationSession, SessionFlow, SessionRequest } from './session.ts';

/** The states of a session by their names in the API. */
export type SessionStatus = 'UNUSED' | 'IN_USE' | 'PROCESSING_FLOW' | 'EXPIRED' | 'SUCCESSFUL' | 'FAILED';

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

/** The links of a session's request: for wallets, or for the page that uses the Digital Credentials API. */
export interface SessionLinks {
  /** What is shown as a QR code or opened on the device: a link by which the wallet fetches the request. */
  bootstrapAuthorizationRequestUrl?: string;
  /** The link with the whole request in it; absent for a signed request, which wallets fetch. */
  fullAuthorizationRequestUrl?: string;
  /** Where a page gets its request. */
  requestUri?: string;
  /** Where a page posts what it got. */
  responseUri?: string;
}

/** A policy with its argument without secrets. */
interface ShownPolicy {
  policy: string;
  args?: unknown;
}

/** A session as its creator sees it. */
export interface SessionView extends ReportedSession, SessionLinks {
  requestMode: 'REQUEST_URI' | 'REQUEST_URI_SIGNED' | 'DC_API' | 'DC_API_SIGNED';
  isHaip: boolean;
  authorizationRequest: JsonObject;
  policies: { vc_policies: ShownPolicy[]; specific_vc_policies: Record<string, ShownPolicy[]> };
  redirects?: { success_redirect_uri?: string; error_redirect_uri?: string };
  notifications?: { webhook: { url: string } };
  presented_raw_data?: { vpToken: JsonObject };
  presented_credentials?: Record<string, PresentedCredential[]>;
  presented_id_token?: SelfIssuedLogin;
  policy_results?: PolicyResults;
  failure?: SessionFailure;
  /** When what was presented was handed over and deleted. */
  handoverDate?: string;
}

/** A session as lists show it. */
export interface ListedSession
  extends ReportedSession,
    Pick<
      SessionView,
      'requestMode' | 'isHaip' | 'policies' | 'presented_credentials' | 'policy_results' | 'failure' | 'handoverDate'
    > {}

/** The links for wallets, or for the page. */
export function linksOf(request: SessionRequest): SessionLinks {
  const { walletUrl, endpointUrl, isSigned } = request;
  const requestUri = `${endpointUrl}/request`;
  if (walletUrl === undefined) return { requestUri, responseUri: `${endpointUrl}/response` };
  const bootstrapAuthorizationRequestUrl = referenceLink(request, requestUri);
  return { bootstrapAuthorizationRequestUrl, ...(!isSigned && { fullAuthorizationRequestUrl: requestLink(request) }) };
}

const STATUSES = {
  unused: 'UNUSED',
  'in-use': 'IN_USE',
  processing: 'PROCESSING_FLOW',
  successful: 'SUCCESSFUL',
  failed: 'FAILED',
} as const satisfies Record<PresentationSession['state'], SessionStatus>;

/**
 * Whether the outcome waits for the code that comes back with the user's browser: the result of a flow on one device is
 * for the browser that began it, not for an attacker who had another person answer that request (OpenID4VP 1.0 §13.3).
 */
const isWithheld = (session: PresentationSession): boolean =>
  session.state === 'successful' && session.request.flow === 'same_device' && session.responseCode !== undefined;

function statusOf(session: PresentationSession, now: number): SessionStatus {
  if (isWithheld(session)) return 'PROCESSING_FLOW';
  const isOver = session.state === 'unused' || session.state === 'in-use';
  return isOver && now >= session.request.expiresAt ? 'EXPIRED' : STATUSES[session.state];
}

/** What events show of a session: nothing of what was presented. */
export function reportedSession({ id, value, createdAt, expiresAt = 0 }: StoredSession, now: number): ReportedSession {
  const failure = 'outcome' in value ? value.outcome.failure : undefined;
  return {
    id,
    flow_type: value.request.flow,
    status: statusOf(value, now),
    ...(failure && { statusReason: failure.reason }),
    attempted: value.state === 'processing' || ('outcome' in value && value.outcome.credentials !== undefined),
    creationDate: isoMillis(createdAt),
    expirationDate: isoMillis(value.request.expiresAt),
    retentionDate: isoMillis(expiresAt),
  };
}

/** Shows a session to its creator: no key, no secret of a webhook, none of the ids that others have. */
export function sessionView(session: StoredSession, now: number): SessionView {
  const { value } = session;
  const { request } = value;
  const { success, error } = request.redirects;
  return {
    ...reportedSession(session, now),
    ...(value.state === 'unused' || value.state === 'in-use' ? linksOf(request) : {}),
    requestMode: modeOf(request),
    isHaip: request.isHaip,
    authorizationRequest: request.mdocs ? { ...request.mdocs } : requestParameters(request),
    policies: {
      vc_policies: request.policies.vc.map(shownPolicy),
      specific_vc_policies: Object.fromEntries(
        Object.entries(request.policies.specific).map(([id, list]) => [id, list.map(shownPolicy)]),
      ),
    },
    redirects: { success_redirect_uri: success, error_redirect_uri: error },
    ...(request.webhook && { notifications: { webhook: { url: request.webhook.url } } }),
    ...(hasOutcome(value) && !isWithheld(value) ? outcomeView(value.outcome) : {}),
  };
}

const hasOutcome = (session: PresentationSession): session is ConcludedSession => 'outcome' in session;

/** Whether what was presented is stored and may be shown. */
export const hasShownOutcome = (session: PresentationSession): boolean =>
  hasOutcome(session) && !isWithheld(session) && session.outcome.handedOverAt === undefined;

/** Shows a session in a list: neither the request, which has secrets of the wallet, nor anything that was presented. */
export function listedSession(session: StoredSession, now: number): ListedSession {
  const { value } = session;
  const { request } = value;
  const { vc, specific } = withoutArguments(request.policies);
  return {
    ...reportedSession(session, now),
    requestMode: modeOf(request),
    isHaip: request.isHaip,
    policies: { vc_policies: vc, specific_vc_policies: specific },
    ...(hasOutcome(value) && !isWithheld(value) ? outcomeView(withoutPresented(value.outcome)) : {}),
  };
}

function modeOf({ walletUrl, isSigned }: SessionRequest): SessionView['requestMode'] {
  if (walletUrl === undefined) return isSigned ? 'DC_API_SIGNED' : 'DC_API';
  return isSigned ? 'REQUEST_URI_SIGNED' : 'REQUEST_URI';
}

const shownPolicy = (request: PolicyRequest): ShownPolicy => {
  const args = findPolicy(request.policy)?.showArgs(request.args);
  return args === undefined ? { policy: request.policy } : { policy: request.policy, args };
};

const outcomeView = ({ vpToken, credentials, login, results, failure, handedOverAt: at }: SessionOutcome) => ({
  ...(vpToken && { presented_raw_data: { vpToken } }),
  ...(credentials && { presented_credentials: credentials }),
  ...(login && { presented_id_token: login }),
  ...(results && { policy_results: results }),
  ...(failure && { failure }),
  ...(at !== undefined && { handoverDate: isoMillis(at) }),
});
