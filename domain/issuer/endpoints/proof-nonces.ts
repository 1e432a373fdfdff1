import type { Clock } from '../../../ports/system.ts';
import { equalInConstantTime, fingerprint } from '../../foundation/bytes.ts';
import { type DomainError, oauthError } from '../../foundation/errors.ts';
import type { PresentedGrant } from '../../oauth/access-tokens.ts';
import type { CurrentNonce, Nonces } from '../../oauth/nonces.ts';
import type { ConsumedNonce, SingleUseNonces } from '../../oauth/single-use-nonces.ts';
import { nonceMembers } from '../openid4vci/draft13.ts';
import { leaseNonces, secondsLeft } from '../sessions/issuance-session.ts';
import type { LiveSession } from '../sessions/session-repository.ts';
import type { NextNonce } from './protocol.ts';

/** How the nonces of proofs are handed out and used up; each protocol version has one way. */
export interface ProofNonces {
  /** Creates the nonce that a new access token comes with, in versions where it comes with one; `expiresAt` is in milliseconds since the epoch. */
  first(grantId: string, expiresAt: number): Promise<string | undefined>;
  /** The nonces that proofs of one request may carry, by its session as it was read before; undefined when the grant has ended. */
  of(grant: PresentedGrant, session: LiveSession): Promise<RequestNonces | undefined>;
}

/** The nonces of the proofs of one request. */
export interface RequestNonces {
  /** Whether a proof may carry the nonce. */
  accept(nonce: string): Promise<boolean>;
  /** The nonces after the session changed, with what this request accepted; undefined when the grant has ended. */
  again(session: LiveSession): Promise<RequestNonces | undefined>;
  /** Makes the accepted nonce void, as its credential is ready; returns the next one in versions where responses carry it. */
  consume(): Promise<NextNonce | undefined>;
  /** Makes the accepted nonce good for another request, as there is no credential. */
  restore(): Promise<void>;
  /** Creates the error of a refused proof; in versions where errors carry a fresh nonce, it has one. */
  refused(cause: DomainError): Promise<DomainError>;
}

/** Draft 13 §7.2: a grant has one nonce at a time; token and credential responses and the error `invalid_proof` carry the next. */
export class GrantNonces implements ProofNonces {
  readonly #nonces: Nonces;
  readonly #clock: Clock;

  constructor({ nonces, clock }: { nonces: Nonces; clock: Clock }) {
    this.#nonces = nonces;
    this.#clock = clock;
  }

  first(grantId: string, expiresAt: number): Promise<string> {
    return this.#nonces.create(grantId, expiresAt);
  }

  async of(grant: PresentedGrant, session: LiveSession): Promise<RequestNonces | undefined> {
    const current = await this.#nonces.get(grant.grantId);
    return current && { ...this.#of(current, session), again: (next) => this.of(grant, next) };
  }

  #of(current: CurrentNonce, session: LiveSession): Omit<RequestNonces, 'again'> {
    const good = nonceChoices(current.value.nonce, session);
    const renew = async (): Promise<NextNonce> => ({
      nonce: await this.#nonces.renew(current),
      seconds: secondsLeft(session, this.#clock.now()),
    });
    return {
      accept: async (nonce) => good.some((one) => equalInConstantTime(nonce, one)),
      consume: renew,
      // The lease that ended still names the nonce.
      restore: async () => undefined,
      refused: async (cause) =>
        oauthError('invalid_proof', cause.message, { cause, extra: { ...nonceMembers(await renew()) } }),
    };
  }
}

/** The current nonce unless the last credential was issued for it, and those whose lease ended without a credential. */
const nonceChoices = (current: string, session: LiveSession): string[] => [
  ...(session.spentNonce === fingerprint(current) ? [] : [current]),
  ...(session.state === 'ACTIVE' ? leaseNonces(session) : []),
];

/** OpenID4VCI 1.0 §7: the nonces of a nonce endpoint, which are of no session. A request consumes one before it works. */
export class EndpointNonces implements ProofNonces {
  readonly #nonces: SingleUseNonces;

  constructor({ nonces }: { nonces: SingleUseNonces }) {
    this.#nonces = nonces;
  }

  async first(): Promise<undefined> {
    return undefined;
  }

  async of(_: PresentedGrant, { issuerId }: LiveSession): Promise<RequestNonces> {
    const nonces = this.#nonces;
    const consumed = new Map<string, ConsumedNonce>();
    const own: RequestNonces = {
      again: async () => own,
      accept: async (nonce) => {
        // All proofs of a request carry the same nonce.
        if (consumed.size > 0) return consumed.has(nonce);
        const one = await nonces.consume(issuerId, nonce);
        if (one !== undefined) consumed.set(nonce, one);
        return one !== undefined;
      },
      consume: async () => undefined,
      restore: async () => {
        const given = [...consumed.values()];
        consumed.clear();
        for (const one of given) await nonces.restore(one);
      },
      refused: async (cause) => oauthError(cause.oauthError ?? 'invalid_proof', cause.message, { cause }),
    };
    return own;
  }
}
