import type { Target } from '../access/targets.ts';
import type { AuditChains } from './audit-chains.ts';
import { organizationOf } from './audit-event.ts';

/** What is recorded of the work for wallets, which no account calls for, and of what becomes of credentials. */
export type EntryAction = 'credentialIssued' | 'credentialStatusChanged' | 'presentationVerified';

/** Records what the services of tenants do for wallets, and statuses, in the chains of recorded calls. */
export class AuditEntries {
  constructor(private readonly chains: Pick<AuditChains, 'append'>) {}

  /** @throws DomainError `StoreUnavailable`: then the work must not be answered */
  async add(target: Target, action: EntryAction, parameters: Readonly<Record<string, string>>): Promise<void> {
    const withoutCaller = { account: '', source: '', requestId: '' };
    await this.chains.append(organizationOf(target), {
      outcome: 'succeeded',
      action,
      target,
      parameters,
      ...withoutCaller,
    });
  }
}
