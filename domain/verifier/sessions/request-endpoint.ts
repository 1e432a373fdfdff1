import type { MessageEncryption, Recipient } from '../../../ports/message-encryption.ts';
import type { Clock } from '../../../ports/system.ts';
import { utf8 } from '../../foundation/bytes.ts';
import { at, DomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { dcApiRequest, requestParameters } from '../openid4vp/v1-request.ts';
import { readWalletMetadata } from '../openid4vp/wallet-metadata.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import { type NewRequestObject, signRequestObject, unsecuredRequestObject } from '../request-object.ts';
import type { MdocFlow } from './mdoc-flow.ts';
import type { PresentationSessionRepository, StoredSession } from './repository.ts';
import { checkFree, fetched, type SessionRequest, type SessionSigning } from './session.ts';
import type { SessionEvents } from './session-events.ts';
import { sessionSigner } from './session-signer.ts';

/** What the request endpoint needs. */
export interface RequestEndpointParts {
  sessions: PresentationSessionRepository;
  events: SessionEvents;
  keys: KeyBackends;
  mdocFlow: MdocFlow;
  encryption: MessageEncryption;
  clock: Clock;
}

/** What a wallet sends when it fetches a request by POST (OpenID4VP 1.0 §5.10). */
export interface RequestForm {
  wallet_nonce?: string;
  /** JSON. */
  wallet_metadata?: string;
}

/**
 * A request as a wallet or a page gets it: a signed one as a compact JWS, or this in a compact JWE, any other as JSON; one
 * for a wallet also as the request object without a signature.
 */
export type FetchedRequest = { signed: string } | { json: JsonObject; unsecured?: string };

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
  async fetch(verifier: PresentationVerifier, requestId: string, form: RequestForm = {}): Promise<FetchedRequest> {
    const { sessions, events, clock } = this.#parts;
    const session = await sessions.requested(verifier, requestId);
    const now = clock.now();
    checkOpen(session, now);
    checkFree(session.value, now);
    const { request } = session.value;
    const { wallet_metadata: metadata } = form;
    const recipient = metadata === undefined ? undefined : await this.#recipient(metadata, request);
    const answer = await this.#answer(verifier, { request, form, now });
    const moved = await sessions.move(session, { change: fetched });
    await events.record(moved, ['authorization_request_requested']);
    return recipient && 'signed' in answer ? { signed: await recipient(utf8(answer.signed)) } : answer;
  }

  /** What a page passes to the browser, so that it need not fetch it; undefined for other flows. @throws as `fetch` */
  async ofPage(verifier: PresentationVerifier, { value: { request } }: StoredSession): Promise<JsonObject | undefined> {
    if (request.walletUrl !== undefined) return undefined;
    const answer = await this.#answer(verifier, { request, form: {}, now: this.#parts.clock.now() });
    return 'json' in answer ? answer.json : undefined;
  }

  #recipient(metadata: string, request: SessionRequest): Promise<Recipient> | undefined {
    return at(['wallet_metadata'], () => {
      const wanted = readWalletMetadata(metadata, request);
      return wanted && this.#parts.encryption.recipient(wanted);
    });
  }

  async #answer(
    verifier: PresentationVerifier,
    { request, form, now }: { request: SessionRequest; form: RequestForm; now: number },
  ): Promise<FetchedRequest> {
    if (request.mdocs) return { json: await this.#parts.mdocFlow.pageRequest(verifier, request) };
    const { signing, expiresAt, clientId = '', walletUrl } = request;
    const json = requestParameters(request);
    const object = { parameters: { ...json, client_id: clientId }, now, expiresAt, walletNonce: form.wallet_nonce };
    const signed = signing && (await this.#signed(verifier, object, signing));
    if (walletUrl === undefined) return { json: dcApiRequest(json, signed) };
    return signed === undefined ? { json, unsecured: unsecuredRequestObject(object) } : { signed };
  }

  async #signed(verifier: PresentationVerifier, object: NewRequestObject, signing: SessionSigning): Promise<string> {
    const signer = await sessionSigner(signing, { ...this.#parts, verifier });
    return signRequestObject(object, { signer, header: signing.header });
  }
}

/** Checks that a request has not ended. @throws DomainError `NotFound` */
export function checkOpen({ value: { request } }: StoredSession, now: number): void {
  if (now >= request.expiresAt)
    throw new DomainError('NotFound', 'There is no such verification session, or it has expired');
}
