import { PeculiarCertificates } from '../../adapters/crypto/certificate-maker.ts';
import type { Issuer2Services } from '../../adapters/http/handlers/issuer2.ts';
import type { AttributeTables } from '../../domain/issuer/attributes/attribute-tables.ts';
import type { Recipients } from '../../domain/issuer/issued/recipients.ts';
import type { CredentialOffers } from '../../domain/issuer/offers/offers.ts';
import type { IssuerKeys } from '../../domain/issuer/onboarding/issuer-keys.ts';
import { DemoSigner } from '../../domain/issuer/profiles/demo-signer.ts';
import { ProfileOffers } from '../../domain/issuer/profiles/profile-offers.ts';
import { ProfileRequests } from '../../domain/issuer/profiles/profile-requests.ts';
import type { IssuanceSessionRepository } from '../../domain/issuer/sessions/session-repository.ts';
import type { Platform } from '../platform/platform.ts';

/** What is managed. */
interface Managed {
  offers: CredentialOffers;
  sessions: IssuanceSessionRepository;
  keys: IssuerKeys;
  recipients: Recipients;
  tables: AttributeTables;
}

/** The management of the issuers of OpenID4VCI 1.0. */
export function issuanceManagement(
  platform: Platform,
  { offers, sessions, keys: issuerKeys, recipients, tables }: Managed,
): Omit<Issuer2Services, 'watches'> {
  const demoSigner = new DemoSigner({ ...platform, maker: new PeculiarCertificates() });
  const requests = new ProfileRequests({ ...platform, issuerKeys, demoSigner });
  const profileOffers = new ProfileOffers({ requests, offers });
  return { profileOffers, demoSigner, sessions, recipients, tables, pages: platform.settings.pagination };
}
