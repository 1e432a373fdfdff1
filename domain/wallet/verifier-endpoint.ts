import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import { isText } from '../foundation/json.ts';
import { httpUrl } from '../network/urls.ts';
import { type RequestParameters, responseAddress } from './presentation-request.ts';
import { isSuccess, ProtocolClient, readObject } from './protocol-client.ts';

/** Where a verifier sends the user, if anywhere. */
export interface Redirect {
  redirectUri?: string;
}

/** The error code of a user who declines (RFC 6749 §4.1.2.1, OpenID4VP 1.0 §8.5). */
const ACCESS_DENIED = 'access_denied';

/** The endpoints of verifiers that receive answers (response mode `direct_post`). */
export class VerifierEndpoint {
  readonly #client: ProtocolClient;

  constructor(outbound: Outbound) {
    this.#client = new ProtocolClient(outbound, 'verifier');
  }

  /** Posts an answer. @throws DomainError `BadRequest` with the verifier's reason, `UpstreamFailed`, `UpstreamTimeout` */
  async answer(request: RequestParameters, form: Record<string, string>): Promise<Redirect> {
    const reply = await this.#post(request, form);
    const next = redirectOf(reply);
    if (!isSuccess(reply)) throw this.#client.errorFrom(reply, { ...next });
    return next;
  }

  /** Posts that the user declines. A verifier that repeats the error has received it. @throws DomainError as `answer` */
  async decline(request: RequestParameters): Promise<Redirect> {
    const reply = await this.#post(request, { error: ACCESS_DENIED });
    const next = redirectOf(reply);
    if (isSuccess(reply) || readObject(reply)?.error === ACCESS_DENIED) return next;
    throw this.#client.errorFrom(reply, { ...next });
  }

  #post(request: RequestParameters, answer: Record<string, string>): Promise<OutboundReply> {
    const state = request.params.get('state');
    return this.#client.send({
      method: 'POST',
      url: responseAddress(request),
      expects: 'protocol-reply',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ ...answer, ...(state && { state }) }).toString(),
    });
  }
}

/** Only web addresses, since a browser follows them. */
function redirectOf(reply: OutboundReply): Redirect {
  const body = readObject(reply);
  const uri = [body?.redirect_uri, body?.error_uri].find(isText);
  return uri !== undefined && httpUrl(uri) ? { redirectUri: uri } : {};
}
