import type { Ids } from '../../../ports/system.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isObject, isText } from '../../foundation/json.ts';
import { errorDescription } from '../../oauth/error-description.ts';
import type { PresentationDefinition } from '../../presentation/exchange/definition.ts';
import { POLICY_CODES, type PolicyCode } from '../policies/codes.ts';
import type { PolicyResult } from '../policies/policy.ts';
import type {
  Draft20Request,
  OpenSession,
  PolicyRequest,
  SessionRequest,
  SessionWebhook,
  WalletRefusal,
} from '../protocol.ts';
import { inOrder } from './evaluation.ts';
import { handleOf } from './handles.ts';
import type { Draft20Outcome, WalletReply } from './outcome.ts';
import type { EndedSession, EvaluationTools, ReadResponse } from './rules.ts';
import type { ConcludedSession, VerificationSession } from './session.ts';

/** A request can be fetched as long as its session has no result. @throws DomainError `NotFound` */
export function checkFetchable({ state }: VerificationSession<'draft20'>): void {
  if (state === 'concluded') throw new DomainError('NotFound', 'The session is over');
}

/** The link of wallets that begin a verification themselves (SIOPv2). */
export const WALLET = 'openid://';

export async function evaluate(
  { id: state, submission: { token, document, credentials } }: ReadResponse<'draft20'>,
  { policies, elapsed }: EvaluationTools,
): Promise<Draft20Outcome> {
  const results = inOrder(await policies());
  const tokenResponse = { vp_token: token, presentation_submission: document, state };
  return { tokenResponse, handles: credentials.map(handleOf), results, tookMs: elapsed() };
}

export const refusedBy = (
  { error, description, uri }: WalletRefusal,
  { id: state }: OpenSession<'draft20'>,
): Draft20Outcome => ({
  tokenResponse: { error, error_description: description, error_uri: uri, state },
  tookMs: 0,
});

export const isAccepted = ({ results }: Draft20Outcome): boolean =>
  results?.every(({ policies }) => policies.every((policy) => policy.is_success)) === true;

export const newCode = ({ startedByWallet }: Draft20Request, { ids }: { ids: Ids }): string | undefined =>
  startedByWallet && ids.uuid();

/** Puts the session's id into a URL of the verifier (interface: Headers of `POST /openid4vc/verify`). */
const withSessionId = (uri: string, id: string): string => uri.replaceAll('$id', encodeURIComponent(id));

/** The receiver of the result (interface: Verification callback). */
export const receiver = ({ id, request }: OpenSession<'draft20'>): SessionWebhook | undefined => {
  const { statusCallbackUri: uri, statusCallbackApiKey: authorization } = request;
  return uri === undefined ? undefined : { url: withSessionId(uri, id), authorization };
};

/** The answer to the wallet whose response ended a session (OpenID4VP draft 20 §6.2). */
export function replyTo({ id, value }: EndedSession<'draft20'>, code = ''): WalletReply {
  const { isAccepted: isSuccess, request, outcome } = value;
  const { successRedirectUri: success, errorRedirectUri: error, startedByWallet } = request;
  if (startedByWallet) return { kind: 'redirect', location: redirectToWallet(value, code) };
  const uri = isSuccess ? success : error;
  const redirectUri = uri === undefined ? undefined : withSessionId(uri, id);
  if (isSuccess) return { kind: 'taken', status: 'received', redirectUri };
  const reason = textOr(outcome.tokenResponse.error, 'invalid_request');
  return { kind: 'rejected', error: reason, description: descriptionOf(outcome), redirectUri };
}

const MAX_REASON = 120;

/** Why the verification failed, in a sentence of printable ASCII. */
function descriptionOf({ results, tokenResponse }: Draft20Outcome): string {
  if (!results) return errorDescription(textOr(tokenResponse.error_description, 'The wallet refused the request'));
  const broken = results.flatMap(({ policies }) => policies.filter((policy) => !policy.is_success));
  const reasons = broken.map(({ policy, error }) => `${policy} (${reasonOf(error)})`);
  return errorDescription(`Verification policies did not succeed: ${reasons.slice(0, 16).join(', ')}`);
}

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

const reasonOf = (error: unknown): string =>
  typeof error === 'string' ? error.slice(0, MAX_REASON) : String(Reflect.get(Object(error), 'type') ?? 'failed');

/** The redirect that ends a verification which a wallet began, with a `code` or an error. */
function redirectToWallet({ isAccepted, request, outcome }: ConcludedSession<'draft20'>, code: string): string {
  const { state: given } = request.startedByWallet ?? {};
  const answer: Record<string, string> = isAccepted
    ? { code }
    : { error: 'invalid_request', error_description: violationOf(outcome) };
  return `${WALLET}?${new URLSearchParams({ ...answer, ...(given !== undefined && { state: given }) })}`;
}

/** How the conformance test names what is wrong with a credential. */
const REASONS: Partial<Record<PolicyCode, string>> = {
  expired: 'is expired',
  'not-yet-valid': 'is not yet valid',
  'status-set': 'is revoked',
};

/** The first reason about a credential, named by the descriptor that it is presented for. */
function violationOf({ results = [], tokenResponse }: Draft20Outcome): string {
  const [, ...credentials] = results;
  for (const [index, { policies }] of credentials.entries()) {
    const reason = policies.map(({ code }) => REASONS[code]).find(isText);
    if (reason) return `${descriptorOf(tokenResponse.presentation_submission, index)} ${reason}`;
  }
  return 'The presentation was not accepted';
}

function descriptorOf(submission: unknown, index: number): string {
  const map: unknown = isObject(submission) ? submission.descriptor_map : undefined;
  const entry: unknown = Array.isArray(map) ? map[index] : undefined;
  return isObject(entry) && isText(entry.id) ? entry.id.slice(0, 128) : `credential ${index + 1}`;
}

/** The outcome without what was presented. */
export const withoutPresented = ({
  tokenResponse: { state, error },
  results,
  ...rest
}: Draft20Outcome): Draft20Outcome => ({
  ...rest,
  tokenResponse: { state, error },
  results: results?.map(({ credential, policies }) => ({ credential, policies: policies.map(shortLine) })),
});

/** Texts of policies may quote claims; those of their codes do not. */
const shortLine = ({ policy, description, is_success, code }: PolicyResult): PolicyResult => ({
  policy,
  description,
  is_success,
  code,
  reason: POLICY_CODES[code],
});

/** A request without the values that it asked for, and without the arguments of policies: they reveal what was presented. */
export function withoutValues({
  transactionData: _,
  ...request
}: SessionRequest<'draft20'>): SessionRequest<'draft20'> {
  const names = (list: readonly PolicyRequest[]): PolicyRequest[] => list.map(({ policy }) => ({ policy }));
  const { query, vpPolicies, vcPolicies, ownPolicies } = request;
  return {
    ...request,
    query: { ...query, definition: withoutFilters(query.definition) },
    vpPolicies: names(vpPolicies),
    vcPolicies: names(vcPolicies),
    ownPolicies: ownPolicies.map((own) => ({ ...own, policies: names(own.policies) })),
  };
}

/** A definition without the values that it compares with. */
export const withoutFilters = (definition: PresentationDefinition): PresentationDefinition => ({
  ...definition,
  input_descriptors: definition.input_descriptors.map(({ constraints, ...descriptor }) => ({
    ...descriptor,
    constraints: { ...constraints, fields: constraints.fields.map(({ filter: _, ...field }) => field) },
  })),
});
