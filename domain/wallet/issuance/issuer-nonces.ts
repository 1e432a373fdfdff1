import type { Outbound } from '../../../ports/outbound.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { ProtocolClient } from '../protocol-client.ts';
import { type DpopBinding, noteNonce } from './dpop-calls.ts';

/** The endpoints of issuers that give nonces for proofs (OpenID4VCI 1.0 §7). */
export class IssuerNonces {
  readonly #client: ProtocolClient;

  constructor(outbound: Outbound) {
    this.#client = new ProtocolClient(outbound, 'issuer');
  }

  /** A new nonce; undefined for an issuer without such an endpoint. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async fresh({ metadata, dpop }: { metadata: JsonObject; dpop?: DpopBinding }): Promise<string | undefined> {
    const { nonce_endpoint: url } = metadata;
    if (!isText(url)) return undefined;
    const headers = { accept: 'application/json' };
    const reply = await this.#client.send({ method: 'POST', url, expects: 'protocol-reply', headers });
    if (dpop) noteNonce(dpop, url, reply);
    const { c_nonce: nonce } = this.#client.objectOf(reply);
    return isText(nonce) ? nonce : undefined;
  }
}
