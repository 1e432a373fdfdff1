import type { Stored } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { base64url, equalInConstantTime } from '../../foundation/bytes.ts';
import { type DomainError, oauthError } from '../../foundation/errors.ts';
import type { ServerSecret } from '../../keys/server-secret.ts';
import type { PresentedGrant } from '../../oauth/access-tokens.ts';
import type { ConsumedNonce, SingleUseNonces } from '../../oauth/single-use-nonces.ts';
import { type NextNonce, nonceMembers } from '../protocol.ts';
import type { VersionRules } from '../versions.ts';
import { type IssuanceSession, leaseNonces, secondsLeft } from './issuance-session.ts';
import type { IssuanceSessionRepository, LiveSession } from './session-repository.ts';

/** How the nonces of proofs are handed out and used up. */
interface ProofNonces {
  /** The nonce that a new access token comes with, in versions where it comes with one. */
  first(grantId: string, session: LiveSession): Promise<string | undefined>;
  /** The nonces that proofs of one request may carry, by its session as it was read before. */
  forRequest(grant: Pick<PresentedGrant, 'grantId'>, session: Stored<LiveSession>): RequestNonces;
}

/** The nonces of proofs, by where the version of an issuer has them from. */
export type NonceSources = Readonly<Record<VersionRules['nonces'], ProofNonces>>;

/** The nonces of the proofs of one request. */
export interface RequestNonces {
  /** Whether a proof may carry the nonce. */
  accept(nonce: string): Promise<boolean>;
  /** The nonces after the session changed, with what this request accepted. */
  again(session: Stored<LiveSession>): RequestNonces;
  /** The session whose credentials are ready, in which the accepted nonce is void. */
  spent<S extends IssuanceSession>(session: S): S;
  /** The nonce for the proof after that, in versions where responses carry it. */
  next(session: IssuanceSession): Promise<NextNonce | undefined>;
  /** Makes the accepted nonce void without new credentials; returns the next one in versions where responses carry it. */
  consume(): Promise<NextNonce | undefined>;
  /** Makes the accepted nonce good for another request, as there is no credential. */
  restore(): Promise<void>;
  /** Creates the error of a refused proof; in versions where errors carry a fresh nonce, it has one. */
  refused(cause: DomainError): Promise<DomainError>;
}

/**
 * Draft 13 §7.2: a grant has one nonce at a time; token and credential responses and the error `invalid_proof` carry the
 * next. It is a keyed digest of the grant and of how many are void in its session, so it costs no record, and its use is
 * recorded in the same write as the credentials. A nonce that is used makes those of other grants of the session void too.
 */
export class GrantNonces implements ProofNonces {
  constructor(
    private readonly parts: {
      sessions: IssuanceSessionRepository;
      secret: ServerSecret;
      clock: Clock;
    },
  ) {}

  async first(grantId: string, { voidNonces = 0 }: IssuanceSession): Promise<string> {
    return base64url(await this.parts.secret.digest(['c_nonce', grantId, voidNonces]));
  }

  forRequest({ grantId }: Pick<PresentedGrant, 'grantId'>, stored: Stored<LiveSession>): RequestNonces {
    const { value: seen } = stored;
    const voidNonces = (seen.voidNonces ?? 0) + 1;
    // Of requests that saw the same nonce all make that one void, and no later one.
    const spent = <S extends IssuanceSession>(session: S): S =>
      (session.voidNonces ?? 0) < voidNonces ? { ...session, voidNonces } : session;
    const next = async (session: IssuanceSession): Promise<NextNonce> => ({
      nonce: await this.first(grantId, session),
      seconds: secondsLeft(session, this.parts.clock.now()),
    });
    const consume = async (): Promise<NextNonce> => next(await this.parts.sessions.amend(stored, spent));
    return {
      accept: async (nonce) =>
        [await this.first(grantId, seen), ...endedLeases(seen)].some((one) => equalInConstantTime(nonce, one)),
      again: (session) => this.forRequest({ grantId }, session),
      spent,
      next,
      consume,
      // The lease that ended still names the nonce.
      restore: async () => undefined,
      refused: async (cause) =>
        oauthError('invalid_proof', cause.message, { cause, extra: { ...nonceMembers(await consume()) } }),
    };
  }
}

/** The nonces of leases that ended without a credential. */
const endedLeases = (session: LiveSession): string[] => (session.state === 'ACTIVE' ? leaseNonces(session) : []);

/** OpenID4VCI 1.0 §7: the nonces of a nonce endpoint, which are of no session. A request consumes one before it works. */
export class EndpointNonces implements ProofNonces {
  readonly #nonces: SingleUseNonces;

  constructor({ nonces }: { nonces: SingleUseNonces }) {
    this.#nonces = nonces;
  }

  async first(): Promise<undefined> {
    return undefined;
  }

  forRequest(_: Pick<PresentedGrant, 'grantId'>, { value: { issuerId } }: Stored<LiveSession>): RequestNonces {
    return new ConsumedNonces(this.#nonces, issuerId);
  }
}

/** The one nonce that all proofs of a request carry, once it is consumed. */
class ConsumedNonces implements RequestNonces {
  #consumed: { nonce: string; use: ConsumedNonce } | undefined;

  constructor(
    private readonly nonces: SingleUseNonces,
    private readonly issuerId: string,
  ) {}

  async accept(nonce: string): Promise<boolean> {
    if (this.#consumed) return this.#consumed.nonce === nonce;
    const use = await this.nonces.consume(this.issuerId, nonce);
    this.#consumed = use && { nonce, use };
    return use !== undefined;
  }

  again(): RequestNonces {
    return this;
  }

  spent<S extends IssuanceSession>(session: S): S {
    return session;
  }

  async next(): Promise<undefined> {
    return undefined;
  }

  async consume(): Promise<undefined> {
    return undefined;
  }

  async restore(): Promise<void> {
    const consumed = this.#consumed;
    this.#consumed = undefined;
    if (consumed) await this.nonces.restore(consumed.use);
  }

  async refused(cause: DomainError): Promise<DomainError> {
    return oauthError(cause.oauthError ?? 'invalid_proof', cause.message, { cause });
  }
}
