import type { PublicJwk } from '../../ports/key-service.ts';
import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { hasPrivateMember, readPublicJwk } from './jwk.ts';
import { algorithmFits } from './key-types.ts';

/** Names of one algorithm (RFC 9864 §2.2). */
const SAME_ALGORITHM: Readonly<Record<string, string>> = { Ed25519: 'EdDSA' };

const refused = (why: string): DomainError => new DomainError('BadRequest', `The JWK ${why}`);

/**
 * The only rule for the keys of others that signatures are verified with, wherever they stand: a public key alone, which its
 * owner means for signatures (RFC 7517 §4.2, §4.3) and for an algorithm of its type (§4.4). An RSA key is then good for that
 * algorithm only. @throws DomainError `BadRequest` for any other key
 */
export function readVerificationKey(value: unknown): PublicJwk {
  const jwk = readPublicJwk(value);
  const members = value as JsonObject;
  const { use = 'sig', key_ops: operations = ['verify'], alg: stated } = members;
  if (hasPrivateMember(members)) throw refused('must not hold a private key');
  if (use !== 'sig') throw refused('is not for signatures by its use');
  if (!Array.isArray(operations) || !operations.includes('verify'))
    throw refused('is not for verifying by its key_ops');
  if (stated === undefined) return jwk;
  const alg = SAME_ALGORITHM[String(stated)] ?? stated;
  if (typeof alg !== 'string' || !algorithmFits(alg, jwk)) throw refused('is for another algorithm');
  return jwk.kty === 'RSA' ? { ...jwk, alg } : jwk;
}
