import type { Ids, Random } from '../../../ports/system.ts';
import { fieldErrors, isDomainError } from '../../foundation/errors.ts';
import { newSecret } from '../../oauth/secrets.ts';
import { RESPONSE_MODES } from '../openid4vp/v1-request.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import type { ResponseEncryption } from '../response-encryption.ts';
import type { MdocFlow } from './mdoc-flow.ts';
import type { PresentationSessionRepository, StoredSession } from './repository.ts';
import type { SessionRequest } from './session.ts';
import type { SessionEvents } from './session-events.ts';
import type { WrittenSetup } from './setup.ts';
import type { ReadSetup, SetupReader } from './setup-reader.ts';

/** What creating sessions needs. */
export interface CreateSessionParts {
  sessions: PresentationSessionRepository;
  reader: SetupReader;
  encryption: ResponseEncryption;
  mdocFlow: MdocFlow;
  events: SessionEvents;
  ids: Ids;
  random: Random;
}

/** Creates verification sessions of OpenID4VP 1.0. */
export class CreateSession {
  readonly #parts: CreateSessionParts;

  constructor(parts: CreateSessionParts) {
    this.#parts = parts;
  }

  /**
   * Creates a session. Its id is its creator's; what others get are three other secrets: the id of the request in URLs,
   * the `state`, and the code that comes back with the user's browser.
   * @throws DomainError `BadRequest` or `AddressRefused` naming the member, `Conflict` when the id is in use
   */
  async create(verifier: PresentationVerifier, setup: WrittenSetup): Promise<StoredSession> {
    const { sessions, reader, events, ids } = this.#parts;
    const { sessionId: id = ids.uuid() } = setup.core_flow;
    const read = await reader.read(verifier, setup, id);
    const isEncrypted = setup.core_flow.encrypted_response === true || read.documents !== undefined;
    const request = await this.#request(read, isEncrypted);
    const session = await sessions.insert(verifier, id, { state: 'unused', request }).catch(refuseId);
    await events.open(session);
    return session;
  }

  async #request({ baseUrl, documents, ...read }: ReadSetup, isEncrypted: boolean): Promise<SessionRequest> {
    const { random, encryption, mdocFlow } = this.#parts;
    const responseKey = isEncrypted ? await encryption.createKey() : undefined;
    const [requestId, nonce] = [newSecret(random), newSecret(random)];
    const modes = RESPONSE_MODES[read.walletUrl === undefined ? 'page' : 'link'];
    const request = {
      ...read,
      requestId,
      endpointUrl: `${baseUrl}/${requestId}`,
      nonce,
      responseMode: modes[isEncrypted ? 'encrypted' : 'plain'],
      isSigned: read.signing !== undefined,
      ...(responseKey && { responseKey }),
      ...(documents && responseKey && { mdocs: await mdocFlow.create(documents, responseKey) }),
    };
    if (read.walletUrl === undefined) return { ...request, clientId: read.signing && read.clientId };
    const responseUri = `${request.endpointUrl}/response`;
    const { clientId = `redirect_uri:${responseUri}` } = read;
    return { ...request, responseUri, clientId, state: newSecret(random) };
  }
}

function refuseId(cause: unknown): never {
  if (!isDomainError(cause, 'Conflict')) throw cause;
  const details = [{ path: ['core_flow', 'sessionId'], message: 'a session with this id exists' }];
  throw fieldErrors(details, { code: 'Conflict', cause });
}
