import { canSee } from '../access/permissions.ts';
import type { Principals } from '../access/principals.ts';
import { isTarget, type Target } from '../access/targets.ts';
import type { AuditChains } from './audit-chains.ts';
import { type AuditFacts, INSTALLATION, organizationOf, outcomeOf } from './audit-event.ts';

/** A call to record. */
export interface AuditedCall extends Pick<AuditFacts, 'action' | 'account' | 'source' | 'requestId' | 'parameters'> {
  /** As the path has it; recorded only when it is a target. */
  target: string;
}

/** A call whose beginning was recorded. */
export interface BegunCall {
  chain: Target;
  sequence: number;
}

/** How a call ended. */
interface CallEnd {
  /** The HTTP status. */
  status: number;
  /** Absent for a call that was refused before it was worked on. */
  begun: BegunCall | undefined;
  resource?: string;
  /** The account that logged in or tried to, when no account made the call. */
  account?: string;
}

/**
 * Records calls: an event before the work and one with its outcome, so that nothing is changed without an event, even
 * when the process is killed. What a caller may not see is recorded in the events of the installation, so that foreign
 * organizations and those that do not exist cost the same, and no caller writes into what belongs to others.
 */
export class AuditRecorder {
  /** How many calls were recorded by this process. */
  calls = 0;

  constructor(
    private readonly chains: AuditChains,
    private readonly principals: Principals,
  ) {}

  /** @throws DomainError `StoreUnavailable`: then the call must not be worked on */
  async begin(call: AuditedCall): Promise<BegunCall> {
    this.calls += 1;
    const chain = await this.#chainOf(call);
    const { sequence } = await this.chains.append(chain, { ...factsOf(call), outcome: 'begun' });
    return { chain, sequence };
  }

  /** @throws DomainError `StoreUnavailable`: then the call is an event that has begun and not ended */
  async end(call: AuditedCall, { status, begun, resource, account }: CallEnd): Promise<void> {
    const chain = begun?.chain ?? (await this.#chainOf(call));
    const facts = factsOf({ ...call, account: call.account || (account ?? '') });
    await this.chains.append(chain, {
      ...facts,
      outcome: outcomeOf(status),
      status,
      ...(begun && { begun: begun.sequence }),
      ...(resource !== undefined && resource !== facts.target && { resource }),
    });
  }

  async #chainOf({ account, target }: AuditedCall): Promise<Target> {
    if (account === '' || !isTarget(target)) return INSTALLATION;
    const organization = organizationOf(target);
    return canSee(await this.principals.rightsOf(account), organization) ? organization : INSTALLATION;
  }
}

const factsOf = ({ action, account, target, parameters, source, requestId }: AuditedCall) => ({
  action,
  target: isTarget(target) ? target : '',
  parameters,
  account,
  source,
  requestId,
});
