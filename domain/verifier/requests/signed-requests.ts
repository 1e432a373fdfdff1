import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats.ts';
import { DomainError } from '../../foundation/errors.ts';
import { PROFILES } from '../openid4vp/draft20-profiles.ts';
import { fetchedRequest } from '../openid4vp/draft20-requests.ts';
import type { SessionRepository } from '../verification/repository.ts';
import type { DraftVerifier } from '../verifier.ts';
import type { RequestSigning } from './request-signing.ts';

/** What `SignedRequests` works with. */
interface SignedRequestParts {
  sessions: SessionRepository;
  signing: RequestSigning;
  formats: CredentialFormats;
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
  async create({ draft20, ...verifier }: DraftVerifier, state: string): Promise<string> {
    const { sessions, signing, formats, clock } = this.#parts;
    const { id, value, expiresAt } = await sessions.get(verifier, 'draft20', state);
    if (value.state === 'concluded') throw new DomainError('NotFound', 'The session is over');
    const { request } = value;
    const signer = () => signing.signer(draft20, PROFILES[request.requestProfile ?? 'DEFAULT']);
    return (await fetchedRequest({ id, request, expiresAt }, { now: clock.now(), draft20, signer, formats })).signed;
  }
}
