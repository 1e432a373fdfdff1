import type { IssuerServices } from '../adapters/http/issuer.ts';
import { readConfigurations } from '../domain/issuer/configurations.ts';
import { CredentialBuilder } from '../domain/issuer/credential-builder.ts';
import { CredentialEndpoint } from '../domain/issuer/credential-endpoint.ts';
import { IssuanceEvents } from '../domain/issuer/events.ts';
import { HolderProofs } from '../domain/issuer/holder-proofs.ts';
import { IssuerDids } from '../domain/issuer/issuer-dids.ts';
import { IssuerKeys } from '../domain/issuer/issuer-keys.ts';
import { IssuerMetadata, issuerIdentifier } from '../domain/issuer/metadata.ts';
import { CredentialOffers } from '../domain/issuer/offers.ts';
import { Onboarding } from '../domain/issuer/onboarding.ts';
import { readOwnIssuers } from '../domain/issuer/own-issuers.ts';
import { IssuanceSessionRepository } from '../domain/issuer/session-repository.ts';
import { TokenEndpoint } from '../domain/issuer/token-endpoint.ts';
import type { Platform } from './platform.ts';

/** The issuer: onboarding, offers and their redemption. */
export function issuerServices(platform: Platform): IssuerServices {
  const { publicUrl, issuerMetadata } = platform.settings;
  const issuer = issuerIdentifier(publicUrl);
  const configurations = readConfigurations(issuerMetadata.supportedCredentialTypes, platform.formats);
  const sessions = new IssuanceSessionRepository(platform);
  const events = new IssuanceEvents(platform.outbound, platform.log, platform.formats);
  const keys = new IssuerKeys({ ...platform, configured: readOwnIssuers(issuerMetadata.issuers) });
  const issuerDids = new IssuerDids(keys, platform.dids);
  const proofs = new HolderProofs(platform);
  const maker = new CredentialBuilder(platform);
  return {
    onboarding: new Onboarding(platform.keys, platform.ids, keys),
    offers: new CredentialOffers({ ...platform, issuer, configurations, issuerDids, sessions, events }),
    tokens: new TokenEndpoint({ ...platform, sessions, events }),
    issuance: new CredentialEndpoint({ ...platform, issuer, sessions, proofs, maker, events }),
    keys,
    metadata: new IssuerMetadata({ publicUrl, display: issuerMetadata.issuerDisplay, configurations }),
  };
}
