import type { Outbound } from '../../ports/outbound.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import type { SupportedFormat } from '../credentials/formats.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { ActivityRecorder } from '../holdings/activity.ts';
import type { Credentials, StoredCredential } from '../holdings/credentials.ts';
import type { Dids, SigningDid } from '../holdings/dids.ts';
import type { QueryPorts } from '../presentation/compiled-query.ts';
import { readDefinition } from '../presentation/exchange/definition.ts';
import { createSubmission } from '../presentation/exchange/submission.ts';
import { compileQuery } from '../presentation/query.ts';
import {
  createRequestLink,
  type PresentationRequests,
  type RequestParameters,
  type ResolvedRequest,
  responseAddress,
} from './presentation-request.ts';
import { sanitizeReason } from './protocol-client.ts';
import { assign, matching } from './submission.ts';
import { type Redirect, VerifierEndpoint } from './verifier-endpoint.ts';

/** The selection of the user. */
export interface PresentationAnswer {
  /** The link of the request. */
  link: string;
  /** Ids of credentials of the wallet. */
  selectedCredentials: string[];
  /** The DID to present as; that of the first credential when absent. */
  did?: string | null;
  /** For the event log of the wallet; never sent. */
  note?: string;
}

/** The refusal of the user. */
export type Decline = Pick<PresentationAnswer, 'link' | 'note'>;

/** What `PresentationClient` works with. */
export interface PresentationParts {
  dids: Dids;
  credentials: Credentials;
  requests: PresentationRequests;
  matching: QueryPorts;
  clock: Clock;
  ids: Ids;
  activity: ActivityRecorder;
}

/** Presents credentials to verifiers (OpenID4VP). */
export class PresentationClient {
  readonly #parts: PresentationParts;
  readonly #verifiers: VerifierEndpoint;

  constructor(parts: PresentationParts, outbound: Outbound) {
    this.#parts = parts;
    this.#verifiers = new VerifierEndpoint(outbound);
  }

  /** Returns the request as a link with everything in it. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async resolve(link: string): Promise<string> {
    return createRequestLink(await this.#parts.requests.resolve(link));
  }

  /** Returns the usable credentials that match any descriptor of a definition. @throws DomainError `BadRequest` */
  async match(walletId: string, definition: unknown): Promise<StoredCredential[]> {
    const query = { language: 'presentation-exchange', definition: readDefinition(definition) } as const;
    const compiled = await compileQuery(query, this.#parts.matching);
    return matching(compiled, await this.#parts.credentials.usable(walletId));
  }

  /**
   * Presents the selected credentials. Returns where the verifier sends the user, if anywhere.
   * @throws DomainError `BadRequest` naming `link` or `selectedCredentials`, or with the verifier's reason
   */
  async present(walletId: string, answer: PresentationAnswer): Promise<Redirect> {
    const request = await this.#parts.requests.resolve(answer.link);
    responseAddress(request);
    const selected = await this.#select(walletId, answer.selectedCredentials);
    const format = this.#formatOf(selected);
    const submission = await this.#submission(request, selected, format);
    const preferred = selected.map((credential) => credential.holder);
    const holder = await this.#parts.dids.signingDid(walletId, answer.did, preferred);
    const vpToken = await this.#sign(request, { holder, selected, format });
    const form = { vp_token: vpToken, presentation_submission: JSON.stringify(submission) };
    const next = await this.#verifiers.answer(request, form);
    const event = { event: 'Credential', action: 'Present', ...exchangeFacts(request, answer, next) } as const;
    for (const { id, format } of selected)
      await this.#parts.activity.record(walletId, { ...event, credentialId: id, data: { format, ...event.data } });
    return next;
  }

  /**
   * Answers a request with `access_denied` and nothing else (OpenID4VP 1.0 §8.5). Returns where the verifier sends the
   * user, if anywhere. @throws DomainError `BadRequest` naming `link`, or when the verifier does not accept the answer
   */
  async decline(walletId: string, refusal: Decline): Promise<Redirect> {
    const request = await this.#parts.requests.parameters(refusal.link);
    const next = await this.#verifiers.decline(request);
    await this.#parts.activity.record(walletId, {
      event: 'Credential',
      action: 'Decline',
      ...exchangeFacts(request, refusal, next),
    });
    return next;
  }

  async #select(walletId: string, ids: string[]): Promise<StoredCredential[]> {
    const usable = new Map(
      (await this.#parts.credentials.usable(walletId)).map((credential) => [credential.id, credential]),
    );
    return [...new Set(ids)].map((id) => {
      const credential = usable.get(id);
      if (credential) return credential;
      throw invalidField(['selectedCredentials'], `this wallet has no credential ${id.slice(0, 80)}`);
    });
  }

  /** One presentation has credentials of one format. @throws DomainError `BadRequest` */
  #formatOf(selected: StoredCredential[]): SupportedFormat {
    const { formats } = this.#parts.matching;
    const [format = formats.standard, ...others] = new Set(
      selected.map((credential) => formats.get(credential.format)),
    );
    if (others.length === 0) return format;
    throw invalidField(['selectedCredentials'], 'credentials of different formats cannot be presented together');
  }

  async #submission(
    { query }: ResolvedRequest,
    selected: StoredCredential[],
    format: SupportedFormat,
  ): Promise<JsonObject> {
    if (!query) throw new DomainError('BadRequest', 'Requests with dcql_query are not supported');
    const hints = assign(await compileQuery(query, this.#parts.matching), selected);
    return createSubmission({ id: this.#parts.ids.uuid(), definitionId: query.definition.id, hints, format });
  }

  /** The presentation, bound to the request by its nonce and its client_id. */
  #sign({ params }: ResolvedRequest, { holder, selected, format }: Signing): Promise<string> {
    const { clock, ids } = this.#parts;
    const { did, kid, signer } = holder;
    const content = {
      id: `urn:uuid:${ids.uuid()}`,
      credentials: selected.map(({ document }) => document),
      holder: { did, kid },
      nonce: params.get('nonce'),
      audience: params.get('client_id'),
      now: clock.now(),
    };
    return format.codec.present(content, signer);
  }
}

/** What is presented, by whom. */
interface Signing {
  holder: SigningDid;
  selected: StoredCredential[];
  format: SupportedFormat;
}

/** What the event log says of an answer to a verifier: names and hosts, no claims. */
function exchangeFacts(request: RequestParameters, { note }: Pick<Decline, 'note'>, { redirectUri }: Redirect) {
  const clientId = request.params.get('client_id');
  const data: JsonObject = {
    responseHost: new URL(responseAddress(request)).host,
    ...(redirectUri !== undefined && { redirectHost: new URL(redirectUri).host }),
  };
  return {
    data,
    ...(clientId !== undefined && { originator: sanitizeReason(clientId) }),
    ...(note !== undefined && { note }),
  };
}
