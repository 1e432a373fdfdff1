import { generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { DomainError, invalidField } from '../../domain/foundation/errors.ts';
import { isObject } from '../../domain/foundation/json.ts';
import { parseJson } from '../../domain/foundation/strict-json.ts';
import { readPublicJwk, thumbprint, withKid } from '../../domain/jose/jwk.ts';
import { checkStatedKey } from '../../domain/keys/key-reference.ts';
import { KEY_TYPES, keyTypeOf } from '../../domain/keys/key-types.ts';
import type { KeyReference, KeyService, KeyType, PublicJwk, Signer } from '../../ports/key-service.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { PrivateKeys } from './key-cache.ts';
import { belongTogether, signWith } from './signatures.ts';

const generate = promisify(generateKeyPair);
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const;

/** Backend `jwk`: the reference contains the private key; its owner stores it. */
export class LocalKeys implements KeyService {
  readonly backend = 'jwk';
  readonly #metrics: Metrics;
  readonly #keys = new PrivateKeys();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  async create({ keyType, config }: { keyType: KeyType; config?: Record<string, unknown> }): Promise<KeyReference> {
    const unknown = Object.keys(config ?? {})[0];
    if (unknown !== undefined) throw invalidField(['config', unknown], 'a jwk key takes no configuration');
    this.#metrics.cryptoOperation('generate', keyType);
    const { privateKey } = await generateFor(keyType);
    return toReference(privateKey.export({ format: 'jwk' }));
  }

  async read({ jwk, ...rest }: Record<string, unknown>): Promise<KeyReference> {
    const unknown = Object.keys(rest).find((name) => !['id', '_publicKey', '_keyType'].includes(name));
    if (unknown !== undefined) throw invalidField([unknown], 'does not belong to a jwk key');
    const reference = readPrivate(jwk, this.#keys);
    checkStatedKey(rest, reference);
    return reference;
  }

  write({ publicJwk, config }: KeyReference): Record<string, unknown> {
    const { kty, ...rest } = withKid(publicJwk);
    return { jwk: { kty, ...config, ...rest } };
  }

  signer({ keyType, publicJwk, config }: KeyReference): Signer {
    const key = this.#keys.import(publicJwk, config);
    return {
      keyType,
      publicJwk,
      sign: (data) => {
        this.#metrics.cryptoOperation('sign', keyType);
        return signWith(key, keyType, data);
      },
    };
  }

  async remove(): Promise<void> {}
}

function readPrivate(jwk: unknown, keys: PrivateKeys): KeyReference {
  try {
    const value = typeof jwk === 'string' ? parseJson(jwk) : jwk;
    if (!isObject(value)) throw new DomainError('BadRequest', 'must be a private JWK');
    return checked(toReference(value as JsonWebKey), keys);
  } catch (cause) {
    const reason = cause instanceof DomainError ? cause.message : 'is not a valid private key';
    throw invalidField(['jwk'], reason);
  }
}

function generateFor(keyType: KeyType) {
  const { kty, bits, opensslCurve = '' } = KEY_TYPES[keyType];
  if (kty === 'RSA') return generate('rsa', { modulusLength: bits });
  return kty === 'OKP' ? generate('ed25519') : generate('ec', { namedCurve: opensslCurve });
}

function toReference(jwk: JsonWebKey): KeyReference {
  const publicJwk: PublicJwk = readPublicJwk(jwk);
  const config: Record<string, unknown> = {};
  for (const name of PRIVATE_MEMBERS) if (typeof jwk[name] === 'string') config[name] = jwk[name];
  if (config.d === undefined) throw new DomainError('BadRequest', 'the private member d is missing');
  return { backend: 'jwk', id: thumbprint(publicJwk), keyType: keyTypeOf(publicJwk), publicJwk, config };
}

/** Refuses a private key that does not belong to the public key. */
function checked(reference: KeyReference, keys: PrivateKeys): KeyReference {
  const { publicJwk, config, keyType } = reference;
  keys.import(publicJwk, config, (key: KeyObject) => {
    const probe = Buffer.from(reference.id);
    if (!belongTogether({ key, keyType, publicJwk, probe })) {
      throw new DomainError('BadRequest', 'the private and the public part do not belong together');
    }
  });
  return reference;
}
