import { type SelfIssuedTokens, TOKEN_PROBLEMS, type TokenProblem } from '../../oauth/self-issued-tokens.ts';
import { isAccepted } from '../../presentation/vp-formats.ts';
import type { ReceivedPresentation } from '../openid4vp/v1-response.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import type { Verification } from '../verification.ts';
import type { Submission } from '../verification-task.ts';
import type { SessionFailure, SessionOutcome } from './outcome.ts';
import type { SessionRequest } from './session.ts';
import { handoverOf, taskOf } from './session-task.ts';
import { failedChecks, outcomeOf, presentedCredentials } from './verification-outcome.ts';

/** A response that was read. */
export interface ReadResponse extends Omit<ReceivedPresentation, 'vpToken'> {
  submission: Submission;
}

/** What evaluating responses needs. */
export interface ResponseEvaluationParts {
  verification: Verification;
  tokens: Pick<SelfIssuedTokens, 'verify'>;
}

/** Reads and evaluates the presentations of a session. */
export class ResponseEvaluation {
  readonly #parts: ResponseEvaluationParts;

  constructor(parts: ResponseEvaluationParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `BadRequest` when a presentation cannot be read */
  async read(request: SessionRequest, { vpToken, ...received }: ReceivedPresentation): Promise<ReadResponse> {
    const { origin } = received;
    const task = taskOf(request, origin);
    const submission = await this.#parts.verification.read(task, { vpToken, handover: handoverOf(request, origin) });
    return { submission, ...received };
  }

  /** Checks everything that the session demands of a response; no policy is run for one that is refused without them. */
  async evaluate(
    verifier: Pick<PresentationVerifier, 'trust'>,
    request: SessionRequest,
    { submission, idToken, origin, now }: ReadResponse & { now: number },
  ): Promise<SessionOutcome> {
    const refused = (failure: SessionFailure): SessionOutcome => ({
      vpToken: submission.document,
      credentials: presentedCredentials(submission),
      failure,
    });
    const failed = unacceptedAlgorithms(request, submission);
    if (failed.length > 0) return refused(failedChecks(failed));
    const login = idToken && (await this.#parts.tokens.verify(idToken, expectedOf(request)));
    if (login && 'problem' in login) return refused(failedLogin(login.problem));
    const task = { ...taskOf(request, origin), trust: await verifier.trust() };
    const results = await this.#parts.verification.evaluatePolicies(task, submission, now);
    const outcome = outcomeOf({ query: request.query, submission, results });
    return { ...outcome, ...(login && { login }) };
  }
}

/** What the ID token of a response must state: the same client and nonce as the presentations. */
const expectedOf = ({ clientId: audience = '', nonce, login }: SessionRequest) => ({
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
function unacceptedAlgorithms({ clientMetadata }: SessionRequest, { presentations }: Submission): string[] {
  const accepted = clientMetadata.vp_formats_supported;
  return presentations.flatMap(({ parsed, queryIds }) => {
    const { format } = parsed.credentials[0] ?? parsed;
    const isSigned = parsed.binding.kind !== 'none';
    const parts = [
      ...parsed.credentials.map(({ alg }) => ({ format, part: 'credential' as const, alg })),
      ...(isSigned ? [{ format, part: 'presentation' as const, alg: parsed.alg }] : []),
    ];
    return parts.every((part) => isAccepted(accepted, part)) ? [] : [`${queryIds[0] ?? ''}/${format}/algorithm-check`];
  });
}
