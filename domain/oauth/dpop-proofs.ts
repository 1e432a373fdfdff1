import type { Signatures } from '../../ports/signatures.ts';
import type { Store } from '../../ports/store.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { type DomainError, type ErrorContext, isDomainError, oauthError, resourceError } from '../foundation/errors.ts';
import { thumbprint } from '../jose/jwk.ts';
import { verifyJws } from '../jose/jws.ts';
import { type ProvenRequest, readDpopProof, refusedProof } from './dpop-proof.ts';
import { type StampedNonceParts, StampedNonces } from './stamped-nonces.ts';
import { UsedOnce } from './used-once.ts';

/** What a proof must be for. */
export interface DpopExpectation extends ProvenRequest {
  issuerId: string;
  /**
   * At a protected resource: the thumbprint of the key that the access token is bound to. A proof of another key is
   * refused, and only the holder of the token's key has proofs recorded.
   */
  boundTo?: string;
  /** Whether it must carry a nonce of this server; a nonce that it does carry is checked in any case. */
  requiresNonce: boolean;
}

/** Verifies DPoP proofs (RFC 9449) and creates the nonces that they carry, which are good for any number of proofs. */
export class DpopProofs {
  readonly #nonces: StampedNonces;
  readonly #used: UsedOnce;

  constructor(
    private readonly parts: StampedNonceParts & {
      store: Store;
      signatures: Signatures;
    },
  ) {
    this.#nonces = new StampedNonces(parts, 'dpop');
    this.#used = new UsedOnce(parts.store, 'used-proofs');
  }

  /** A fresh value of the header `DPoP-Nonce`. */
  createNonce(issuerId: string): Promise<string> {
    return this.#nonces.create(issuerId);
  }

  /**
   * Verifies and consumes a proof; returns the thumbprint of its key, which tokens and codes are bound to.
   * @throws DomainError `invalid_dpop_proof`, `invalid_token` for another key than that of the token, or `use_dpop_nonce`
   * with a fresh nonce; of a protected resource when the proof is for an access token
   */
  async verify(text: string, expected: DpopExpectation): Promise<string> {
    try {
      return await this.#accept(text, expected);
    } catch (error) {
      if (!isDomainError(error, 'BadRequest') || error.oauthError !== undefined) throw error;
      throw failure(expected, 'invalid_dpop_proof', error.message);
    }
  }

  async #accept(text: string, expected: DpopExpectation): Promise<string> {
    const { signatures, clock } = this.parts;
    const proof = readDpopProof(text, expected, clock.now());
    if (!(await verifyJws(proof.jws, proof.jwk, signatures)))
      throw refusedProof('the signature is not valid, or its alg does not fit the key');
    await this.#checkNonce(proof.nonce, expected);
    const key = thumbprint(proof.jwk);
    if (expected.boundTo !== undefined && key !== expected.boundTo)
      throw failure(expected, 'invalid_token', 'The DPoP proof is of another key than the access token');
    const use = `dpop:${fingerprint(JSON.stringify([expected.issuerId, key, proof.jti]))}`;
    if (!(await this.#used.use(use, proof.acceptableUntil))) throw refusedProof('it was used already');
    return key;
  }

  async #checkNonce(nonce: string | undefined, expected: DpopExpectation): Promise<void> {
    const { issuerId, requiresNonce } = expected;
    if (nonce === undefined && !requiresNonce) return;
    if (nonce !== undefined && (await this.#nonces.endOf(issuerId, nonce)) !== undefined) return;
    const next = { dpopNonce: await this.createNonce(issuerId) };
    throw failure(expected, 'use_dpop_nonce', 'The DPoP proof needs a nonce of this server', { next });
  }
}

/** At a protected resource the answer is 401 with a challenge (RFC 9449 §7.1), elsewhere 400 (§5). */
const failure = ({ accessToken }: DpopExpectation, error: string, text: string, context?: ErrorContext): DomainError =>
  (accessToken === undefined ? oauthError : resourceError)(error, text, context);
