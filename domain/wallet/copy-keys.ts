import type { KeyReference } from '../../ports/key-service.ts';
import { didJwk, didKey, verificationMethod } from '../dids/did-methods.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import type { SigningDid } from '../holdings/dids.ts';
import { KEY_TYPES } from '../jose/key-types.ts';
import type { KeyBackends } from '../keys/key-backends.ts';

/** The key of one copy of a credential; plain JSON, a secret. */
export interface CopyKey {
  key: KeyReference;
  /** The DID that contains it. */
  holder: string;
}

/** The keys that are created, the first whose proofs the issuer takes. */
const KEY_CHOICE = ['secp256r1', 'Ed25519', 'secp384r1'] as const;

/** Makes a key for each copy of a credential, which the wallet keeps with the copy. */
export function makeCopyKeys(
  keys: Pick<KeyBackends, 'create'>,
  { configuration, count }: { configuration: JsonObject; count: number },
): Promise<CopyKey[]> {
  const algorithms = proofAlgorithms(configuration);
  const takes = (name: (typeof KEY_CHOICE)[number]) => algorithms.includes(KEY_TYPES[name].alg);
  const keyType = KEY_CHOICE.find(takes) ?? KEY_CHOICE[0];
  const methods = asList(configuration.cryptographic_binding_methods_supported);
  const didOf = methods.includes('did:key') && !methods.includes('did:jwk') ? didKey : didJwk;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const key = await keys.create('jwk', { keyType });
      return { key, holder: didOf(key.publicJwk) };
    }),
  );
}

/** Signs as the holder of a copy. */
export const signingCopy = (keys: Pick<KeyBackends, 'signer'>, { key, holder }: CopyKey): SigningDid => ({
  did: holder,
  kid: verificationMethod(holder, key.publicJwk),
  signer: keys.signer(key),
});

/** The algorithms of signed proofs that an issuer takes (OpenID4VCI 1.0 §12.2.4). */
function proofAlgorithms({ proof_types_supported: types }: JsonObject): string[] {
  const { jwt } = isObject(types) ? types : {};
  return asList(isObject(jwt) ? jwt.proof_signing_alg_values_supported : undefined).filter(isText);
}
