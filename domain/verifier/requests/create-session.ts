import type { MdocRequests, RequestedDocument } from '../../../ports/codecs/mdoc-requests.ts';
import type { Clock, Ids, Random } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { type ErrorDetail, fieldErrors, isDomainError } from '../../foundation/errors.ts';
import { readPublicJwk } from '../../jose/jwk.ts';
import type { MessageKey } from '../../keys/message-keys.ts';
import { newSecret } from '../../oauth/secrets.ts';
import { parties, requestUrl } from '../openid4vp/draft20-requests.ts';
import { draftClient } from '../openid4vp/exchange.ts';
import type { ResponseEncryption } from '../openid4vp/response-encryption.ts';
import { RESPONSE_MODES } from '../openid4vp/v1-requests.ts';
import type { MdocSessionRequest, Protocol, SessionRequest } from '../protocol.ts';
import type { SessionRepository, StoredSession } from '../verification/repository.ts';
import type { ProtocolOf } from '../verification/rules.ts';
import { waiting } from '../verification/session.ts';
import type { DraftVerifier, Verifier } from '../verifier.ts';
import type { NewVerification, RequestComposer } from './request-composer.ts';
import type { RequestIds } from './request-ids.ts';
import type { WrittenSetup } from './setup.ts';
import type { ReadSetup, SetupReader } from './setup-reader.ts';

type V1Api = ProtocolOf<'v1'>;

/** A session to store; `taken` is what is wrong where its creator named an id that is in use. */
interface NewSession<P extends Protocol> {
  id: string;
  taken: ErrorDetail;
  request: SessionRequest<P>;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const NONCE_BYTES = 32;

/** Creates verification sessions: reads what is asked, adds the secrets of the request, and stores a session that waits. */
export class CreateSession {
  constructor(
    private readonly parts: {
      sessions: SessionRepository;
      requestIds: Pick<RequestIds, 'create'>;
      composer: RequestComposer;
      reader: SetupReader;
      encryption: ResponseEncryption;
      mdocRequests: Pick<MdocRequests, 'encryptionInfo'>;
      formats: CredentialFormats;
      clock: Clock;
      ids: Ids;
      random: Random;
    },
  ) {}

  /**
   * Creates a session of OpenID4VP 1.0, or one for mdocs over the Digital Credentials API. Its id is its creator's; what
   * others get are three other secrets: the id of the request in URLs, the `state`, and the code that comes back with the
   * user's browser.
   * @throws DomainError `BadRequest` or `AddressRefused` naming the member, `Conflict` when the id is in use
   */
  async create(verifier: Verifier, setup: WrittenSetup): Promise<StoredSession<V1Api>> {
    const { sessionId: id = this.parts.ids.uuid() } = setup.core_flow;
    const read = await this.parts.reader.read(verifier, setup, id);
    const isEncrypted = setup.core_flow.encrypted_response === true || read.documents !== undefined;
    const requestId = await this.parts.requestIds.create(verifier, id);
    const request = await this.#request(requestId, read, await this.#responseKey(isEncrypted));
    const expiresAt = request.expiresAt + verifier.retention.ms;
    return this.#store(verifier, {
      id,
      taken: { path: ['core_flow', 'sessionId'], message: 'a session with this id exists' },
      request,
      expiresAt,
    });
  }

  /**
   * Creates a session of the drafts and returns its request as a link for a wallet.
   * @throws DomainError `BadRequest` or `AddressRefused` naming the member, `Conflict` when the state is in use
   */
  async start(verifier: DraftVerifier, wanted: NewVerification): Promise<string> {
    const { composer, clock, ids, formats } = this.parts;
    const { draft20 } = verifier;
    const { stateId, authorizeBaseUrl, definitionByValue, ttlSeconds, ...composed } = await composer.compose(wanted);
    const [state, nonce] = [stateId ?? ids.uuid(), ids.uuid()];
    const responseKey = await this.#responseKey(composed.responseMode === 'direct_post.jwt');
    const request: SessionRequest<'draft20'> = {
      protocol: 'draft20',
      verifierId: verifier.id,
      ...(draft20.needsHolder && { needsHolder: true }),
      nonce,
      ...parties(draft20, composed.requestProfile, state),
      ...composed,
      ...(responseKey && { responseKey }),
    };
    const expiresAt = clock.now() + ttlSeconds * 1000;
    await this.#store(verifier, {
      id: state,
      taken: { path: ['stateId'], message: 'a session with this state exists' },
      request,
      expiresAt,
    });
    return requestUrl(authorizeBaseUrl, { verifier: draft20, state, request, definitionByValue, formats });
  }

  async #store<P extends Protocol>(verifier: Verifier, created: NewSession<P>): Promise<StoredSession<P>> {
    const { id, taken, request, expiresAt } = created;
    return this.parts.sessions.insert(verifier, { id, value: waiting(request), expiresAt }).catch((cause) => {
      throw isDomainError(cause, 'Conflict') ? fieldErrors([taken], { code: 'Conflict', cause }) : cause;
    });
  }

  async #responseKey(isEncrypted: boolean): Promise<MessageKey | undefined> {
    return isEncrypted ? this.parts.encryption.createKey() : undefined;
  }

  async #request(
    requestId: string,
    { baseUrl, documents, definition, ...read }: ReadSetup,
    responseKey: MessageKey | undefined,
  ): Promise<SessionRequest<V1Api>> {
    const { random } = this.parts;
    const nonce = newSecret(random);
    const modes = RESPONSE_MODES[read.walletUrl === undefined ? 'page' : 'link'];
    const request = {
      ...read,
      requestId,
      endpointUrl: `${baseUrl}/${requestId}`,
      nonce,
      responseMode: modes[responseKey ? 'encrypted' : 'plain'],
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
    const ofLink = { ...request, responseUri, clientId, state: newSecret(random) };
    if (!definition) return { protocol: 'v1', ...ofLink };
    return { protocol: 'exchange', ...ofLink, definition, ...draftClient(clientId) };
  }

  /** A new request for documents, whose response will be encrypted to a key. */
  async #mdocs(documents: RequestedDocument[], key: MessageKey): Promise<MdocSessionRequest> {
    const { mdocRequests, random } = this.parts;
    const given = { nonce: random.bytes(NONCE_BYTES), jwk: readPublicJwk(key) };
    return { documents, encryptionInfo: await mdocRequests.encryptionInfo(given) };
  }
}
