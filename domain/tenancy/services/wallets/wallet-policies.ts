import type { ParsedCredential } from '../../../../ports/credential-formats.ts';
import type { Log } from '../../../../ports/log.ts';
import { asConflict, DomainError } from '../../../foundation/errors.ts';
import type { ActivityRecorder } from '../../../holdings/activity.ts';
import type { ExchangePolicies } from '../../../holdings/holder.ts';
import { compileRules, type Direction, type Judgement, judge } from '../../../holdings/policies/holder-policies.ts';
import type { QueryPorts } from '../../../presentation/matching/compiled-query.ts';
import { RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { ResourceRepository } from '../../tree/resource-repository.ts';
import { isOfHolder } from '../policy-store.ts';
import { allChildren } from '../stored-children.ts';
import { ownerOf, type TenantService, type TenantServices } from '../tenant-services.ts';

export interface WalletPolicyParts {
  repository: ResourceRepository;
  services: Pick<TenantServices, 'dependenciesOf'>;
  queries: QueryPorts;
  activity: ActivityRecorder;
  log: Log;
}

/** The most policies that one exchange is judged by. */
const MOST = 100;

/** The policies of a wallet of a tenant: all those of holders in the policy stores that it depends on, in every exchange. */
export class WalletPolicies implements ExchangePolicies {
  constructor(
    private readonly parts: WalletPolicyParts,
    private readonly service: TenantService,
    /** Whether a policy must allow what passes, because no person agreed to the exchange. */
    private readonly isUnattended: boolean,
  ) {}

  /** @throws DomainError `Forbidden` naming the policy as `policy`, `Conflict` for policies that no longer work or are too many */
  async require(direction: Direction, credentials: readonly ParsedCredential[]): Promise<void> {
    const rules = await compileRules(await this.#policies(), direction, this.parts.queries).catch(asConflict);
    const { isUnattended } = this;
    const judgement = judge(rules, credentials, { isUnattended });
    await this.#record(direction, credentials, judgement);
    const { refusal } = judgement;
    if (!refusal) return;
    const { policy } = refusal;
    const reason = policy === undefined ? 'no policy allows one of the credentials' : `${policy} blocks it`;
    throw new DomainError('Forbidden', `The policies of the wallet refuse this exchange: ${reason}`, {
      extra: { ...(policy !== undefined && { policy }) },
    });
  }

  async #policies() {
    const { services, repository } = this.parts;
    const stores = await services.dependenciesOf(this.service, 'policy-store');
    const each = await Promise.all(stores.map((store) => allChildren(repository, RESOURCE_KINDS.policies, store)));
    const found = each.flat().flatMap(({ _id: name, policy }) => (isOfHolder(policy) ? { ...policy, name } : []));
    if (found.length > MOST)
      throw new DomainError(
        'Conflict',
        `The policy stores of ${this.service.target} have more than ${MOST} policies of holders`,
      );
    return found;
  }

  /** Notes each decision in the log and in the activity of the wallet, with its policy, or without one where none allows. */
  async #record(direction: Direction, credentials: readonly ParsedCredential[], { decisions, refusal }: Judgement) {
    const { activity, log } = this.parts;
    const { target: wallet } = this.service;
    const unallowed = refusal && refusal.policy === undefined ? ({ action: 'BLOCK' } as const) : undefined;
    for (const [index, decided] of decisions.entries()) {
      const decision: Partial<typeof decided> = decided ?? unallowed;
      if (!decision) continue;
      const { format, type: credentialType } = credentials[index] ?? {};
      const data = { direction, format, credentialType, ...decision };
      log.info('policy of a holder decided', { wallet, ...data });
      const action = decision.action === 'ALLOW' ? 'Accept' : 'Reject';
      await activity.record(ownerOf(this.service), { event: 'Credential', action, data, originator: decision.policy });
    }
  }
}
