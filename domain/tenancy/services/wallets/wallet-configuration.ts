import type { KeyReference } from '../../../../ports/key-service.ts';
import { containsKey, didJwk, publicKeyOfDid } from '../../../dids/did-methods.ts';
import { at, invalidField } from '../../../foundation/errors.ts';
import type { JsonObject } from '../../../foundation/json.ts';
import { thumbprint } from '../../../jose/jwk.ts';
import type { KeyBackends } from '../../../keys/key-backends.ts';
import type { Target } from '../../access/targets.ts';

/** The configuration of a service of the type `wallet2`. */
export interface WalletConfiguration {
  /** What the wallet is called by authorization servers; its URL when absent. */
  clientId?: string;
  /** A serialized private key of this service alone. */
  staticKey?: JsonObject;
  /** A DID that contains that key. */
  staticDid?: string;
  /** The target of the key that it uses when a call names none. */
  defaultKeyId?: Target;
  /** The DID, or its target, that it uses when a call names neither. */
  defaultDidId?: string;
}

/** A key that is no key of a key management service, with its DID. */
export interface StaticKey {
  reference: KeyReference;
  did: string;
}

/** The key of a configuration. @throws DomainError `BadRequest` naming `staticKey` or `staticDid` */
export async function staticKeyOf(
  { staticKey, staticDid }: WalletConfiguration,
  keys: Pick<KeyBackends, 'read'>,
): Promise<StaticKey | undefined> {
  if (staticKey === undefined) {
    if (staticDid !== undefined) throw invalidField(['staticDid'], 'goes together with staticKey');
    return undefined;
  }
  if (staticKey.type !== 'jwk') throw invalidField(['staticKey', 'type'], 'must be jwk');
  const reference = await at(['staticKey'], () => keys.read(staticKey));
  const { publicJwk } = reference;
  if (staticDid !== undefined && !isDidOf(staticDid, thumbprint(publicJwk)))
    throw invalidField(['staticDid'], 'must be a did:jwk or did:key of staticKey');
  return { reference, did: staticDid ?? didJwk(publicJwk) };
}

/** Whether a DID contains the key with this thumbprint. */
export const isDidOf = (did: string, id: string): boolean => containsKey(did) && thumbprint(publicKeyOfDid(did)) === id;
