import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { ExternalSigningKey } from 'oidc-provider';
import type { ProviderKey } from '../../domain/sign-in/sign-in-server.ts';

/** A key of ours as the library takes it: its private part stays where it is. */
export class ProviderSigningKey extends ExternalSigningKey {
  readonly #public: KeyObject;

  constructor(private readonly own: ProviderKey) {
    super();
    this.#public = createPublicKey({ key: own.publicJwk as JsonWebKey, format: 'jwk' });
  }

  override get kid(): string | undefined {
    return this.own.publicJwk.kid;
  }

  override get alg(): string | undefined {
    return this.own.publicJwk.alg;
  }

  override keyObject(): KeyObject {
    return this.#public;
  }

  /** @throws Error for a key that was replaced */
  override async sign(data: Uint8Array): Promise<Uint8Array> {
    const { signer } = this.own;
    if (!signer) throw new Error('A key that was replaced signs nothing');
    return signer.sign(data);
  }
}
