import { type ErrorCode, isDomainError } from '../../foundation/errors.ts';
import type { PolicyRequest } from '../protocol.ts';
import type { PolicyCode } from './codes.ts';
import {
  failed,
  type Policy,
  type PolicyContext,
  type PolicyOutcome,
  type PolicyResult,
  STAGES,
  type Subject,
} from './policy.ts';
import { findPolicy, type PolicyLookup } from './table.ts';

/** Policies to run on one subject. */
interface PolicyRun {
  requests: readonly PolicyRequest[];
  subject: Subject;
  context: PolicyContext;
  /** The name of a policy that failed for the same subject elsewhere. */
  blocker?: Promise<string | undefined>;
  /** In the table of policies when absent. */
  find?: PolicyLookup;
}

/**
 * Runs policies, and returns every outcome in the order of the requests. Those of one stage run at the same time. A
 * policy is not run, and has failed, when one of an earlier stage or one that it depends on failed; one that throws has
 * failed and ends no other.
 */
export async function runPolicies(run: PolicyRun): Promise<PolicyResult[]> {
  const { requests, blocker: before, find = findPolicy } = run;
  const runner = new Runner(run);
  const outcomes: PolicyOutcome[] = [];
  for (const stage of STAGES) {
    const ofStage = [...requests.entries()].filter(([, { policy }]) => (find(policy)?.stage ?? STAGES[0]) === stage);
    if (ofStage.length === 0) continue;
    const failure = requests.find((_request, index) => outcomes[index]?.isSuccess === false)?.policy;
    const blocker = failure ?? (stage === STAGES[0] ? undefined : await before);
    const evaluated = ofStage.map(async ([index, request]) => {
      outcomes[index] = blocker === undefined ? await runner.run(request) : notRun(blocker);
    });
    await Promise.all(evaluated);
  }
  return requests.map((request, index) => resultOf(request, outcomes[index] ?? failed('internal-error'), find));
}

/** The line of a result; of the argument only what may be shown. */
export function resultOf(
  request: PolicyRequest & { description?: string },
  outcome: PolicyOutcome,
  find: PolicyLookup = findPolicy,
): PolicyResult {
  const policy = find(request.policy);
  const { policy: name, list, description = policy?.description ?? '' } = request;
  const { isSuccess, ...rest } = outcome;
  const line = { policy: name, ...(list && { list }), description, is_success: isSuccess, ...rest };
  return request.args === undefined ? line : { ...line, args: policy?.showArgs(request.args) };
}

const notRun = (blocker: string): PolicyOutcome =>
  failed('not-run', { reason: `Not run, because the policy ${blocker} failed` });

/** Runs policies on one subject; each that others depend on is evaluated once for them. */
class Runner {
  readonly #subject: Subject;
  readonly #context: PolicyContext;
  readonly #find: PolicyLookup;
  readonly #required = new Map<string, Promise<PolicyOutcome>>();

  constructor({ subject, context, find = findPolicy }: PolicyRun) {
    this.#subject = subject;
    this.#context = context;
    this.#find = find;
  }

  async run(request: PolicyRequest): Promise<PolicyOutcome> {
    const policy = this.#find(request.policy);
    if (!policy) return failed('internal-error', { reason: 'There is no such policy' });
    for (const name of policy.dependsOn) {
      const { isSuccess } = await this.#require(name);
      if (!isSuccess) return notRun(name);
    }
    return this.#attempt(policy, request);
  }

  #require(name: string): Promise<PolicyOutcome> {
    const known = this.#required.get(name);
    if (known) return known;
    const outcome = this.run({ policy: name });
    this.#required.set(name, outcome);
    return outcome;
  }

  async #attempt(policy: Policy, { policy: name, args }: PolicyRequest): Promise<PolicyOutcome> {
    try {
      return await policy.run(this.#subject, { ...this.#context, args });
    } catch (error) {
      if (isDomainError(error)) return failed(CODES[error.code] ?? 'undetermined', { reason: error.message });
      this.#context.log.error('A policy failed unexpectedly', { policy: name, error: String(error) });
      return failed('internal-error');
    }
  }
}

/** The codes of errors that are not about what was presented. */
const CODES: Partial<Record<ErrorCode, PolicyCode>> = {
  AddressRefused: 'unreachable',
  UpstreamFailed: 'unreachable',
  UpstreamTimeout: 'unreachable',
  StatusRetrieval: 'unreachable',
  StatusRetrievalTimeout: 'unreachable',
  Busy: 'unreachable',
};
