import type { ExchangeRequest, SessionRequest, VerificationTask } from '../protocol.ts';
import { withoutFilters } from './draft20-results.ts';
import { handleOf } from './handles.ts';
import type { PresentedCredential, V1Outcome } from './outcome.ts';
import type { EvaluationTools, ReadResponse } from './rules.ts';
import type { Submission } from './submission.ts';
import * as v1Evaluation from './v1-evaluation.ts';
import { outcomeOf } from './v1-outcome.ts';
import * as v1Purge from './v1-purge.ts';

/** What the response of a session is verified against: as for DCQL, but for the definition in place of the query. */
export const taskOf = (request: ExchangeRequest): VerificationTask => ({
  ...v1Evaluation.taskOf(request, undefined),
  query: { language: 'presentation-exchange', definition: request.definition },
});

/** Which algorithms are accepted the definition itself says, by its formats. */
export async function evaluate(
  { request, submission }: ReadResponse<'exchange'>,
  { policies, formats }: EvaluationTools,
): Promise<V1Outcome> {
  const outcome = outcomeOf({ query: request.query, submission, results: await policies(), formats });
  return {
    ...outcome,
    vpToken: { ...submission.document, vp_token: submission.token },
    credentials: byDescriptor(submission),
  };
}

/**
 * The presented credentials by their descriptors: one presentation may have several, each for another descriptor. Their
 * claims are what the paths of the definition select in.
 */
const byDescriptor = ({ matches, credentials }: Submission): Record<string, PresentedCredential[]> =>
  Object.fromEntries(
    matches
      .filter((match) => match.credentials.length > 0)
      .map((match) => [
        match.queryId,
        match.credentials.flatMap((index) => {
          const found = credentials[index];
          return found ? { ...handleOf(found), claims: found.claims } : [];
        }),
      ]),
  );

/** A request without the values that it asked for, which reveal what was presented. */
export const withoutValues = (request: SessionRequest<'exchange'>): SessionRequest<'exchange'> => ({
  ...v1Purge.withoutValues(request),
  definition: withoutFilters(request.definition),
});
