import type { Handover } from '../credential-formats.ts';
import type { PublicJwk, Signer } from '../key-service.ts';

/** One document that is asked for, and its elements by namespace. */
export interface RequestedDocument {
  docType: string;
  elements: Readonly<Record<string, readonly string[]>>;
}

/** A page's call of the Digital Credentials API in the protocol `org-iso-mdoc`. */
export type MdocExchange = Extract<Handover, { kind: 'iso-dc-api' }>;

/** The key of a reader and its certificates, DER, leaf first. */
export interface ReaderKey {
  signer: Signer;
  chain: readonly Uint8Array[];
}

/** One document of a response. */
export interface ReceivedDocument {
  docType: string;
  /** A response with this document alone, as `mso_mdoc` presents it. */
  presentation: string;
}

/** Requests of the protocol `org-iso-mdoc` (ISO/IEC TS 18013-7:2025 annex C); everything on the wire is CBOR in base64url. */
export interface MdocRequests {
  /** The EncryptionInfo with the key that the response is to be encrypted to, P-256; `nonce` is random. */
  encryptionInfo(given: { nonce: Uint8Array; jwk: PublicJwk }): Promise<string>;
  /**
   * The DeviceRequest: of version 1.0, or signed by the reader for one exchange and of version 1.1.
   * @throws DomainError `BadRequest` for a key that no mdoc reader signs with, and as the signer
   */
  deviceRequest(
    documents: readonly RequestedDocument[],
    signed?: { reader: ReaderKey; exchange: MdocExchange },
  ): Promise<string>;
  /**
   * Decrypts an EncryptedResponse with the private JWK.
   * @throws DomainError `BadRequest` when it is none for this key and this exchange, or no response with documents
   */
  open(
    response: string,
    given: { exchange: MdocExchange; key: Readonly<Record<string, unknown>> },
  ): Promise<ReceivedDocument[]>;
}
