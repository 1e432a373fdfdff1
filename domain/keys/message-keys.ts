import type { JsonObject } from '../foundation/json.ts';
import { ENCRYPTION } from '../jose/encryption-algorithms.ts';
import { readPublicJwk, withKid } from '../jose/jwk.ts';
import { privateJwkOf } from './backends/jwk.ts';
import type { KeyBackends } from './key-backends.ts';

/** The private JWK that one message is encrypted to, with its `kid`; a secret. */
export type MessageKey = JsonObject & { kid: string };

/** Creates a key for one message. */
export async function createMessageKey(keys: Pick<KeyBackends, 'create'>): Promise<MessageKey> {
  const reference = await keys.create('jwk', { keyType: 'secp256r1' });
  return { ...privateJwkOf(reference), kid: reference.id };
}

/** The key of a receiver that has one: of a message that names it, or that names none. */
export const onlyKey = (key: MessageKey) => async (kid: string | undefined) =>
  kid === undefined || kid === key.kid ? key : undefined;

/** Its public part, as senders get it (OpenID4VP 1.0 §5.1). */
export const publishedKey = (key: MessageKey): JsonObject => ({
  ...withKid(readPublicJwk(key), key.kid),
  use: 'enc',
  alg: ENCRYPTION.ALG,
});
