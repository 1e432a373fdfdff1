import { PeculiarCertificates } from '../adapters/crypto/certificate-maker.ts';
import { OwfCwtProofs } from '../adapters/formats/mdoc/cwt-proofs.ts';
import type { IssuerServices } from '../adapters/http/issuer.ts';
import type { Issuer2Services } from '../adapters/http/issuer2.ts';
import type { Openid4vciServices } from '../adapters/http/openid4vci.ts';
import { EventDelivery, RESUME_MS } from '../domain/events/delivery.ts';
import { EventWatches } from '../domain/events/event-watches.ts';
import { AuthorizationEndpoint } from '../domain/issuer/authorization-endpoint.ts';
import {
  AuthorizationRedemption,
  type AuthorizationRedemptionParts,
} from '../domain/issuer/authorization-redemption.ts';
import { CertificateOnboarding } from '../domain/issuer/certificate-onboarding.ts';
import { ContentReader } from '../domain/issuer/content-reader.ts';
import { CredentialBuilder } from '../domain/issuer/credential-builder.ts';
import { CredentialEndpoint } from '../domain/issuer/credential-endpoint.ts';
import { CredentialMaker } from '../domain/issuer/credential-maker.ts';
import { DeferredEndpoint } from '../domain/issuer/deferred-endpoint.ts';
import { DeferredIssuances } from '../domain/issuer/deferred-issuances.ts';
import { HolderProofs } from '../domain/issuer/holder-proofs.ts';
import { IssuanceContents } from '../domain/issuer/issuance-contents.ts';
import { IssuanceEvents } from '../domain/issuer/issuance-events.ts';
import { IssuedCopies } from '../domain/issuer/issued-copies.ts';
import { IssuerDids } from '../domain/issuer/issuer-dids.ts';
import { IssuerKeys } from '../domain/issuer/issuer-keys.ts';
import { ItemLeases } from '../domain/issuer/item-leases.ts';
import { NotificationEndpoint } from '../domain/issuer/notification-endpoint.ts';
import { CredentialOffers } from '../domain/issuer/offers.ts';
import { Onboarding } from '../domain/issuer/onboarding.ts';
import { EndpointNonces, GrantNonces } from '../domain/issuer/proof-nonces.ts';
import { RawSigning } from '../domain/issuer/raw-signing.ts';
import { IssuanceSessionRepository } from '../domain/issuer/session-repository.ts';
import { TokenEndpoint } from '../domain/issuer/token-endpoint.ts';
import { AccessTokens } from '../domain/oauth/access-tokens.ts';
import { AuthorizationCodes } from '../domain/oauth/authorization-codes.ts';
import { Authorizations } from '../domain/oauth/authorizations.ts';
import { Nonces } from '../domain/oauth/nonces.ts';
import { PushedRequests } from '../domain/oauth/pushed-requests.ts';
import { SingleUseNonces } from '../domain/oauth/single-use-nonces.ts';
import { draft13Issuer, v1Issuer } from './issuers.ts';
import type { Platform } from './platform.ts';

/** The issuer services, which serve any issuer, and the issuer of the open endpoints. */
export function issuerServices(platform: Platform): IssuerServices & Openid4vciServices & Issuer2Services {
  const sessions = new IssuanceSessionRepository(platform);
  const watches = new EventWatches({ ...platform, name: 'issuance' });
  const stored = watches.note.bind(watches);
  const delivery = new EventDelivery({
    ...platform,
    ...platform.settings.outbound.callbacks,
    name: 'issuance',
    stored,
  });
  platform.background.every(RESUME_MS, 'issuance events', () => delivery.resume());
  const events = new IssuanceEvents({ ...platform, delivery });
  const keys = new IssuerKeys(platform);
  const issuerDids = new IssuerDids(keys, platform.dids);
  const reader = new ContentReader({ ...platform, issuerDids, issuerKeys: keys });
  const codes = new AuthorizationCodes(platform);
  const tokens = new AccessTokens(platform);
  const proofNonces = new SingleUseNonces(platform);
  const nonces = {
    draft13: new GrantNonces({ ...platform, nonces: new Nonces(platform) }),
    v1: new EndpointNonces({ nonces: proofNonces }),
  };
  const contents = new IssuanceContents(platform);
  const leases = new ItemLeases({ ...platform, sessions, nonces });
  const proofs = new HolderProofs({ ...platform, cwts: new OwfCwtProofs() });
  const builder = new CredentialBuilder({ ...platform, statusEntries: platform.issuedLists.entries });
  const copies = new IssuedCopies(platform);
  const maker = new CredentialMaker({ contents, builder, copies, events });
  const deferrals = new DeferredIssuances(platform);
  return {
    issuer: draft13Issuer(platform),
    v1Issuer: v1Issuer(platform),
    onboarding: new Onboarding({ ...platform, issuers: keys }),
    certificateOnboarding: new CertificateOnboarding({ ...platform, maker: new PeculiarCertificates() }),
    offers: new CredentialOffers({ ...platform, reader, codes, contents, sessions, events }),
    tokenEndpoint: new TokenEndpoint({ ...platform, sessions, codes, tokens, nonces, events }),
    signing: new RawSigning({ ...platform, issuerDids, builder }),
    credentialEndpoint: new CredentialEndpoint({ ...platform, tokens, leases, proofs, maker, deferrals }),
    deferredEndpoint: new DeferredEndpoint({ ...platform, tokens, leases, deferrals, maker }),
    notificationEndpoint: new NotificationEndpoint({ tokens, sessions, copies, events }),
    ...codeFlow(platform, { sessions, tokens, events }),
    proofNonces,
    keys,
    watches,
  };
}

/** The services of the authorization code flow. */
function codeFlow(
  platform: Platform,
  shared: Pick<AuthorizationRedemptionParts, 'sessions' | 'tokens' | 'events'>,
): Pick<Openid4vciServices, 'authorizationEndpoint' | 'authorizationRedemption'> {
  const authorizations = new Authorizations(platform);
  const pushed = new PushedRequests(platform);
  return {
    authorizationEndpoint: new AuthorizationEndpoint({ ...shared, authorizations, pushed }),
    authorizationRedemption: new AuthorizationRedemption({ ...platform, ...shared, authorizations }),
  };
}
