import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { TOKEN_PROBLEMS, type TokenProblem } from '../../oauth/self-issued-tokens.ts';
import { isAccepted } from '../../presentation/vp-formats.ts';
import { findPolicy } from '../policies/table.ts';
import type { PolicyList, PolicyRequest, V1Request, VerificationTask } from '../protocol.ts';
import type { SessionFailure, V1Outcome } from './outcome.ts';
import type { EvaluationTools, ReadResponse } from './rules.ts';
import type { Submission } from './submission.ts';
import { failedChecks, outcomeOf, presentedCredentials } from './v1-outcome.ts';

/** Policies of every credential, listed or not. */
const ALWAYS: readonly PolicyRequest[] = [{ policy: 'signature' }, { policy: 'expired' }, { policy: 'not-before' }];

/** Policies of every presentation. */
const OF_PRESENTATIONS: readonly PolicyRequest[] = [{ policy: 'expired' }, { policy: 'not-before' }];

/** A list with the policies that always run; those that it has already are not added. */
function withAlways(own: readonly PolicyRequest[]): PolicyRequest[] {
  const known = new Set(own.map(({ policy }) => findPolicy(policy)));
  return [...own, ...ALWAYS.filter(({ policy }) => !known.has(findPolicy(policy)))];
}

const listed = (policies: readonly PolicyRequest[], list: PolicyList): PolicyRequest[] =>
  policies.map((request) => ({ ...request, list }));

/**
 * What the response of a session is verified against; `origin` is that of the page, over the Digital Credentials API. A
 * presentation is meant for the client, or there for the page (OpenID4VP 1.0 §14.1.2, annex A.4).
 */
export function taskOf(request: V1Request, origin: string | undefined): VerificationTask {
  const { query, nonce, clientId = '', transactionData, policies, trustedRoots } = request;
  const vcPolicies = withAlways(listed(policies.vc, 'all'));
  return {
    query: { language: 'dcql', query },
    nonce,
    audience: origin === undefined ? clientId : `origin:${origin}`,
    vpPolicies: OF_PRESENTATIONS,
    needsHolder: true,
    vcPolicies,
    ownPolicies: Object.entries(policies.specific).map(([queryId, own]) => ({
      queryId,
      policies: [...vcPolicies, ...listed(own, 'specific')],
    })),
    ...(transactionData && { transactionData }),
    ...(trustedRoots && { trustedRoots }),
  };
}

/** Checks everything that the session demands of a response; no policy is run for one that is refused without them. */
export async function evaluate(
  { request, submission, idToken }: ReadResponse<'v1' | 'iso-dc-api'>,
  { policies, tokens, formats }: EvaluationTools,
): Promise<V1Outcome> {
  const refused = (failure: SessionFailure): V1Outcome => ({
    vpToken: submission.document,
    credentials: presentedCredentials(submission),
    failure,
  });
  const failed = unacceptedAlgorithms(request, submission, formats);
  if (failed.length > 0) return refused(failedChecks(failed));
  const login = idToken && (await tokens.verify(idToken, expectedOf(request)));
  if (login && 'problem' in login) return refused(failedLogin(login.problem));
  return { ...outcomeOf({ query: request.query, submission, results: await policies(), formats }), login };
}

/** What the ID token of a response must state: the same client and nonce as the presentations. */
const expectedOf = ({ clientId: audience = '', nonce, login }: V1Request) => ({
  audience,
  nonce,
  alg: login?.signingAlg,
});

const failedLogin = (code: TokenProblem): SessionFailure => ({
  type: 'id_token_validation',
  reason: `The ID token is not accepted: ${TOKEN_PROBLEMS[code]}`,
  code,
});

/** The presentations that are signed with an algorithm that the request does not accept (OpenID4VP 1.0 §11.1). */
function unacceptedAlgorithms(
  { clientMetadata }: V1Request,
  { presentations }: Submission,
  formats: CredentialFormats,
): string[] {
  const accepted = clientMetadata.vp_formats_supported;
  return presentations.flatMap(({ parsed, queryIds }) => {
    const { format: name } = parsed.credentials[0] ?? parsed;
    const format = formats.requestableAs(name);
    const isSigned = parsed.binding.kind !== 'none';
    const parts = [
      ...parsed.credentials.map(({ alg }) => ({ format, part: 'credential' as const, alg })),
      ...(isSigned ? [{ format, part: 'presentation' as const, alg: parsed.alg }] : []),
    ];
    return parts.every((part) => isAccepted(accepted, part)) ? [] : [`${queryIds[0] ?? ''}/${name}/algorithm-check`];
  });
}
