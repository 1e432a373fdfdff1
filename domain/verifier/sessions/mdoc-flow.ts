import type { MdocExchange, MdocRequests, RequestedDocument } from '../../../ports/mdoc-requests.ts';
import type { Random } from '../../../ports/system.ts';
import { fromBase64 } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { readPublicJwk } from '../../jose/jwk.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { MessageKey } from '../../keys/message-keys.ts';
import { type ParsedResponse, parseRefusal, placeOfData, type ReceivedResponse } from '../openid4vp/v1-response.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import type { MdocSessionRequest, SessionRequest, SessionSigning } from './session.ts';
import { sessionSigner } from './session-signer.ts';

const NONCE_BYTES = 32;
const PROTOCOL = 'org-iso-mdoc';

/** What the flow works with. */
export interface MdocFlowParts {
  mdocRequests: MdocRequests;
  keys: KeyBackends;
  random: Random;
}

/** Sessions that ask a page for mdocs without OpenID4VP (ISO/IEC TS 18013-7:2025 annex C). */
export class MdocFlow {
  readonly #parts: MdocFlowParts;

  constructor(parts: MdocFlowParts) {
    this.#parts = parts;
  }

  /** A new request, whose response will be encrypted to a key. */
  async create(documents: RequestedDocument[], key: MessageKey): Promise<MdocSessionRequest> {
    const { mdocRequests, random } = this.#parts;
    const nonce = random.bytes(NONCE_BYTES);
    return { documents, encryptionInfo: await mdocRequests.encryptionInfo({ nonce, jwk: readPublicJwk(key) }) };
  }

  /** What a page passes to the browser. @throws as `sessionSigner` and `Signer.sign` */
  async pageRequest(
    verifier: PresentationVerifier,
    { mdocs, signing, expectedOrigins }: SessionRequest,
  ): Promise<JsonObject> {
    const { mdocRequests } = this.#parts;
    const { documents, encryptionInfo } = mdocs ?? noRequest();
    const exchange = exchangeOf(encryptionInfo, expectedOrigins);
    const signed = signing && { reader: await this.#reader(signing, verifier), exchange };
    const deviceRequest = await mdocRequests.deviceRequest(documents, signed);
    return { protocol: PROTOCOL, data: { deviceRequest, encryptionInfo } };
  }

  /**
   * Parses what the browser gave the page, as the `vp_token` of the session's query.
   * @throws DomainError `BadRequest` naming the parameter
   */
  async parse(received: ReceivedResponse, request: SessionRequest): Promise<ParsedResponse> {
    if (received.error !== undefined) return { refusal: parseRefusal(received, request) };
    const { mdocs, responseKey: key, expectedOrigins } = request;
    const exchange = exchangeOf((mdocs ?? noRequest()).encryptionInfo, expectedOrigins);
    if (received.origin !== undefined && received.origin !== exchange.origin)
      throw invalidField(['origin'], 'is not the origin that the session expects');
    const place = placeOfData(received);
    const data = place.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), received);
    return at([...place, 'response'], async () => {
      const response = isObject(data) ? data.response : undefined;
      if (!isText(response) || !key) throw invalidField([], 'is required');
      const vpToken = JSON.stringify(await this.#vpToken(response, { exchange, key }));
      return { vpToken, origin: exchange.origin };
    });
  }

  async #vpToken(response: string, given: { exchange: MdocExchange; key: MessageKey }): Promise<JsonObject> {
    const token = new Map<string, string[]>();
    for (const { docType, presentation } of await this.#open(response, given))
      token.set(docType, [...(token.get(docType) ?? []), presentation]);
    return Object.fromEntries(token);
  }

  #open(response: string, given: { exchange: MdocExchange; key: MessageKey }) {
    return this.#parts.mdocRequests.open(response, given).catch((error) => {
      throw error instanceof DomainError && !error.details ? invalidField([], error.message) : error;
    });
  }

  async #reader(signing: SessionSigning, verifier: PresentationVerifier) {
    const signer = await sessionSigner(signing, { ...this.#parts, verifier });
    return { signer, chain: (signing.header.x5c ?? []).flatMap((text) => fromBase64(text) ?? []) };
  }
}

/** The exchange of a session with the page of its one origin. */
export const exchangeOf = (encryptionInfo: string, [origin = '']: readonly string[] = []): MdocExchange => ({
  kind: 'iso-dc-api',
  origin,
  encryptionInfo,
});

function noRequest(): never {
  throw new Error('The session does not ask for mdocs in the protocol org-iso-mdoc');
}
