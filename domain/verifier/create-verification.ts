import type { Outbound } from '../../ports/outbound.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { at, fieldErrors, isDomainError } from '../foundation/errors.ts';
import { checkDestination } from '../network/urls.ts';
import { requestParties } from './openid4vp/draft20.ts';
import type { RequestComposer, WantedCredentials } from './request-composer.ts';
import { type NewRequestOptions, readOptions } from './request-options.ts';
import type { VerificationSessionRepository } from './session-repository.ts';
import { created } from './verification-session.ts';
import type { VerifierProfile } from './verifier-profile.ts';

/** A request for a verification, as its caller wrote it. */
export type NewVerification = WantedCredentials & NewRequestOptions;

/** What `CreateVerification` works with. */
export interface CreateVerificationParts {
  composer: RequestComposer;
  sessions: VerificationSessionRepository;
  outbound: Outbound;
  clock: Clock;
  ids: Ids;
}

/** Creates verification sessions and the requests for wallets. */
export class CreateVerification {
  readonly #parts: CreateVerificationParts;

  constructor(parts: CreateVerificationParts) {
    this.#parts = parts;
  }

  /**
   * Creates a session and returns its request as a link for a wallet.
   * @throws DomainError `BadRequest` or `AddressRefused` naming the member, `Conflict` when the state is in use
   */
  async create(profile: VerifierProfile, wanted: NewVerification): Promise<string> {
    const { composer, sessions, outbound, clock, ids } = this.#parts;
    const { authorizeBaseUrl, createRequest, stateId, ttlSeconds, replies } = readOptions(wanted);
    const composed = await composer.compose(wanted);
    const { statusCallbackUri: url } = replies;
    if (url !== undefined)
      at(['statusCallbackUri'], () => checkDestination(outbound, { url, expects: 'callback-reply' }));
    const [state, nonce] = [stateId ?? ids.uuid(), ids.uuid()];
    const parties = requestParties(profile, state);
    const session = created({ verifierId: profile.id, nonce, ...parties, ...composed, ...replies });
    const expiresAt = clock.now() + ttlSeconds * 1000;
    await sessions.insert(profile, { id: state, value: session, expiresAt }).catch(refuseState);
    return createRequest({ authorizeBaseUrl, profile, state, nonce, ...parties });
  }
}

function refuseState(cause: unknown): never {
  if (!isDomainError(cause, 'Conflict')) throw cause;
  const details = [{ path: ['stateId'], message: 'a session with this state exists' }];
  throw fieldErrors(details, { code: 'Conflict', cause });
}
