import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats.ts';
import { at, fieldErrors, isDomainError } from '../../foundation/errors.ts';
import { checkDestination } from '../../network/urls.ts';
import { PROFILES } from '../openid4vp/draft20-profiles.ts';
import { requestUrl } from '../openid4vp/draft20-requests.ts';
import type { Draft20Request, DraftEndpoints, ProfileName, SessionRequest } from '../protocol.ts';
import type { SessionRepository } from '../verification/repository.ts';
import type { ResponseEncryption } from '../verification/response-encryption.ts';
import { waiting } from '../verification/session.ts';
import type { DraftVerifier } from '../verifier.ts';
import type { RequestComposer, WantedCredentials } from './request-composer.ts';
import { type NewRequestOptions, readOptions } from './request-options.ts';

/** A request for a verification, as its caller wrote it. */
export type NewVerification = WantedCredentials & NewRequestOptions & Pick<Draft20Request, 'startedByWallet'>;

/** What `CreateVerification` works with. */
interface CreateVerificationParts {
  composer: RequestComposer;
  sessions: SessionRepository;
  outbound: Outbound;
  encryption: ResponseEncryption;
  clock: Clock;
  ids: Ids;
  formats: CredentialFormats;
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
  async create(verifier: DraftVerifier, wanted: NewVerification): Promise<string> {
    const { composer, sessions, outbound, encryption, clock, ids } = this.#parts;
    const options = readOptions(wanted);
    const { authorizeBaseUrl, requestProfile, responseMode, stateId, ttlSeconds, replies } = options;
    const composed = await composer.compose(wanted, { requestProfile, responseMode });
    const { statusCallbackUri: url } = replies;
    if (url !== undefined)
      at(['statusCallbackUri'], () => checkDestination(outbound, { url, expects: 'callback-reply' }));
    const [state, nonce] = [stateId ?? ids.uuid(), ids.uuid()];
    const { startedByWallet } = wanted;
    const { draft20 } = verifier;
    const request: SessionRequest<'draft20'> = {
      protocol: 'draft20',
      verifierId: verifier.id,
      ...(draft20.needsHolder && { needsHolder: true }),
      nonce,
      requestProfile,
      ...requestParties(draft20, requestProfile, state),
      ...composed,
      ...replies,
      ...(startedByWallet && { startedByWallet }),
      ...(composed.responseMode === 'direct_post.jwt' && { responseKey: await encryption.createKey() }),
    };
    const expiresAt = clock.now() + ttlSeconds * 1000;
    await sessions.insert(verifier, { id: state, value: waiting(request), expiresAt }).catch(refuseState);
    const { definitionByValue } = options;
    return requestUrl(authorizeBaseUrl, {
      verifier: draft20,
      state,
      request,
      definitionByValue,
      formats: this.#parts.formats,
    });
  }
}

/** Who asks, whom the presentation must be meant for, and where the wallet posts its response. */
function requestParties(
  verifier: DraftEndpoints,
  requestProfile: ProfileName,
  state: string,
): Pick<Draft20Request, 'clientId' | 'audience' | 'responseUri'> {
  const responseUri = `${verifier.baseUrl}/verify/${encodeURIComponent(state)}`;
  // The audience of a presentation is the client id (OpenID4VP draft 20 §7.5).
  const { id: clientId } = PROFILES[requestProfile].client(verifier, responseUri);
  return { clientId, audience: clientId, responseUri };
}

function refuseState(cause: unknown): never {
  if (!isDomainError(cause, 'Conflict')) throw cause;
  const details = [{ path: ['stateId'], message: 'a session with this state exists' }];
  throw fieldErrors(details, { code: 'Conflict', cause });
}
