import type { ContainerModuleLoadOptions } from 'inversify';
import type { WalletServices } from '../adapters/http/wallet.ts';
import { IssuanceClient } from '../domain/wallet/issuance-client.ts';
import { IssuerDirectory } from '../domain/wallet/issuer-directory.ts';
import { OfferRedemption } from '../domain/wallet/offer-redemption.ts';
import { PresentationClient } from '../domain/wallet/presentation-client.ts';
import { PresentationRequests } from '../domain/wallet/presentation-request.ts';
import { type RegistrationDefaults, readRegistrationDefaults, WalletSetup } from '../domain/wallet/setup.ts';
import { WalletCredentials } from '../domain/wallet/wallet-credentials.ts';
import { WalletDids } from '../domain/wallet/wallet-dids.ts';
import { WalletKeys } from '../domain/wallet/wallet-keys.ts';
import { AccountsT, WalletProvisionerT } from './accounts.ts';
import {
  ClockT,
  DidResolverT,
  FormatsT,
  IdsT,
  JsonPathsT,
  JsonSchemasT,
  KeyRingT,
  OutboundT,
  SettingsT,
  SignaturesT,
  StoreT,
} from './tokens.ts';
import { provide, token } from './wire.ts';

/** What the handlers of the document `wallet` need. */
export const WalletServicesT = token<WalletServices>('wallet-services');
const StartingKitT = token<RegistrationDefaults>('starting-kit');
const WalletKeysT = token<WalletKeys>('wallet-keys');
const WalletDidsT = token<WalletDids>('wallet-dids');
const WalletCredentialsT = token<WalletCredentials>('wallet-credentials');
const IssuerDirectoryT = token<IssuerDirectory>('issuer-directory');
const IssuanceClientT = token<IssuanceClient>('issuance-client');
const OffersT = token<OfferRedemption>('offers');
const PresentationRequestsT = token<PresentationRequests>('presentation-requests');
const PresentationsT = token<PresentationClient>('presentations');

/** The wallet as holder: keys, DIDs, credentials and their exchange. */
export function walletModule(o: ContainerModuleLoadOptions): void {
  provideHoldings(o);
  provideExchange(o);
  provide(
    o,
    WalletServicesT,
    (access, keys, dids, credentials, offers, issuers, presentations) => {
      return { access, keys, dids, credentials, offers, issuers, presentations };
    },
    AccountsT,
    WalletKeysT,
    WalletDidsT,
    WalletCredentialsT,
    OffersT,
    IssuerDirectoryT,
    PresentationsT,
  );
}

function provideHoldings(o: ContainerModuleLoadOptions): void {
  provide(o, StartingKitT, ({ registrationDefaults }) => readRegistrationDefaults(registrationDefaults), SettingsT);
  provide(
    o,
    WalletKeysT,
    (store, ring, settings) => new WalletKeys(store, ring, settings.keyGenerationDefaults),
    StoreT,
    KeyRingT,
    SettingsT,
  );
  provide(
    o,
    WalletDidsT,
    (store, keys, ring, { defaultKeyConfig }) => new WalletDids(store, keys, ring, defaultKeyConfig),
    StoreT,
    WalletKeysT,
    KeyRingT,
    StartingKitT,
  );
  provide(
    o,
    WalletCredentialsT,
    (store, formats, clock) => new WalletCredentials(store, formats, clock),
    StoreT,
    FormatsT,
    ClockT,
  );
  provide(
    o,
    WalletProvisionerT,
    (store, keys, dids, kit) => new WalletSetup(store, keys, dids, kit),
    StoreT,
    WalletKeysT,
    WalletDidsT,
    StartingKitT,
  );
}

function provideExchange(o: ContainerModuleLoadOptions): void {
  provide(o, IssuerDirectoryT, (outbound) => new IssuerDirectory(outbound), OutboundT);
  provide(
    o,
    IssuanceClientT,
    (outbound, directory, formats, clock) => new IssuanceClient(outbound, directory, formats, clock),
    OutboundT,
    IssuerDirectoryT,
    FormatsT,
    ClockT,
  );
  provide(
    o,
    OffersT,
    (dids, credentials, client, formats, resolver, outbound, clock) =>
      new OfferRedemption({ dids, credentials, client, formats, resolver }, outbound, clock),
    WalletDidsT,
    WalletCredentialsT,
    IssuanceClientT,
    FormatsT,
    DidResolverT,
    OutboundT,
    ClockT,
  );
  provide(
    o,
    PresentationRequestsT,
    (outbound, resolver, signatures, clock) => new PresentationRequests(outbound, { resolver, signatures, clock }),
    OutboundT,
    DidResolverT,
    SignaturesT,
    ClockT,
  );
  provide(
    o,
    PresentationsT,
    (dids, credentials, requests, paths, schemas, formats, clock, ids, outbound) =>
      new PresentationClient(
        { dids, credentials, requests, matching: { paths, schemas, formats }, clock, ids },
        outbound,
      ),
    WalletDidsT,
    WalletCredentialsT,
    PresentationRequestsT,
    JsonPathsT,
    JsonSchemasT,
    FormatsT,
    ClockT,
    IdsT,
    OutboundT,
  );
}
