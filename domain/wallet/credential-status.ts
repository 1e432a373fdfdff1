import type { CredentialStatus, CredentialStatuses } from '../credentials/credential-status.ts';
import { DomainError } from '../foundation/errors.ts';
import type { Credentials } from '../holdings/credentials.ts';

/** Looks up the status of the credentials of wallets. */
export class HeldCredentialStatus {
  constructor(private readonly parts: { credentials: Credentials; statuses: Pick<CredentialStatuses, 'lookUp'> }) {}

  /** @throws DomainError `NotFound`, `BadRequest` for a credential that cannot be parsed, and as `CredentialStatuses.lookUp` */
  async of(owner: string, id: string): Promise<CredentialStatus[]> {
    const { parsed } = await this.parts.credentials.get(owner, id);
    if (!parsed) throw new DomainError('BadRequest', 'The credential cannot be parsed, so its status is unknown');
    return this.parts.statuses.lookUp(parsed);
  }
}
