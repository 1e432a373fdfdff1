import type { MdocRequests, RequestedDocument } from '../../../ports/codecs/mdoc-requests.ts';
import type { Ids, Random } from '../../../ports/system.ts';
import { fieldErrors, isDomainError } from '../../foundation/errors.ts';
import { readPublicJwk } from '../../jose/jwk.ts';
import type { MessageKey } from '../../keys/message-keys.ts';
import { newSecret } from '../../oauth/secrets.ts';
import { RESPONSE_MODES } from '../openid4vp/v1-requests.ts';
import type { MdocSessionRequest, SessionRequest } from '../protocol.ts';
import type { SessionEvents } from '../verification/events.ts';
import type { SessionRepository, StoredSession } from '../verification/repository.ts';
import type { ResponseEncryption } from '../verification/response-encryption.ts';
import type { ProtocolOf } from '../verification/rules.ts';
import { waiting } from '../verification/session.ts';
import type { Verifier } from '../verifier.ts';
import type { WrittenSetup } from './setup.ts';
import type { ReadSetup, SetupReader } from './setup-reader.ts';

/** What creating sessions needs. */
interface CreateSessionParts {
  sessions: SessionRepository;
  reader: SetupReader;
  encryption: ResponseEncryption;
  mdocRequests: Pick<MdocRequests, 'encryptionInfo'>;
  events: SessionEvents;
  ids: Ids;
  random: Random;
}

type V1Api = ProtocolOf<'v1'>;

const NONCE_BYTES = 32;

/** Creates verification sessions of OpenID4VP 1.0, and those for mdocs over the Digital Credentials API. */
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
  async create(verifier: Verifier, setup: WrittenSetup): Promise<StoredSession<V1Api>> {
    const { sessions, reader, events, ids } = this.#parts;
    const { sessionId: id = ids.uuid() } = setup.core_flow;
    const read = await reader.read(verifier, setup, id);
    const isEncrypted = setup.core_flow.encrypted_response === true || read.documents !== undefined;
    const request = await this.#request(read, isEncrypted);
    const expiresAt = request.expiresAt + verifier.retention.ms;
    const session = await sessions.insert(verifier, { id, value: waiting(request), expiresAt }).catch(refuseId);
    await events.open(session);
    return session;
  }

  async #request({ baseUrl, documents, ...read }: ReadSetup, isEncrypted: boolean): Promise<SessionRequest<V1Api>> {
    const { random, encryption } = this.#parts;
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
    };
    if (read.walletUrl === undefined) {
      const ofPage = { ...request, clientId: read.signing && read.clientId };
      if (!documents || !responseKey) return { protocol: 'v1', ...ofPage };
      return { protocol: 'iso-dc-api', ...ofPage, mdocs: await this.#mdocs(documents, responseKey) };
    }
    const responseUri = `${request.endpointUrl}/response`;
    const { clientId = `redirect_uri:${responseUri}` } = read;
    return { protocol: 'v1', ...request, responseUri, clientId, state: newSecret(random) };
  }

  /** A new request for documents, whose response will be encrypted to a key. */
  async #mdocs(documents: RequestedDocument[], key: MessageKey): Promise<MdocSessionRequest> {
    const { mdocRequests, random } = this.#parts;
    const given = { nonce: random.bytes(NONCE_BYTES), jwk: readPublicJwk(key) };
    return { documents, encryptionInfo: await mdocRequests.encryptionInfo(given) };
  }
}

function refuseId(cause: unknown): never {
  if (!isDomainError(cause, 'Conflict')) throw cause;
  const details = [{ path: ['core_flow', 'sessionId'], message: 'a session with this id exists' }];
  throw fieldErrors(details, { code: 'Conflict', cause });
}
