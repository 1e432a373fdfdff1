import type { MdocRequests } from '../../../ports/codecs/mdoc-requests.ts';
import type { MessageEncryption, Recipient } from '../../../ports/message-encryption.ts';
import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats.ts';
import { utf8 } from '../../foundation/bytes.ts';
import { at } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { readWalletMetadata } from '../openid4vp/wallet-metadata.ts';
import type { FetchedRequest, V1Request } from '../protocol.ts';
import type { SessionEvents } from '../verification/events.ts';
import { rulesOf } from '../verification/protocols.ts';
import type { SessionRepository, StoredSession } from '../verification/repository.ts';
import type { ProtocolOf } from '../verification/rules.ts';
import { checkFree, checkOpen, fetched } from '../verification/session.ts';
import type { Verifier } from '../verifier.ts';
import { sessionSigner } from './session-signer.ts';

/** What the request endpoint needs. */
interface RequestEndpointParts {
  sessions: SessionRepository;
  events: SessionEvents;
  keys: KeyBackends;
  mdocRequests: Pick<MdocRequests, 'deviceRequest'>;
  encryption: MessageEncryption;
  formats: CredentialFormats;
  clock: Clock;
}

/** What a wallet sends when it fetches a request by POST (OpenID4VP 1.0 §5.10). */
interface RequestForm {
  wallet_nonce?: string;
  /** JSON. */
  wallet_metadata?: string;
}

/** Gives wallets their requests. */
export class RequestEndpoint {
  readonly #parts: RequestEndpointParts;

  constructor(parts: RequestEndpointParts) {
    this.#parts = parts;
  }

  /**
   * The request with this id; a signed one is signed anew each time, and encrypted where the metadata of the wallet say so
   * (OpenID4VP 1.0 §5.10). It can be fetched until a response has arrived.
   * @throws DomainError `NotFound`, `Conflict` after the response, `Busy` while one is verified, `BadRequest` naming the
   * parameter; as `sessionSigner` and `Signer.sign`
   */
  async fetch(verifier: Verifier, requestId: string, form: RequestForm = {}): Promise<FetchedRequest> {
    const { sessions, events, clock } = this.#parts;
    const session = await sessions.requested(verifier, requestId);
    const now = clock.now();
    checkOpen(session.value, now);
    checkFree(session.value, now);
    const { request } = session.value;
    const { wallet_metadata: metadata } = form;
    const recipient = metadata === undefined ? undefined : await this.#recipient(metadata, request);
    const answer = await this.#answer(verifier, session, form);
    const moved = await sessions.move(session, { change: fetched });
    await events.record(moved, ['authorization_request_requested']);
    return recipient && 'signed' in answer ? { signed: await recipient(utf8(answer.signed)) } : answer;
  }

  /** What a page passes to the browser, so that it need not fetch it; undefined for other flows. @throws as `fetch` */
  async ofPage(verifier: Verifier, session: StoredSession<ProtocolOf<'v1'>>): Promise<JsonObject | undefined> {
    if (session.value.request.walletUrl !== undefined) return undefined;
    const answer = await this.#answer(verifier, session);
    return 'json' in answer ? answer.json : undefined;
  }

  #recipient(metadata: string, request: V1Request): Promise<Recipient> | undefined {
    return at(['wallet_metadata'], () => {
      const wanted = readWalletMetadata(metadata, request);
      return wanted && this.#parts.encryption.recipient(wanted);
    });
  }

  #answer(
    verifier: Verifier,
    { id, value: { request } }: StoredSession<ProtocolOf<'v1'>>,
    { wallet_nonce: walletNonce }: RequestForm = {},
  ): Promise<FetchedRequest> {
    const { clock, keys, ...parts } = this.#parts;
    const { signing = { alg: '', header: {} } } = request;
    const signer = async () => ({
      signer: await sessionSigner(signing, { verifier, keys }),
      header: signing.header,
    });
    return rulesOf(request).fetchedRequest({ id, request }, { ...parts, now: clock.now(), walletNonce, signer });
  }
}
