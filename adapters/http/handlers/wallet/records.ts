import type { WalletSettings } from '../../../../domain/holdings/wallet-settings.ts';
import type { TypeMetadata } from '../../../../domain/wallet/issuance/type-metadata.ts';
import type { WalletIssuers } from '../../../../domain/wallet/issuance/wallet-issuers.ts';
import type { MdocReader } from '../../../../ports/mdoc-reader.ts';

/** What the handlers of settings and issuers need. */
export interface WalletRecordServices {
  settings: WalletSettings;
  walletIssuers: WalletIssuers;
  types: TypeMetadata;
  mdocs: MdocReader;
}
