import type { Clock } from '../../../ports/system.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { dcApiRequest, requestParameters } from '../openid4vp/v1-request.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import { signRequestObject } from '../request-object.ts';
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
  clock: Clock;
}

/** What a wallet sends when it fetches a request by POST (OpenID4VP 1.0 §5.10). */
export interface RequestForm {
  wallet_nonce?: string;
  /** JSON. */
  wallet_metadata?: string;
}

/** A request as a wallet or a page gets it: a signed one as a compact JWS, any other as JSON. */
export type FetchedRequest = { signed: string } | { json: JsonObject };

/** Gives wallets their requests. */
export class RequestEndpoint {
  readonly #parts: RequestEndpointParts;

  constructor(parts: RequestEndpointParts) {
    this.#parts = parts;
  }

  /**
   * The request with this id; a signed one is signed anew each time. It can be fetched until a response has arrived.
   * @throws DomainError `NotFound`, `Conflict` after the response, `BadRequest` naming the parameter; as `sessionSigner`
   * and `Signer.sign`
   */
  async fetch(verifier: PresentationVerifier, requestId: string, form: RequestForm = {}): Promise<FetchedRequest> {
    const { sessions, events, clock } = this.#parts;
    const session = await sessions.requested(verifier, requestId);
    const now = clock.now();
    checkOpen(session, now);
    checkFree(session.value, now);
    checkWalletMetadata(form);
    const answer = await this.#answer(verifier, { request: session.value.request, form, now });
    const moved = await sessions.move(session, { change: fetched });
    await events.record(moved, ['authorization_request_requested']);
    return answer;
  }

  /** What a page passes to the browser, so that it need not fetch it; undefined for other flows. @throws as `fetch` */
  async ofPage(verifier: PresentationVerifier, { value: { request } }: StoredSession): Promise<JsonObject | undefined> {
    if (request.walletUrl !== undefined) return undefined;
    const answer = await this.#answer(verifier, { request, form: {}, now: this.#parts.clock.now() });
    return 'json' in answer ? answer.json : undefined;
  }

  async #answer(
    verifier: PresentationVerifier,
    { request, form, now }: { request: SessionRequest; form: RequestForm; now: number },
  ): Promise<FetchedRequest> {
    if (request.mdocs) return { json: await this.#parts.mdocFlow.pageRequest(verifier, request) };
    const parameters = requestParameters(request);
    const { signing } = request;
    const signed = signing && (await this.#signed(verifier, { request, signing, walletNonce: form.wallet_nonce, now }));
    if (request.walletUrl === undefined) return { json: dcApiRequest(parameters, signed) };
    return signed === undefined ? { json: parameters } : { signed };
  }

  async #signed(
    verifier: PresentationVerifier,
    {
      request,
      signing,
      walletNonce,
      now,
    }: { request: SessionRequest; signing: SessionSigning; walletNonce: string | undefined; now: number },
  ): Promise<string> {
    const signer = await sessionSigner(signing, { ...this.#parts, verifier });
    const parameters = { ...requestParameters(request), client_id: request.clientId ?? '' };
    const { expiresAt } = request;
    return signRequestObject({ parameters, now, expiresAt, walletNonce }, { signer, header: signing.header });
  }
}

/** Checks that a request has not ended. @throws DomainError `NotFound` */
export function checkOpen({ value: { request } }: StoredSession, now: number): void {
  if (now >= request.expiresAt)
    throw new DomainError('NotFound', 'There is no such verification session, or it has expired');
}

/** What a wallet can do is its own to compare with the request; it must be an object. @throws DomainError `BadRequest` */
function checkWalletMetadata({ wallet_metadata: text }: RequestForm): void {
  if (text !== undefined && !isObject(at(['wallet_metadata'], () => parsed(text))))
    throw invalidField(['wallet_metadata'], 'must be a JSON object');
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
