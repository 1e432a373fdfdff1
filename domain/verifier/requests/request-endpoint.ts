import type { MdocRequests } from '../../../ports/codecs/mdoc-requests.ts';
import type { MessageEncryption } from '../../../ports/message-encryption.ts';
import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { utf8 } from '../../foundation/bytes.ts';
import { at } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { FetchedRequest } from '../protocol.ts';
import { rulesOf } from '../verification/protocols.ts';
import type { SessionRepository, StoredSession } from '../verification/repository.ts';
import type { ProtocolOf } from '../verification/rules.ts';
import { fetched } from '../verification/session.ts';
import type { Verifier } from '../verifier.ts';
import type { RequestSigning } from './request-signing.ts';

/** What a wallet sends when it fetches a request by POST (OpenID4VP 1.0 §5.10). */
interface RequestForm {
  wallet_nonce?: string;
  /** JSON. */
  wallet_metadata?: string;
}

/** Gives wallets their requests. */
export class RequestEndpoint {
  constructor(
    private readonly parts: {
      sessions: SessionRepository;
      signing: RequestSigning;
      mdocRequests: Pick<MdocRequests, 'deviceRequest'>;
      encryption: MessageEncryption;
      formats: CredentialFormats;
      clock: Clock;
    },
  ) {}

  /**
   * The request of a session; a signed one is signed anew each time, and encrypted where the metadata of the wallet say so
   * (OpenID4VP 1.0 §5.10). It can be fetched until a response has arrived.
   * @throws DomainError `NotFound`, `Conflict` after the response, `Busy` while one is verified, `BadRequest` naming the
   * parameter; as `RequestSigning` and `Signer.sign`
   */
  async fetch(verifier: Verifier, session: StoredSession, form: RequestForm = {}): Promise<FetchedRequest> {
    const { sessions, clock } = this.parts;
    const { request, state } = session.value;
    const { states, checkFetchable } = rulesOf(request);
    checkFetchable(session.value, clock.now());
    const recipient = await this.#recipient(session, form);
    const answer = await this.#answer(verifier, session, form);
    if (state === 'waiting' && states.waiting !== states.fetched)
      await sessions.move(session, { change: fetched, events: ['authorization_request_requested'] });
    return recipient && 'signed' in answer ? { signed: await recipient(utf8(answer.signed)) } : answer;
  }

  /** What a page passes to the browser, so that it need not fetch it; undefined for other flows. @throws as `fetch` */
  async ofPage(verifier: Verifier, session: StoredSession<ProtocolOf<'v1'>>): Promise<JsonObject | undefined> {
    if (session.value.request.walletUrl !== undefined) return undefined;
    const answer = await this.#answer(verifier, session);
    return 'json' in answer ? answer.json : undefined;
  }

  #recipient({ value: { request } }: StoredSession, { wallet_metadata: metadata }: RequestForm) {
    if (metadata === undefined) return undefined;
    return at(['wallet_metadata'], () => {
      const wanted = rulesOf(request).readWalletMetadata(metadata, request);
      return wanted && this.parts.encryption.recipient(wanted);
    });
  }

  #answer(
    verifier: Verifier,
    { id, value: { request }, expiresAt }: StoredSession,
    { wallet_nonce: walletNonce }: RequestForm = {},
  ): Promise<FetchedRequest> {
    const { clock, signing, ...parts } = this.parts;
    const { signing: own } = { signing: undefined, ...request };
    const signer = (dnsName?: string) =>
      own ? signing.ofSession(own, verifier) : signing.ofVerifier(verifier, dnsName);
    const { draft20 } = verifier;
    const tools = { ...parts, now: clock.now(), walletNonce, draft20, signer };
    return rulesOf(request).fetchedRequest({ id, request, expiresAt }, tools);
  }
}
