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
  /** The error of a refused proof, whose nonce is good for another; in versions where errors carry a fresh one, it has it. */
  refused(cause: DomainError): Promise<DomainError>;
}

interface GrantNonceParts {
  sessions: IssuanceSessionRepository;
  secret: ServerSecret;
  clock: Clock;
}

/**
 * Draft 13 §7.2: a grant has one nonce at a time; token and credential responses and the error `invalid_proof` carry the
 * next. It is a keyed digest of the grant and of how many are void in its session, so it costs no record, and its use is
 * recorded in the same write as the credentials. A nonce that is used makes those of other grants of the session void too.
 */
export class GrantNonces implements ProofNonces {
  constructor(private readonly parts: GrantNonceParts) {}

  first(grantId: string, session: LiveSession): Promise<string> {
    return grantNonce(this.parts.secret, grantId, session);
  }

  forRequest({ grantId }: Pick<PresentedGrant, 'grantId'>, session: Stored<LiveSession>): RequestNonces {
    return new SeenNonces(this.parts, grantId, session);
  }
}

const grantNonce = async (
  secret: ServerSecret,
  grantId: string,
  { voidNonces = 0 }: IssuanceSession,
): Promise<string> => base64url(await secret.digest(['c_nonce', grantId, voidNonces]));

/** The nonces of a grant by its session as the request read it. */
class SeenNonces implements RequestNonces {
  constructor(
    private readonly parts: GrantNonceParts,
    private readonly grantId: string,
    private readonly seen: Stored<LiveSession>,
  ) {}

  async accept(nonce: string): Promise<boolean> {
    const { value: session } = this.seen;
    const current = await grantNonce(this.parts.secret, this.grantId, session);
    return [current, ...endedLeases(session)].some((one) => equalInConstantTime(nonce, one));
  }

  again(session: Stored<LiveSession>): RequestNonces {
    return new SeenNonces(this.parts, this.grantId, session);
  }

  /** Of requests that saw the same nonce all make that one void, and no later one. */
  spent<S extends IssuanceSession>(session: S): S {
    const voidNonces = (this.seen.value.voidNonces ?? 0) + 1;
    return (session.voidNonces ?? 0) < voidNonces ? { ...session, voidNonces } : session;
  }

  async next(session: IssuanceSession): Promise<NextNonce> {
    const nonce = await grantNonce(this.parts.secret, this.grantId, session);
    return { nonce, seconds: secondsLeft(session, this.parts.clock.now()) };
  }

  async consume(): Promise<NextNonce> {
    return this.next(await this.parts.sessions.amend(this.seen, (session) => this.spent(session)));
  }

  /** The lease that ended still names the nonce. */
  async restore(): Promise<void> {}

  async refused(cause: DomainError): Promise<DomainError> {
    return oauthError('invalid_proof', cause.message, { cause, extra: { ...nonceMembers(await this.consume()) } });
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
    await this.restore().catch(() => undefined);
    return oauthError(cause.oauthError ?? 'invalid_proof', cause.message, { cause });
  }
}
