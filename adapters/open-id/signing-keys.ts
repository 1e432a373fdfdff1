import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { ExternalSigningKey } from 'oidc-provider';
import type { ProviderKey } from '../../domain/sign-in/sign-in-server.ts';

/** A key of ours as the library takes it: its private part stays where it is. */
export class ProviderSigningKey extends ExternalSigningKey {
  readonly #key: ProviderKey;
  readonly #public: KeyObject;

  constructor(key: ProviderKey) {
    super();
    this.#key = key;
    this.#public = createPublicKey({ key: key.publicJwk as JsonWebKey, format: 'jwk' });
  }

  override get kid(): string | undefined {
    return this.#key.publicJwk.kid;
  }

  override get alg(): string | undefined {
    return this.#key.publicJwk.alg;
  }

  override keyObject(): KeyObject {
    return this.#public;
  }

  /** @throws Error for a key that was replaced */
  override async sign(data: Uint8Array): Promise<Uint8Array> {
    const { signer } = this.#key;
    if (!signer) throw new Error('A key that was replaced signs nothing');
    return signer.sign(data);
  }
}
