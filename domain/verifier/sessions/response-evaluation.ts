import { isAccepted } from '../../presentation/vp-formats.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import type { Verification } from '../verification.ts';
import type { Submission } from '../verification-task.ts';
import type { SessionOutcome } from './outcome.ts';
import type { SessionRequest } from './session.ts';
import { handoverOf, taskOf } from './session-task.ts';
import { failedChecks, outcomeOf, presentedCredentials } from './verification-outcome.ts';

/** A response that was read. */
export interface ReadResponse {
  submission: Submission;
  /** The origin of the page, over the Digital Credentials API. */
  origin?: string;
}

/** Reads and evaluates the presentations of a session. */
export class ResponseEvaluation {
  readonly #verification: Verification;

  constructor({ verification }: { verification: Verification }) {
    this.#verification = verification;
  }

  /** @throws DomainError `BadRequest` when a presentation cannot be read */
  async read(
    request: SessionRequest,
    { vpToken, origin }: { vpToken: string; origin?: string },
  ): Promise<ReadResponse> {
    const task = taskOf(request, origin);
    const submission = await this.#verification.read(task, { vpToken, handover: handoverOf(request, origin) });
    return { submission, ...(origin !== undefined && { origin }) };
  }

  /** Checks everything that the session demands of a response. */
  async evaluate(
    verifier: Pick<PresentationVerifier, 'trust'>,
    request: SessionRequest,
    { submission, origin, now }: ReadResponse & { now: number },
  ): Promise<SessionOutcome> {
    const failed = unacceptedAlgorithms(request, submission);
    if (failed.length > 0)
      return {
        vpToken: submission.document,
        credentials: presentedCredentials(submission),
        failure: failedChecks(failed),
      };
    const task = { ...taskOf(request, origin), trust: await verifier.trust() };
    const results = await this.#verification.evaluatePolicies(task, submission, now);
    return outcomeOf({ policies: request.policies, query: request.query, task, submission, results });
  }
}

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
