import { constants, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { EventLoopBudget } from '../../domain/foundation/event-loop-budget.ts';
import { algorithmFits, DIGESTS } from '../../domain/jose/key-types.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { PublicKeys } from './key-cache.ts';

const verifyAside = promisify(verify);

/** Algorithms that are faster synchronously than on a thread; all others would block the event loop. */
const QUICK = new Set(['ES256', 'EdDSA']);

/** Verified in one turn of the event loop: less than a millisecond. */
const PER_TURN = 4;

const options = (key: KeyObject) =>
  ({
    key,
    dsaEncoding: 'ieee-p1363',
    padding: key.asymmetricKeyType === 'rsa' ? constants.RSA_PKCS1_PADDING : undefined,
  }) as const;

/** Verifies JOSE signatures with node's cryptography. */
export class NodeSignatures implements Signatures {
  readonly #budget = new EventLoopBudget({ next: setImmediate }, PER_TURN);
  readonly #keys = new PublicKeys();

  constructor(private readonly metrics: Metrics) {}

  async verify({
    alg,
    jwk,
    data,
    signature,
  }: {
    alg: string;
    jwk: PublicJwk;
    data: Uint8Array;
    signature: Uint8Array;
  }): Promise<boolean> {
    const digest = DIGESTS.get(alg);
    if (digest === undefined || !algorithmFits(alg, jwk)) return false;
    this.metrics.cryptoOperation('verify', alg);
    try {
      const key = options(this.#keys.import(jwk));
      if (!QUICK.has(alg)) return await verifyAside(digest, data, key, signature);
      await this.#budget.next();
      return verify(digest, data, key, signature);
    } catch {
      return false;
    }
  }
}
