import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { epochSeconds } from '../foundation/time.ts';
import { signJws } from '../jose/jws.ts';
import { httpUrl } from '../network/urls.ts';
import { readDefinition } from '../presentation/exchange/definition.ts';
import { compileDefinition, type MatchingPorts } from '../presentation/exchange/matching.ts';
import {
  type PresentationRequests,
  type ResolvedRequest,
  responseAddress,
  writeRequest,
} from './presentation-request.ts';
import { isSuccess, ProtocolClient, readObject } from './protocol-client.ts';
import { assign, matching, submissionOf } from './submission.ts';
import type { HeldCredential, WalletCredentials } from './wallet-credentials.ts';
import type { Holder, WalletDids } from './wallet-dids.ts';

/** What the user decided to present. */
export interface PresentationAnswer {
  /** The link of the request. */
  link: string;
  /** Ids of credentials of the wallet. */
  selectedCredentials: string[];
  /** The DID to present as; that of the first credential when absent. */
  did?: string | null;
}

/** What `Presentations` works with. */
export interface PresentationParts {
  dids: WalletDids;
  credentials: WalletCredentials;
  requests: PresentationRequests;
  matching: MatchingPorts;
  clock: Clock;
  ids: Ids;
}

/** How long a presentation may be used by its verifier, in seconds. */
const VALID_SECONDS = 300;

/** Presentations, from the request link to the verifier's answer. */
export class PresentationClient {
  readonly #parts: PresentationParts;
  readonly #peer: ProtocolClient;

  constructor(parts: PresentationParts, outbound: Outbound) {
    this.#parts = parts;
    this.#peer = new ProtocolClient(outbound, 'verifier');
  }

  /** The request as a link with everything in it. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async resolve(link: string): Promise<string> {
    return writeRequest(await this.#parts.requests.resolve(link));
  }

  /** The usable credentials that answer any descriptor of a definition. @throws DomainError `BadRequest` */
  async match(walletId: string, definition: unknown): Promise<HeldCredential[]> {
    const compiled = await compileDefinition(readDefinition(definition), this.#parts.matching);
    return matching(compiled, await this.#parts.credentials.usable(walletId));
  }

  /**
   * Presents the selected credentials. Returns where the verifier sends the user, if anywhere.
   * @throws DomainError `BadRequest` naming `link` or `selectedCredentials`, or with the verifier's reason
   */
  async present(walletId: string, answer: PresentationAnswer): Promise<{ redirectUri?: string }> {
    const request = await this.#parts.requests.resolve(answer.link);
    const url = responseAddress(request);
    const selected = await this.#select(walletId, answer.selectedCredentials);
    const submission = await this.#submission(request, selected);
    const preferred = selected.map((credential) => credential.holder);
    const holder = await this.#parts.dids.holder(walletId, answer.did, preferred);
    const vpToken = await this.#sign(request, holder, selected);
    const state = request.params.get('state');
    const form = { vp_token: vpToken, presentation_submission: JSON.stringify(submission), ...(state && { state }) };
    const reply = await this.#peer.send({
      method: 'POST',
      url,
      expects: 'protocol-reply',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
    const next = redirectOf(reply);
    if (!isSuccess(reply)) throw this.#peer.errorFrom(reply, next);
    return next;
  }

  async #select(walletId: string, ids: string[]): Promise<HeldCredential[]> {
    const usable = new Map((await this.#parts.credentials.usable(walletId)).map((held) => [held.id, held]));
    return [...new Set(ids)].map((id) => {
      const held = usable.get(id);
      if (held) return held;
      throw invalidField(['selectedCredentials'], `this wallet has no credential ${id.slice(0, 80)}`);
    });
  }

  async #submission({ definition }: ResolvedRequest, selected: HeldCredential[]): Promise<JsonObject> {
    if (!definition) throw new DomainError('BadRequest', 'Requests with dcql_query are not supported');
    const compiled = await compileDefinition(definition, this.#parts.matching);
    return submissionOf(this.#parts.ids.uuid(), definition.id, assign(compiled, selected));
  }

  /** The presentation as a JWT (VC Data Model 1.1 §6.3.1), bound to the request by `nonce` and `aud`. */
  #sign({ params }: ResolvedRequest, holder: Holder, selected: HeldCredential[]): Promise<string> {
    const { clock, ids } = this.#parts;
    const now = epochSeconds(clock.now());
    const id = `urn:uuid:${ids.uuid()}`;
    const { did, kid, signer } = holder;
    const [nonce, aud] = [params.get('nonce'), params.get('client_id')];
    const vp = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiablePresentation'],
      id,
      holder: did,
      verifiableCredential: selected.map(({ document }) => document),
    };
    const times = { iat: now, nbf: now, exp: now + VALID_SECONDS };
    return signJws({ kid, typ: 'JWT' }, { iss: did, sub: did, jti: id, ...times, nonce, aud, vp }, signer);
  }
}

/** Where the verifier sends the user; only web addresses are passed on, since a browser follows them. */
function redirectOf(reply: OutboundReply): { redirectUri?: string } {
  const body = readObject(reply);
  const uri = [body?.redirect_uri, body?.error_uri].find(isText);
  return uri !== undefined && httpUrl(uri) ? { redirectUri: uri } : {};
}
