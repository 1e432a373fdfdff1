import type { ContainerModuleLoadOptions } from 'inversify';
import type { IssuerServices } from '../adapters/http/issuer.ts';
import { type CredentialConfigurations, readConfigurations } from '../domain/issuer/configurations.ts';
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
import {
  CertificatesT,
  ClockT,
  DidResolverT,
  FormatsT,
  IdsT,
  KeyRingT,
  LogT,
  MetricsT,
  OutboundT,
  RandomT,
  ServerKeysT,
  SettingsT,
  SignaturesT,
  StoreT,
  TimersT,
} from './tokens.ts';
import { provide, token } from './wire.ts';

/** What the handlers of the document `issuer` need. */
export const IssuerServicesT = token<IssuerServices>('issuer-services');
const ConfigurationsT = token<CredentialConfigurations>('credential-configurations');
const IssuanceSessionsT = token<IssuanceSessionRepository>('issuance-sessions');
const IssuanceEventsT = token<IssuanceEvents>('issuance-events');
const IssuerDidsT = token<IssuerDids>('issuer-dids');
const IssuerKeysT = token<IssuerKeys>('issuer-keys');
const OnboardingT = token<Onboarding>('onboarding');
const IssuerOffersT = token<CredentialOffers>('issuer-offers');
const IssuanceTokensT = token<TokenEndpoint>('issuance-tokens');
const HolderProofsT = token<HolderProofs>('holder-proofs');
const CredentialMakerT = token<CredentialBuilder>('credential-maker');
const IssuanceT = token<CredentialEndpoint>('issuance');
const IssuerMetadataT = token<IssuerMetadata>('issuer-metadata');

/** The issuer: onboarding, offers and their redemption. */
export function issuerModule(o: ContainerModuleLoadOptions): void {
  provideSessions(o);
  provideOffering(o);
  provideRedemption(o);
  provide(
    o,
    IssuerServicesT,
    (onboarding, offers, tokens, issuance, keys, metadata) => {
      return { onboarding, offers, tokens, issuance, keys, metadata };
    },
    OnboardingT,
    IssuerOffersT,
    IssuanceTokensT,
    IssuanceT,
    IssuerKeysT,
    IssuerMetadataT,
  );
}

function provideSessions(o: ContainerModuleLoadOptions): void {
  provide(
    o,
    ConfigurationsT,
    (settings, formats) => readConfigurations(settings.issuerMetadata.supportedCredentialTypes, formats),
    SettingsT,
    FormatsT,
  );
  provide(
    o,
    IssuanceSessionsT,
    (store, clock, metrics) => new IssuanceSessionRepository({ store, clock, metrics }),
    StoreT,
    ClockT,
    MetricsT,
  );
  provide(
    o,
    IssuanceEventsT,
    (outbound, log, formats) => new IssuanceEvents(outbound, log, formats),
    OutboundT,
    LogT,
    FormatsT,
  );
  provide(
    o,
    IssuerKeysT,
    (store, serverKeys, { issuerMetadata: { issuers } }, log) =>
      new IssuerKeys({ store, serverKeys, configured: readOwnIssuers(issuers), log }),
    StoreT,
    ServerKeysT,
    SettingsT,
    LogT,
  );
  provide(
    o,
    IssuerMetadataT,
    ({ publicUrl, issuerMetadata: { issuerDisplay: display } }, configurations) =>
      new IssuerMetadata({ publicUrl, display, configurations }),
    SettingsT,
    ConfigurationsT,
  );
}

function provideOffering(o: ContainerModuleLoadOptions): void {
  provide(o, OnboardingT, (keys, ids, issuers) => new Onboarding(keys, ids, issuers), KeyRingT, IdsT, IssuerKeysT);
  provide(o, IssuerDidsT, (issuers, resolver) => new IssuerDids(issuers, resolver), IssuerKeysT, DidResolverT);
  provide(
    o,
    IssuerOffersT,
    ({ publicUrl }, configurations, keys, certificates, issuerDids, sessions, events, clock, ids, random) => {
      const issuer = issuerIdentifier(publicUrl);
      return new CredentialOffers({
        issuer,
        configurations,
        keys,
        certificates,
        issuerDids,
        sessions,
        events,
        clock,
        ids,
        random,
      });
    },
    SettingsT,
    ConfigurationsT,
    KeyRingT,
    CertificatesT,
    IssuerDidsT,
    IssuanceSessionsT,
    IssuanceEventsT,
    ClockT,
    IdsT,
    RandomT,
  );
}

function provideRedemption(o: ContainerModuleLoadOptions): void {
  provide(
    o,
    IssuanceTokensT,
    (sessions, events, clock, random) => new TokenEndpoint({ sessions, events, clock, random }),
    IssuanceSessionsT,
    IssuanceEventsT,
    ClockT,
    RandomT,
  );
  provide(
    o,
    HolderProofsT,
    (dids, signatures, clock) => new HolderProofs({ dids, signatures, clock }),
    DidResolverT,
    SignaturesT,
    ClockT,
  );
  provide(
    o,
    CredentialMakerT,
    (keys, formats, outbound, clock, ids) => new CredentialBuilder({ keys, formats, outbound, clock, ids }),
    KeyRingT,
    FormatsT,
    OutboundT,
    ClockT,
    IdsT,
  );
  provide(
    o,
    IssuanceT,
    ({ publicUrl }, sessions, proofs, maker, events, clock, timers, ids, random) => {
      const issuer = issuerIdentifier(publicUrl);
      return new CredentialEndpoint({ issuer, sessions, proofs, maker, events, clock, timers, ids, random });
    },
    SettingsT,
    IssuanceSessionsT,
    HolderProofsT,
    CredentialMakerT,
    IssuanceEventsT,
    ClockT,
    TimersT,
    IdsT,
    RandomT,
  );
}
