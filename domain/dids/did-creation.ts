import type { KeyType, PublicJwk, Signer } from '../../ports/key-service.ts';
import type { JsonObject } from '../foundation/json.ts';

/** A DID to create, before its key exists. */
export interface DidPlan {
  method: string;
  keyType: KeyType;
  /** The options of the method. */
  config?: JsonObject;
}

/** The key of a new DID. Its signature is needed only where a network registers the DID. */
export interface DidKey {
  publicJwk: PublicJwk;
  signer(): Signer | Promise<Signer>;
}

/** A DID with its document. */
export interface CreatedDid {
  did: string;
  document: JsonObject;
}

/** Creates a DID whose request was checked. @throws DomainError `UpstreamFailed`, `UpstreamTimeout`, `BadRequest` of a registrar */
export type DidCreation = (key: DidKey) => Promise<CreatedDid>;
