import type { Issuer2Services } from '../adapters/http/issuer2.ts';
import type { CredentialOffers } from '../domain/issuer/offers/offers.ts';
import type { IssuerKeys } from '../domain/issuer/onboarding/issuer-keys.ts';
import { readProfiles } from '../domain/issuer/profiles/configured-profiles.ts';
import { ProfileOffers } from '../domain/issuer/profiles/profile-offers.ts';
import { ProfileRequests } from '../domain/issuer/profiles/profile-requests.ts';
import type { SessionReports } from '../domain/issuer/sessions/session-reports.ts';
import type { IssuanceSessionRepository } from '../domain/issuer/sessions/session-repository.ts';
import type { PublicJwk } from '../ports/key-service.ts';
import { v1Issuer } from './issuers.ts';
import type { Platform } from './platform.ts';

/** What is managed. */
interface Managed {
  offers: CredentialOffers;
  sessions: IssuanceSessionRepository;
  reports: SessionReports;
  keys: IssuerKeys;
}

/** The management of the issuer of OpenID4VCI 1.0. @throws Error naming the field of issuer2-profiles.conf that is wrong */
export function issuanceManagement(
  platform: Platform,
  { offers, sessions, reports, keys }: Managed,
): Omit<Issuer2Services, 'watches'> {
  const { settings, formats } = platform;
  const final = v1Issuer(platform);
  const { securityProfile } = settings.issuerMetadata;
  const profiles = readProfiles(settings.issuer2Profiles, {
    issuer: final,
    formats,
    securityProfile,
    hasLoginServer: settings.authenticationService.server !== undefined,
  });
  const publish = (jwk: PublicJwk) => keys.addOfProfile(final, jwk);
  const requests = new ProfileRequests({ ...platform, publish });
  const profileOffers = new ProfileOffers({ profiles, requests, offers, reports });
  return { v1Issuer: final, profileOffers, sessions, pages: settings.pagination };
}
