import type { KeyReference, PublicJwk } from '../../../ports/key-service.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import type { JsonObject } from '../../foundation/json.ts';

/** The members of a key reference of the wire besides `type`, `_publicKey` and `_keyType`. */
export interface ReadMembers {
  id: string;
  config: JsonObject;
  /** The position of `config` in the reference; some backends have its members at the top. */
  configAt: FieldPath;
  /** The public key, where the members themselves contain it. */
  publicJwk?: PublicJwk;
}

/** One key backend: its names and the shape of its references on the wire (interface: Issuer key reference object). */
export interface BackendRow {
  /** The product, for messages. */
  title: string;
  /** Every spelling that existing clients use; the first is the contract's (decisions §1). */
  /** How many tags a key may have; absent where keys have none. */
  maxTags?: number;
  spellings: readonly string[];
  /**
   * Reads the `config` of a request to create a key, in the form that references store.
   * @throws DomainError `BadRequest` naming members relative to `config`
   */
  readConfig(config: JsonObject): JsonObject;
  /** @throws DomainError `BadRequest` naming members relative to the reference */
  read(members: JsonObject): ReadMembers;
  /** The members of a reference of the wire besides `type`. */
  write(reference: KeyReference): JsonObject;
}
