import type { Credentials } from '../../domain/holdings/credentials.ts';
import type { Dids } from '../../domain/holdings/dids.ts';
import type { CredentialGrants } from '../../domain/wallet/delivery/credential-grants.ts';
import { CredentialRemovals } from '../../domain/wallet/delivery/credential-removals.ts';
import { CredentialRenewals } from '../../domain/wallet/delivery/credential-renewals.ts';
import { DUE_EVERY_MS } from '../../domain/wallet/delivery/due-marks.ts';
import type { IssuerNotifications } from '../../domain/wallet/delivery/issuer-notifications.ts';
import type { RenewedAccess } from '../../domain/wallet/delivery/renewed-access.ts';
import type { IssuanceClient } from '../../domain/wallet/issuance/issuance-client.ts';
import type { IssuerDirectory } from '../../domain/wallet/issuance/issuer-directory.ts';
import type { OfferRedemption } from '../../domain/wallet/issuance/offer-redemption.ts';
import type { Platform } from '../platform/platform.ts';

/** What is done with what issuers granted, after the credentials are in wallets. */
export function grantedServices(
  { clock, timers, activity, background }: Platform,
  parts: {
    grants: CredentialGrants;
    access: RenewedAccess;
    directory: IssuerDirectory;
    client: IssuanceClient;
    offers: OfferRedemption;
    notifications: IssuerNotifications;
    credentials: Credentials;
    dids: Dids;
  },
) {
  const renewals = new CredentialRenewals({ ...parts, of: async () => parts, clock, timers, activity });
  background.every(DUE_EVERY_MS, 'renewal of credentials', () => renewals.resume());
  return { renewals, removals: new CredentialRemovals({ ...parts, background }) };
}
