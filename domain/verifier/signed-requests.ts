import type { Clock } from '../../ports/system.ts';
import { DomainError } from '../foundation/errors.ts';
import { PROFILES } from './openid4vp/draft20-profiles.ts';
import { requestObjectParameters } from './openid4vp/draft20-requests.ts';
import { signRequestObject } from './request-object.ts';
import type { RequestSigning } from './request-signing.ts';
import type { VerificationSessionRepository } from './session-repository.ts';
import type { VerifierProfile } from './verifier-profile.ts';

/** What `SignedRequests` works with. */
export interface SignedRequestParts {
  sessions: VerificationSessionRepository;
  signing: RequestSigning;
  clock: Clock;
}

/** Signs the requests of sessions for wallets that fetch them (OpenID4VP draft 20 §5, RFC 9101). */
export class SignedRequests {
  readonly #parts: SignedRequestParts;

  constructor(parts: SignedRequestParts) {
    this.#parts = parts;
  }

  /**
   * Signs the request of a session that waits for its response, anew for each call.
   * @throws DomainError `NotFound`, also for a profile without request objects; as `RequestSigning.signer`
   */
  async create(profile: VerifierProfile, state: string): Promise<string> {
    const { sessions, signing, clock } = this.#parts;
    const { value, expiresAt } = await sessions.get(profile, state);
    const { request } = value;
    const parameters = requestObjectParameters({ profile, state, request });
    if (!parameters || value.state === 'verified' || value.state === 'failed' || expiresAt === undefined)
      throw new DomainError('NotFound', 'The session has no request object, or it is over');
    const signer = await signing.signer(profile, PROFILES[request.requestProfile ?? 'DEFAULT']);
    return signRequestObject({ parameters, now: clock.now(), expiresAt }, signer);
  }
}
