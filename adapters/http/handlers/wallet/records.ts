import type { WalletSettings } from '../../../../domain/holdings/wallet-settings.ts';
import type { TypeMetadata } from '../../../../domain/wallet/issuance/type-metadata.ts';
import type { WalletIssuers } from '../../../../domain/wallet/issuance/wallet-issuers.ts';

/** Reads mdocs (ISO 18013-5). */
interface MdocReader {
  /**
   * Returns an IssuerSigned, a Document, a DeviceResponse or a MobileSecurityObject as JSON: maps as objects, byte
   * strings in base64url, dates as ISO 8601, embedded CBOR decoded. Nothing is verified.
   * @throws DomainError `BadRequest` for anything else, and for CBOR that is too large, too deep or has too many items
   */
  parse(bytes: Uint8Array): Promise<Record<string, unknown>>;
}

/** What the handlers of settings and issuers need. */
export interface WalletRecordServices {
  settings: WalletSettings;
  walletIssuers: WalletIssuers;
  types: TypeMetadata;
  mdocs: MdocReader;
}
