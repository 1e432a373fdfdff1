import type { KeyObject } from 'node:crypto';
import { didJwk } from '../../domain/dids/did-methods.ts';
import type { JsonObject } from '../../domain/foundation/json.ts';
import { readPublicJwk } from '../../domain/jose/jwk.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { signJws } from './jws.ts';
import { keyPair } from './key-pairs.ts';

/** The grant of an offer (OpenID4VCI 1.0 §4.1.1). */
export const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** The key of an independent wallet. */
export interface HolderKey {
  privateKey: KeyObject;
  jwk: PublicJwk;
  did: string;
}

export function makeHolderKey(): HolderKey {
  const { privateKey, publicKey } = keyPair({ namedCurve: 'P-256' });
  const jwk = readPublicJwk(publicKey.export({ format: 'jwk' }));
  return { privateKey, jwk, did: didJwk(jwk) };
}

/** A proof of possession (OpenID4VCI 1.0, Appendix F.1); `header` replaces single members, undefined removes one. */
export const proofJwt = (
  { did, privateKey }: HolderKey,
  { header, payload }: { header: JsonObject; payload: JsonObject },
): string =>
  signJws({ header: { typ: 'openid4vci-proof+jwt', alg: 'ES256', kid: `${did}#0`, ...header }, payload }, privateKey);
