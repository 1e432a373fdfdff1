import type { JsonObject } from '../../foundation/json.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { SelfIssuedLogin } from '../../oauth/self-issued-tokens.ts';
import { referenceLink, requestLink } from '../openid4vp/v1-requests.ts';
import { shownPolicy } from '../policies/table.ts';
import type { SessionFlow, SessionRequest, V1Request } from '../protocol.ts';
import type { PolicyResults, PresentedCredential, SessionFailure, V1Outcome } from './outcome.ts';
import { rulesOf } from './protocols.ts';
import type { StoredSession } from './repository.ts';
import type { ProtocolOf } from './rules.ts';
import { type SessionStatus, statusOf, type VerificationSession } from './session.ts';
import { withoutArguments, withoutPresented } from './v1-purge.ts';
import { isWithheld } from './v1-results.ts';

type V1Session = VerificationSession<ProtocolOf<'v1'>>;

/** The states of a session by their names in the API. */
type ShownStatus = 'UNUSED' | 'IN_USE' | 'PROCESSING_FLOW' | 'EXPIRED' | 'SUCCESSFUL' | 'FAILED';

/** What is shown of a session wherever it is named. */
interface ReportedSession {
  id: string;
  flow_type: SessionFlow;
  status: ShownStatus;
  statusReason?: string;
  /** Whether a presentation arrived. */
  attempted: boolean;
  creationDate: string;
  expirationDate: string;
  retentionDate: string;
}

/** The links of a session's request: for wallets, or for the page that uses the Digital Credentials API. */
interface SessionLinks {
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
interface SessionView extends ReportedSession, SessionLinks {
  requestMode: 'REQUEST_URI' | 'REQUEST_URI_SIGNED' | 'DC_API' | 'DC_API_SIGNED';
  isHaip: boolean;
  authorizationRequest: Readonly<JsonObject>;
  policies: { vc_policies: ShownPolicy[]; specific_vc_policies: Record<string, ShownPolicy[]> };
  redirects?: { success_redirect_uri?: string; error_redirect_uri?: string };
  notifications?: { webhook: { url: string } };
  presented_raw_data?: { vpToken: JsonObject };
  presented_credentials?: Record<string, PresentedCredential[]>;
  presented_id_token?: SelfIssuedLogin;
  policy_results?: PolicyResults;
  failure?: SessionFailure;
  /** When what was presented was read and deleted. */
  handoverDate?: string;
  /** What the outcome is exchanged for, where the creator is shown it. */
  response_code?: string;
}

/** A session as lists show it. */
export interface ListedSession
  extends ReportedSession,
    Pick<
      SessionView,
      'requestMode' | 'isHaip' | 'policies' | 'presented_credentials' | 'policy_results' | 'failure' | 'handoverDate'
    > {}

/** The links for wallets, or for the page. */
export function linksOf(request: SessionRequest<ProtocolOf<'v1'>>): SessionLinks {
  const { walletUrl, endpointUrl, isSigned } = request;
  const requestUri = `${endpointUrl}/request`;
  if (walletUrl === undefined) return { requestUri, responseUri: `${endpointUrl}/response` };
  const bootstrapAuthorizationRequestUrl = referenceLink(request, requestUri);
  const isWhole = !isSigned && !('definition' in request);
  return { bootstrapAuthorizationRequestUrl, ...(isWhole && { fullAuthorizationRequestUrl: requestLink(request) }) };
}

const STATUSES: Readonly<Record<SessionStatus, ShownStatus>> = {
  waiting: 'UNUSED',
  fetched: 'IN_USE',
  verifying: 'PROCESSING_FLOW',
  accepted: 'SUCCESSFUL',
  refused: 'FAILED',
};

const isWaiting = ({ state }: V1Session): boolean => state === 'waiting' || state === 'fetched';

function shownStatus(session: V1Session, now: number): ShownStatus {
  if (session.state === 'concluded' && isWithheld(session) && !session.shownCode) return 'PROCESSING_FLOW';
  return isWaiting(session) && now >= session.request.expiresAt ? 'EXPIRED' : STATUSES[statusOf(session)];
}

/** What events show of a session: nothing of what was presented. */
export function reportedSession(
  { id, value, createdAt, expiresAt = 0 }: StoredSession<ProtocolOf<'v1'>>,
  now: number,
): ReportedSession {
  const outcome = value.state === 'concluded' ? value.outcome : undefined;
  return {
    id,
    flow_type: value.request.flow,
    status: shownStatus(value, now),
    ...(outcome?.failure && { statusReason: outcome.failure.reason }),
    attempted: value.state === 'verifying' || outcome?.credentials !== undefined,
    creationDate: isoMillis(createdAt),
    expirationDate: isoMillis(value.request.expiresAt),
    retentionDate: isoMillis(expiresAt),
  };
}

/** Shows a session to its creator: no key, no secret of a webhook, none of the ids that others have. */
export function sessionView(session: StoredSession<ProtocolOf<'v1'>>, now: number): SessionView {
  const { value } = session;
  const { request } = value;
  const { success, error } = request.redirects;
  return {
    ...reportedSession(session, now),
    ...(isWaiting(value) ? linksOf(request) : {}),
    requestMode: modeOf(request),
    isHaip: request.isHaip,
    authorizationRequest: rulesOf(request).asked(request),
    policies: {
      vc_policies: request.policies.vc.map(shownPolicy),
      specific_vc_policies: Object.fromEntries(
        Object.entries(request.policies.specific).map(([id, list]) => [id, list.map(shownPolicy)]),
      ),
    },
    redirects: { success_redirect_uri: success, error_redirect_uri: error },
    ...(request.webhook && { notifications: { webhook: { url: request.webhook.url } } }),
    ...(value.state === 'concluded' && { response_code: value.shownCode }),
    ...outcomeView(shownOutcome(value)),
  };
}

/** The outcome, unless it waits for its code. */
const shownOutcome = (session: V1Session): V1Outcome | undefined =>
  session.state === 'concluded' && !isWithheld(session) ? session.outcome : undefined;

/** Shows a session in a list: neither the request, which has secrets of the wallet, nor anything that was presented. */
export function listedSession(session: StoredSession<ProtocolOf<'v1'>>, now: number): ListedSession {
  const { value } = session;
  const { request } = value;
  const { vc, specific } = withoutArguments(request.policies);
  const outcome = shownOutcome(value);
  return {
    ...reportedSession(session, now),
    requestMode: modeOf(request),
    isHaip: request.isHaip,
    policies: { vc_policies: vc, specific_vc_policies: specific },
    ...outcomeView(outcome && withoutPresented(outcome)),
  };
}

function modeOf({ walletUrl, isSigned }: V1Request): SessionView['requestMode'] {
  if (walletUrl === undefined) return isSigned ? 'DC_API_SIGNED' : 'DC_API';
  return isSigned ? 'REQUEST_URI_SIGNED' : 'REQUEST_URI';
}

const outcomeView = ({ vpToken, credentials, login, results, failure, purgedAt: at }: V1Outcome = {}) => ({
  ...(vpToken && { presented_raw_data: { vpToken } }),
  ...(credentials && { presented_credentials: credentials }),
  ...(login && { presented_id_token: login }),
  ...(results && { policy_results: results }),
  ...(failure && { failure }),
  ...(at !== undefined && { handoverDate: isoMillis(at) }),
});
