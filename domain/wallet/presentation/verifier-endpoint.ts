import type { MessageEncryption } from '../../../ports/message-encryption.ts';
import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { httpUrl } from '../../network/urls.ts';
import { isSuccess, ProtocolClient, readObject } from '../protocol-client.ts';
import type { PresentationPlan } from './presentation-plan.ts';
import { isCarried, type RequestParameters, responseAddress } from './presentation-request.ts';
import { encryptResponse, recipientOf } from './response-recipient.ts';

/** Where a verifier sends the user, if anywhere. */
export interface Redirect {
  redirectUri?: string;
}

/** What a verifier answered to a response. */
export interface VerifierReply extends Redirect {
  /** Whether the verifier has nothing yet: the browser of the user takes it the response, which is in the address. */
  isCarried?: boolean;
  /** Its JSON object, if it is one. */
  body?: JsonObject;
  /** Whether it received the response and did not take it. */
  isRefused?: boolean;
}

/** The error of a verifier that received a response and did not take it. */
class RefusedResponse extends DomainError {
  constructor(
    error: DomainError,
    readonly reply: VerifierReply,
  ) {
    super(error.code, error.message, { ...error, cause: error });
  }
}

/** What a verifier answered that did not take a response. @throws any other error */
export function refusalIn(error: unknown): VerifierReply {
  if (error instanceof RefusedResponse) return error.reply;
  throw error;
}

/** The error code of a user who declines (RFC 6749 §4.1.2.1, OpenID4VP 1.0 §8.5). */
const ACCESS_DENIED = 'access_denied';

/**
 * Gives answers to verifiers: posts them (response modes `direct_post` and `direct_post.jwt`), or makes the address at which the
 * browser of the user brings them (`fragment`).
 */
export class VerifierEndpoint {
  readonly #client: ProtocolClient;
  readonly #encryption: MessageEncryption;

  constructor({ outbound, encryption }: { outbound: Outbound; encryption: MessageEncryption }) {
    this.#client = new ProtocolClient(outbound, 'verifier');
    this.#encryption = encryption;
  }

  /**
   * Gives the parameters of an answer, encrypted when the request asks for it.
   * @throws DomainError `BadRequest` with the verifier's reason, `UpstreamFailed`, `UpstreamTimeout`
   */
  async answer(
    request: RequestParameters,
    parameters: JsonObject,
    nonces: Partial<Pick<PresentationPlan, 'mdocNonce'>> = {},
  ): Promise<VerifierReply> {
    const response = await this.sealed(request, { ...parameters, ...stateOf(request) }, nonces);
    if (isCarried(request)) return carriedTo(request, asForm(response));
    const reply = await this.#post(request, asForm(response));
    const next = redirectOf(reply);
    const body = readObject(reply);
    if (isSuccess(reply)) return { ...next, body };
    const error = this.#client.errorFrom(reply, { ...next });
    throw error.code === 'BadRequest' ? new RefusedResponse(error, { ...next, body, isRefused: true }) : error;
  }

  /** Gives an error, that the user declines if none is given. A verifier that repeats it has received it. @throws DomainError as `answer` */
  async decline(request: RequestParameters, error = ACCESS_DENIED, description?: string): Promise<VerifierReply> {
    const said = { error, ...stateOf(request), ...(description !== undefined && { error_description: description }) };
    if (isCarried(request)) return carriedTo(request, said);
    const reply = await this.#post(request, said);
    const next = redirectOf(reply);
    if (isSuccess(reply) || readObject(reply)?.error === error) return { ...next, body: readObject(reply) };
    throw this.#client.errorFrom(reply, { ...next });
  }

  /** The response as an object: its parameters, or where the request asks for it their encrypted form alone. */
  async sealed(
    { params }: RequestParameters,
    parameters: JsonObject,
    { mdocNonce: apu }: Partial<Pick<PresentationPlan, 'mdocNonce'>>,
  ): Promise<JsonObject> {
    const recipient = recipientOf(params);
    if (!recipient) return parameters;
    return {
      response: await encryptResponse(recipient, { parameters, apu, apv: params.get('nonce') }, this.#encryption),
    };
  }

  #post(request: RequestParameters, form: Record<string, string>): Promise<OutboundReply> {
    return this.#client.send({
      method: 'POST',
      url: responseAddress(request),
      expects: 'protocol-reply',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
  }
}

/** The parameters in the fragment of the address (OAuth 2.0 Multiple Response Types §2.1). */
function carriedTo(request: RequestParameters, form: Record<string, string>): VerifierReply {
  const address = new URL(responseAddress(request));
  address.hash = new URLSearchParams(form).toString();
  return { redirectUri: address.href, isCarried: true };
}

const asForm = (parameters: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, isText(value) ? value : JSON.stringify(value)]),
  );

const stateOf = ({ params }: RequestParameters): { state?: string } => {
  const state = params.get('state');
  return state ? { state } : {};
};

/** Only web addresses, since a browser follows them. */
function redirectOf(reply: OutboundReply): Redirect {
  const body = readObject(reply);
  const uri = [body?.redirect_uri, body?.error_uri].find(isText);
  return uri !== undefined && httpUrl(uri) ? { redirectUri: uri } : {};
}
