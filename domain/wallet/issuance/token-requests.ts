import type { OutboundRequest } from '../../../ports/outbound.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { DPOP } from '../../oauth/dpop-proof.ts';
import type { ProtocolClient } from '../protocol-client.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { AccessGrant, DpopBinding, DpopCalls } from './dpop-calls.ts';

/** What is sent to a token endpoint. */
interface TokenRequest {
  server: AuthorizationServer;
  /** The parameters of the grant. */
  form: Record<string, string>;
}

/** An access token, and what came with it. */
interface TokenAnswer {
  grant: AccessGrant;
  /** The nonce of the drafts (OpenID4VCI draft 13 §6.2). */
  nonce?: string;
  /** The member `authorization_details`. */
  details: unknown;
}

/** Gets access tokens, bound to a new key wherever the server takes DPoP proofs (RFC 9449). */
export class TokenRequests {
  constructor(
    private readonly dpop: DpopCalls,
    private readonly client: ProtocolClient,
  ) {}

  /** @throws DomainError `BadRequest` with the server's reason, `UpstreamFailed`, `UpstreamTimeout` */
  async redeem({ server, form }: TokenRequest): Promise<TokenAnswer> {
    const binding = await this.dpop.bind(server.dpopAlgorithms);
    const request: OutboundRequest = {
      method: 'POST',
      url: server.tokenEndpoint,
      expects: 'token-response',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    };
    const reply = await this.dpop.send(async () => request, { dpop: binding });
    const token = this.client.objectOf(reply);
    const { c_nonce: nonce, authorization_details: details } = token;
    return { grant: readGrant(token, binding), details, ...(isText(nonce) && { nonce }) };
  }
}

/** The token of a response (RFC 6749 §5.1); a server may give a bearer token although it was sent a proof (RFC 9449 §5). */
function readGrant({ access_token: accessToken, token_type: type }: JsonObject, dpop?: DpopBinding): AccessGrant {
  if (!isText(accessToken)) throw new DomainError('UpstreamFailed', 'The issuer gave no access_token');
  const isBound = String(type).toLowerCase() === DPOP.SCHEME.toLowerCase();
  if (isBound && !dpop) throw new DomainError('UpstreamFailed', 'The access token is bound to a key that was not sent');
  return { accessToken, ...(isBound && { dpop }) };
}
