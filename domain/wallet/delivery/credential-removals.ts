import type { Credentials } from '../../holdings/credentials.ts';
import type { CredentialGrants } from './credential-grants.ts';
import type { IssuerNotifications } from './issuer-notifications.ts';
import type { RenewedAccess } from './renewed-access.ts';

/** Removes credentials from wallets, and notifies their issuers (OpenID4VCI 1.0 §11.1), which nothing waits for. */
export class CredentialRemovals {
  constructor(
    private readonly parts: {
      credentials: Credentials;
      grants: CredentialGrants;
      notifications: IssuerNotifications;
      access: Pick<RenewedAccess, 'removeAll'>;
      /** Does work beside what its caller does; a failure is logged. */
      background: { once(name: string, work: () => Promise<void>): void };
    },
  ) {}

  /** As `Credentials.remove`; one that is only marked is still in the wallet. @throws DomainError `NotFound` */
  async remove(walletId: string, id: string, permanent: boolean): Promise<void> {
    await this.parts.credentials.remove(walletId, id, permanent);
    if (permanent) this.#notify(walletId, id);
  }

  /** As `Credentials.reject`. @throws DomainError `NotFound`, `Conflict` when it is not pending */
  async reject(walletId: string, id: string, note?: string): Promise<void> {
    await this.parts.credentials.reject(walletId, id, note);
    this.#notify(walletId, id);
  }

  /** Forgets what a wallet that is removed was granted. */
  async removeAll(walletId: string): Promise<void> {
    await this.parts.grants.removeAll(walletId);
    await this.parts.access.removeAll(walletId);
  }

  #notify(walletId: string, id: string): void {
    const { background, grants, notifications } = this.parts;
    background.once('notification of a removed credential', async () => {
      const reported = await grants.forget(walletId, id);
      if (reported) await notifications.notify(walletId, reported, 'credential_deleted');
    });
  }
}
