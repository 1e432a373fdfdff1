import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { systemIds, systemRandom } from '../../../adapters/system/system.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { thumbprint } from '../../../domain/jose/jwk.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import { ServerSecret } from '../../../domain/keys/server-secret.ts';
import type { PresentedToken } from '../../../domain/oauth/sender-constraints.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { Store } from '../../../ports/store.ts';
import { localKeys } from '../keys/local-keys.ts';

export const ISSUER = 'issuer';
export const START = 1_800_000_000_000;

/** What the services of the authorization server stand on, with a clock that the test moves. */
export function oauthPlatform(ms = START) {
  const clock = { ms, now: () => clock.ms };
  const store: Store = new MemoryStore(clock);
  const secret = new ServerSecret({ store, clock, random: systemRandom }, 'nonces');
  const timers = { every: () => () => {} };
  const system = { clock, timers, ids: systemIds, random: systemRandom };
  return { ...system, store, secret, signatures: new NodeSignatures(new PrometheusMetrics()) };
}

/** A new key of this type, with its thumbprint. */
export async function newSigner(
  keyType: 'secp256r1' | 'Ed25519' | 'secp384r1' = 'secp256r1',
): Promise<Signer & { thumbprint: string }> {
  const { service, backends } = localKeys();
  const signer = backends.signer(await backends.create(service.backend, { keyType }));
  return { ...signer, sign: signer.sign.bind(signer), thumbprint: thumbprint(signer.publicJwk) };
}

/** An access token that is bound to no key, as it is presented. */
export const bearer = (token: string): PresentedToken => ({ scheme: 'Bearer', token });

let proofs = 0;

/** A DPoP proof (RFC 9449 §4.2) with any member changed; one that is undefined is left out. */
export const dpopProof = (
  signer: Signer,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> => {
  proofs += 1;
  return signJws(
    { typ: 'dpop+jwt', jwk: signer.publicJwk, ...header },
    { jti: `proof-${proofs}`, htm: 'POST', htu: 'https://issuer.example/token', iat: START / 1000, ...claims },
    signer,
  );
};

/** The outcome of a call: its result, or the OAuth code of its failure. */
export const outcomeOf = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    return error instanceof DomainError ? (error.oauthError ?? error.code) : String(error);
  }
};
