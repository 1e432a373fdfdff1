import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { DomainError, ignoring } from '../../foundation/errors.ts';
import { makeRoom } from '../../foundation/records.ts';
import {
  type CompleteRequest,
  type PresentationRequests,
  type RequestParameters,
  type ResolvedRequest,
  responseAddress,
} from './presentation-request.ts';

/** A request that a user was shown, with the nonce of its verifier. */
type KeptRequest = Omit<CompleteRequest, 'params'> & { params: [string, string][] };

const KEPT: CollectionSpec<KeptRequest> = { name: 'wallet-shown-requests', listed: true, afterRestore: 'void' };

/** How long a request that was shown can be answered as it was, in milliseconds. */
const KEPT_MS = 10 * 60 * 1000;
/** How many of them a wallet keeps; the oldest makes room. */
const MAX_KEPT = 16;
/** The most characters of one as JSON; larger ones are resolved anew. */
const MAX_LENGTH = 512 * 1024;

/** What a user agrees to, by the names of the parameters of a request. */
const SHOWN = [
  'response_uri',
  'client_id',
  'nonce',
  'query',
  'transaction_data',
  'client_metadata',
  'response_mode',
  'verifier_info',
] as const;
const QUERIES = ['dcql_query', 'presentation_definition'];
/** The most characters of the digest of each. */
const DIGEST_LENGTH = 16;

/** The requests of verifiers as users saw them: a response goes where was shown, with what was shown, or nowhere. */
export class ConsentedRequests {
  readonly #kept: Collection<KeptRequest>;

  constructor(private readonly parts: { store: Store; clock: Clock; requests: PresentationRequests }) {
    this.#kept = parts.store.collection(KEPT);
  }

  /** Resolves a request for its user, and keeps it for the answer. @throws DomainError as `PresentationRequests.resolve` */
  async show(walletId: string, link: string): Promise<ResolvedRequest> {
    const { requests } = this.parts;
    const complete = await requests.complete(await requests.parameters(link));
    const request = requests.read(complete);
    await this.#keep(walletId, link, complete);
    return request;
  }

  /**
   * Returns the request that was shown, or else resolves it anew.
   * @throws DomainError as `PresentationRequests.resolve`, `Conflict` when it is another one than the user agreed to
   */
  async answer(walletId: string, { link, consent }: { link: string; consent?: string }): Promise<ResolvedRequest> {
    const { requests } = this.parts;
    const request = (await this.shown(walletId, link)) ?? (await requests.resolve(link));
    if (consent !== undefined) checkConsent(request, consent);
    return request;
  }

  /** The request as it was shown, if it was. @throws DomainError `BadRequest` */
  async shown(walletId: string, link: string): Promise<ResolvedRequest | undefined> {
    const shown = await this.#shown(walletId, link);
    return shown && this.parts.requests.read(shown);
  }

  /** The same without what the request refers to. @throws DomainError as `PresentationRequests.parameters` */
  async parameters(walletId: string, link: string, check?: { isUnverified?: boolean }): Promise<RequestParameters> {
    return (await this.#shown(walletId, link)) ?? this.parts.requests.parameters(link, check);
  }

  /** Forgets a request that was answered. */
  async answered(walletId: string, link: string): Promise<void> {
    await this.#kept.remove(keyOf(walletId, link));
  }

  async #shown(walletId: string, link: string): Promise<CompleteRequest | undefined> {
    const kept = await this.#kept.get(keyOf(walletId, link));
    return kept && { ...kept.value, params: new Map(kept.value.params) };
  }

  /** Of two at once one is kept, and the consent to the other is refused when it differs. */
  async #keep(walletId: string, link: string, request: CompleteRequest): Promise<void> {
    const value = { ...request, params: [...request.params] };
    const key = keyOf(walletId, link);
    await this.#kept.remove(key);
    if (JSON.stringify(value).length > MAX_LENGTH) return;
    await makeRoom(this.#kept, { parent: walletId, most: MAX_KEPT });
    const expiresAt = Math.min(this.parts.clock.now() + KEPT_MS, request.expiresAt ?? Number.POSITIVE_INFINITY);
    await this.#kept.insert({ ...key, value, expiresAt }).catch(ignoring('Conflict'));
  }
}

/** Links hold secrets, so records are identified by their digests. */
const keyOf = (walletId: string, link: string) => ({ parent: walletId, id: fingerprint(link) });

/** What an answer repeats to agree to exactly this request: a digest of each thing that was shown. */
export const consentTo = (request: RequestParameters): string =>
  SHOWN.map((name) => fingerprint(shownValue(request, name)).slice(0, DIGEST_LENGTH)).join('.');

function shownValue(request: RequestParameters, name: (typeof SHOWN)[number]): string {
  const { params } = request;
  if (name === 'response_uri') return request.origin ?? responseAddress(request);
  if (name === 'query') return JSON.stringify(QUERIES.map((query) => params.get(query)));
  return params.get(name) ?? '';
}

/** @throws DomainError `Conflict` naming what is not as the user was shown it */
export function checkConsent(request: RequestParameters, consent: string): void {
  const digests = consentTo(request).split('.');
  const agreed = consent.split('.');
  const changed = SHOWN.filter((_, place) => digests[place] !== agreed[place]);
  if (changed.length > 0)
    throw new DomainError(
      'Conflict',
      `The verifier changed ${changed.join(', ')} since the request was described; nothing was sent`,
    );
}
