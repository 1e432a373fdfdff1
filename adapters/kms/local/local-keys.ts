import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { invalidField } from '../../../domain/foundation/errors.ts';
import { thumbprint } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../../domain/jose/key-types.ts';
import { readPrivateJwk } from '../../../domain/keys/backends/jwk.ts';
import type {
  ExistingKey,
  KeyReference,
  KeyService,
  KeyType,
  NewKey,
  PublicJwk,
  Signer,
} from '../../../ports/key-service.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { Turn } from '../../../ports/turn.ts';
import { PrivateKeys } from './private-keys.ts';

const generate = promisify(generateKeyPair);

/** What local keys need. */
export interface LocalKeyParts {
  metrics: Pick<Metrics, 'cryptoOperation'>;
  signatures: Signatures;
  /** Does long work in turns. */
  work: { run<T>(turn: Turn, work: () => Promise<T>): Promise<T> };
}

/** Backend `jwk`: the reference contains the private key; its owner stores it. */
export class LocalKeys implements KeyService {
  readonly backend = 'jwk';
  readonly #keys = new PrivateKeys();

  constructor(private readonly parts: LocalKeyParts) {}

  async create({ keyType, turn = { source: '' } }: NewKey): Promise<KeyReference> {
    this.parts.metrics.cryptoOperation('generate', keyType);
    const isLong = KEY_TYPES[keyType].kty === 'RSA';
    const { privateKey } = await (isLong
      ? this.parts.work.run(turn, () => generateFor(keyType))
      : generateFor(keyType));
    const { id, config, publicJwk } = readPrivateJwk(privateKey);
    return { backend: this.backend, id, keyType, publicJwk, config };
  }

  async publicKey({ config, publicJwk }: ExistingKey): Promise<PublicJwk> {
    if (publicJwk && (await this.#isPair(publicJwk, config))) return publicJwk;
    throw invalidField(['config'], 'the private and the public part do not belong together');
  }

  signer({ keyType, publicJwk, config }: KeyReference): Signer {
    const imported = this.#keys.import({ publicJwk, config });
    return {
      keyType,
      publicJwk,
      sign: (data) => {
        this.parts.metrics.cryptoOperation('sign', keyType);
        return this.#keys.sign(imported, keyType, data);
      },
    };
  }

  async remove(): Promise<void> {}

  async close(): Promise<void> {}

  /** Whether a private key signs what its public key verifies; tried once for each imported key. */
  async #isPair(publicJwk: PublicJwk, config: Record<string, unknown>): Promise<boolean> {
    const keyType = keyTypeOf(publicJwk);
    const data = Buffer.from(thumbprint(publicJwk));
    try {
      const imported = this.#keys.import({ publicJwk, config });
      if (imported.isConfirmed) return true;
      const signature = await this.#keys.sign(imported, keyType, data);
      const check = { alg: KEY_TYPES[keyType].alg, jwk: publicJwk, data, signature };
      imported.isConfirmed = await this.parts.signatures.verify(check);
      return imported.isConfirmed;
    } catch {
      throw invalidField(['config'], 'is not a valid private key');
    }
  }
}

/** Made as JWK: exporting a key object of a new key as JWK can deadlock Node 20, and one by way of DER takes five times as long. */
const AS_JWK = { publicKeyEncoding: { format: 'jwk' }, privateKeyEncoding: { format: 'jwk' } } as const;

function generateFor(keyType: KeyType): Promise<{ privateKey: unknown }> {
  const { kty, bits, opensslCurve = '' } = KEY_TYPES[keyType];
  if (kty === 'RSA') return generate('rsa', { modulusLength: bits, ...AS_JWK });
  return kty === 'OKP' ? generate('ed25519', AS_JWK) : generate('ec', { namedCurve: opensslCurve, ...AS_JWK });
}
