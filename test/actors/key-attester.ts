import { type HolderKey, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { signJws } from '../../demo/actors/jws.ts';
import type { TestServer } from '../support/servers/server.ts';

type Json = Record<string, unknown>;

/** A provider of wallets that attests their keys (OpenID4VCI 1.0 appendix D). */
export class KeyAttester {
  readonly key: HolderKey = makeHolderKey();

  /** The entry of `keyAttesters` in the configuration. */
  get trusted() {
    return { issuer: 'https://attester.example', jwks: { keys: [{ ...this.key.jwk }] } };
  }

  /** An attestation of some keys; `changes` replace single members, undefined removes one. */
  attest(
    server: Pick<TestServer, 'clock'>,
    holders: readonly HolderKey[],
    { header, claims, key = this.key }: { header?: Json; claims?: Json; key?: HolderKey } = {},
  ): string {
    const iat = Math.floor(server.clock.now() / 1000);
    const payload = {
      iss: 'https://attester.example',
      iat,
      exp: iat + 300,
      attested_keys: holders.map(({ jwk }) => jwk),
      key_storage: ['iso_18045_moderate'],
      user_authentication: ['iso_18045_moderate'],
      ...claims,
    };
    const head = { typ: 'key-attestation+jwt', alg: 'ES256', ...header };
    return signJws({ header: head, payload }, key.privateKey);
  }
}
