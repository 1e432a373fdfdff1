import { OwfMdocReader } from '../../adapters/formats/mdoc/mdoc-reader.ts';
import type { WalletRecordServices } from '../../adapters/http/handlers/wallet/records.ts';
import type { WalletServices } from '../../adapters/http/handlers/wallet/services.ts';
import { WalletSettings } from '../../domain/holdings/wallet-settings.ts';
import { TypeMetadata } from '../../domain/wallet/issuance/type-metadata.ts';
import { WalletIssuers } from '../../domain/wallet/issuance/wallet-issuers.ts';
import type { Platform } from '../platform/platform.ts';

/** What happened in wallets and what their users set up. */
export const walletRecords = (platform: Platform, { issuers }: WalletServices): WalletRecordServices => ({
  settings: new WalletSettings(platform),
  walletIssuers: new WalletIssuers(platform, issuers),
  types: new TypeMetadata(platform.outbound),
  mdocs: new OwfMdocReader(),
});
