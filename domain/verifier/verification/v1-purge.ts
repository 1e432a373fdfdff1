import { asList, isObject, type JsonObject } from '../../foundation/json.ts';
import { POLICY_CODES } from '../policies/codes.ts';
import type { PolicyRequest, SessionPolicies, V1Request } from '../protocol.ts';
import type {
  CredentialPolicyResult,
  PolicyResults,
  PresentationCheckResult,
  PresentedCredential,
  SessionFailure,
  V1Outcome,
} from './outcome.ts';

/** What lists show of an outcome: which checks came to what, and handles of the credentials; no claim. */
export function withoutPresented({
  vpToken: _,
  login: __,
  credentials,
  results,
  failure,
  ...rest
}: V1Outcome): V1Outcome {
  return {
    ...rest,
    ...(credentials && { credentials: mapValues(credentials, (list) => list.map(handleOf)) }),
    ...(results && { results: shortResults(results) }),
    ...(failure && { failure: shortFailure(failure) }),
  };
}

const handleOf = ({ claims: _, ...handle }: PresentedCredential): PresentedCredential => handle;

/** Texts of policies may quote claims; those of their codes do not. */
const shortLine = ({ policy: { policy }, success, code, query_id, credential_index }: CredentialPolicyResult) => ({
  policy: { policy },
  success,
  code,
  reason: POLICY_CODES[code],
  query_id,
  credential_index,
});

const shortCheck = ({ success, errors }: PresentationCheckResult): PresentationCheckResult => ({
  success,
  errors: errors.map(({ error }) => ({ error, message: POLICY_CODES[error] })),
});

const shortResults = ({ vp_policies, vc_policies, specific_vc_policies, overallSuccess }: PolicyResults) => ({
  vp_policies: mapValues(vp_policies, (checks) => mapValues(checks, shortCheck)),
  vc_policies: vc_policies.map(shortLine),
  specific_vc_policies: mapValues(specific_vc_policies, (lines) => lines.map(shortLine)),
  overallSuccess,
});

function shortFailure(failure: SessionFailure): SessionFailure {
  if (failure.type === 'vc_policy_violations') return { ...failure, violations: failure.violations.map(shortLine) };
  if (failure.type !== 'wallet_error_response') return failure;
  const { error_description: _, ...rest } = failure;
  return rest;
}

/** A request without the values that it asked for, which reveal what was presented, and without transactions. */
export function withoutValues<R extends V1Request>(request: R): R {
  const { dcqlQuery, policies } = request;
  const credentials = asList(dcqlQuery.credentials).map((one) =>
    isObject(one) && one.claims !== undefined ? { ...one, claims: asList(one.claims).map(withoutValue) } : one,
  );
  return {
    ...request,
    transactionData: undefined,
    dcqlQuery: dcqlQuery.credentials === undefined ? dcqlQuery : { ...dcqlQuery, credentials },
    query: { credentials: [], credentialSets: [] },
    policies: withoutArguments(policies),
  };
}

/** The names of policies: what they compare with may be what was presented. */
export const withoutArguments = ({ vc, specific }: SessionPolicies): SessionPolicies => ({
  vc: vc.map(nameOf),
  specific: mapValues(specific, (list) => list.map(nameOf)),
});

const nameOf = ({ policy }: PolicyRequest): PolicyRequest => ({ policy });

function withoutValue(claim: unknown): unknown {
  if (!isObject(claim)) return claim;
  const { values: _, ...rest }: JsonObject = claim;
  return rest;
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
