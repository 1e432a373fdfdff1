import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock, Turns } from '../../../ports/system.ts';
import type { ClaimPath } from '../../credentials/disclosure.ts';
import { didJwk } from '../../dids/did-methods.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField, isDomainError, replacing } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { makeRoom } from '../../foundation/records.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { HolderCredentials, HolderDids } from '../../holdings/holder.ts';
import { readDcqlQuery } from '../../presentation/dcql/query.ts';
import type { CompiledQuery, Match, QueryPorts } from '../../presentation/matching/compiled-query.ts';
import type { PresentationQuery } from '../../presentation/query.ts';
import { REQUEST_NAMES } from '../../presentation/request-parameters.ts';
import { parseDeepLink } from '../deep-link.ts';
import { type ConsentedRequests, consentTo } from '../presentation/consented-requests.ts';
import type { PresentationClient } from '../presentation/presentation-client.ts';
import type { PresentationPlan, PresentationPlanner } from '../presentation/presentation-plan.ts';
import {
  clientProof,
  isProven,
  type PresentationRequests,
  type ResolvedRequest,
  unproven,
} from '../presentation/presentation-request.ts';
import {
  type SelectedClaim,
  type SelectedCredential,
  type Selection,
  selectFirst,
  selectNamed,
  shownClaims,
} from '../presentation/selection.ts';
import { candidates, compileFor } from '../presentation/submission.ts';
import type { VerifierReply } from '../presentation/verifier-endpoint.ts';
import { previewOf, type RequestPreview } from './request-preview.ts';

/** A credential that the caller brings along. */
interface GivenCredential {
  id?: string;
  credential: string;
}

/** A request, and whose keys answer it. */
interface Answerer extends HolderChoice {
  link: string;
}

/** What a person selected for a request. */
interface SelectedAnswer extends Answerer {
  credentials: SelectedCredential[];
  claims: SelectedClaim[];
}

/** A response to send. */
interface BuiltAnswer {
  link: string;
  vpToken: string;
  idToken?: string;
}

/** What is known of a token that was built: digests, and what the event log says. */
interface BuiltResponse {
  digest: string;
  /** To the request that it was built for. */
  consent: string;
  selected: { id: string; format: string }[];
  loginDid?: string;
}

/** A request that must not be answered with credentials, and why. */
interface RefusedRequest {
  refused: { code: string; message: string };
}

const BUILT: CollectionSpec<BuiltResponse> = { name: 'wallet-built-responses', listed: true, afterRestore: 'void' };
/** How long a built response can be sent, in milliseconds. */
const KEPT_MS = 10 * 60 * 1000;
/** How many of a wallet are kept; the oldest makes room. */
const MAX_KEPT = 16;
/** The error code of a request that says nothing better (OpenID4VP 1.0 §8.5). */
const INVALID_REQUEST = 'invalid_request';

/** Presenting step by step (OpenID4VP 1.0): what is sent goes where was shown, and is what was built for it. */
export class PresentingSteps {
  readonly #built: Collection<BuiltResponse>;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      turns: Turns;
      credentials: Pick<HolderCredentials, 'usable'>;
      dids: HolderDids;
      matching: QueryPorts;
      requests: PresentationRequests;
      consented: ConsentedRequests;
      planner: PresentationPlanner;
      presentations: PresentationClient;
    },
  ) {
    this.#built = parts.store.collection(BUILT);
  }

  /** Presents the first credentials that satisfy a request. @throws DomainError as `PresentationClient.present` */
  async present(walletId: string, { link, ...choice }: Answerer, given?: GivenCredential[]): Promise<VerifierReply> {
    const request = await this.#answerable(walletId, link);
    const { query, credentials, matches } = await this.#matched(walletId, request.query, given);
    const chosen = at({ selectedCredentialOptions: ['requestUrl'] }, () =>
      selectFirst(matches, { query, credentials }),
    );
    const plan = await this.parts.planner.planChosen(walletId, request, { ...chosen, query });
    const loginDid = await this.#loginDid(walletId, request, choice);
    const parameters = await this.parts.presentations.sign(walletId, plan, { ...choice, loginDid });
    return this.parts.presentations.send(walletId, { ...plan, parameters, link, loginDid });
  }

  /** The request with everything in it. @throws DomainError as `PresentationRequests.resolve` */
  async resolve(link: string): Promise<ResolvedRequest & { hasRequestUri: boolean }> {
    const { params } = at(['link'], () => parseDeepLink(link, REQUEST_NAMES));
    return { ...(await this.parts.requests.resolve(link)), hasRequestUri: params.has('request_uri') };
  }

  /** The credentials that satisfy each query, by their ids. @throws DomainError `BadRequest` naming `dcqlQuery` or `credentials` */
  async match(walletId: string, dcqlQuery: JsonObject, given?: GivenCredential[]): Promise<Map<string, string[]>> {
    const { formats } = this.parts.matching;
    const query = at(['dcqlQuery'], () => readDcqlQuery(dcqlQuery, formats));
    const { matches, credentials } = await this.#matched(walletId, { language: 'dcql', query }, given);
    const idsOf = (places: number[]): string[] => places.flatMap((place) => credentials[place]?.id ?? []);
    return new Map(matches.map(({ queryId, credentials: places }) => [queryId, idsOf(places)]));
  }

  /** Keeps the request for its answer. @throws DomainError `BadRequest` naming `link`, `UpstreamFailed`, `UpstreamTimeout` */
  async preview(walletId: string, link: string): Promise<RequestPreview | RefusedRequest> {
    at(['link'], () => parseDeepLink(link, REQUEST_NAMES));
    try {
      const request = requireAnswerable(await this.parts.consented.show(walletId, link));
      return previewOf(request, await this.#matched(walletId, request.query));
    } catch (error) {
      const refused = refusalOf(error);
      if (refused) return { refused };
      throw error;
    }
  }

  /** Signs what a person selected. @throws DomainError `BadRequest` naming the member that is wrong */
  async build(walletId: string, answer: SelectedAnswer): Promise<{ vpToken: string; idToken?: string }> {
    const { planner, presentations } = this.parts;
    const { link, credentials: chosen, claims, ...choice } = answer;
    const request = await this.#answerable(walletId, link);
    const { query, credentials } = await this.#matched(walletId, request.query);
    const selection = selectNamed(chosen, { query, credentials });
    const plan = await planner.planChosen(walletId, request, {
      ...selection,
      query,
      shownFor: shownBy(claims, selection, query),
    });
    const loginDid = await this.#loginDid(walletId, request, choice);
    const { vp_token: token, id_token: idToken } = await presentations.sign(walletId, plan, { ...choice, loginDid });
    const built = { vpToken: JSON.stringify(token), ...(typeof idToken === 'string' && { idToken }) };
    await this.#keep(walletId, { ...built, link }, { plan, loginDid });
    return built;
  }

  /**
   * Sends what was built, once. A verifier that cannot be reached leaves it to be sent again.
   * @throws DomainError `Conflict` for what was not built for the request, and for a request that changed; as `PresentationClient.send`
   */
  async send(walletId: string, answer: BuiltAnswer): Promise<VerifierReply> {
    const { consented, presentations } = this.parts;
    const key = keyOf(walletId, answer.link);
    const built = await this.#built.get(key);
    if (built?.value.digest !== digestOf(answer)) throw notBuilt();
    const { consent, selected, loginDid } = built.value;
    const request = requireAnswerable(await consented.answer(walletId, { link: answer.link, consent }));
    const taken = await this.#built.take(key);
    if (taken?.value.digest !== built.value.digest) throw notBuilt();
    const parameters = {
      vp_token: parseJson(answer.vpToken),
      ...(answer.idToken !== undefined && { id_token: answer.idToken }),
    };
    try {
      return await presentations.send(walletId, { request, parameters, selected, link: answer.link, loginDid });
    } catch (error) {
      if (!isDomainError(error, 'BadRequest')) await this.#built.insert(taken).catch(() => undefined);
      throw error;
    }
  }

  /** Answers a request with an error, proven or not. @throws DomainError as `PresentationClient.decline` */
  reject(walletId: string, answer: { link: string; error: string; description?: string }): Promise<VerifierReply> {
    return this.parts.presentations.decline(walletId, { ...answer, isUnverified: true });
  }

  /** The request as it was shown, or resolved and kept now. @throws DomainError `BadRequest` for one that must not be answered */
  async #answerable(walletId: string, link: string): Promise<ResolvedRequest> {
    const { consented } = this.parts;
    const shown = await consented.shown(walletId, link);
    return requireAnswerable(shown ?? (await consented.show(walletId, link)));
  }

  async #matched(
    walletId: string,
    asked: PresentationQuery,
    given?: GivenCredential[],
  ): Promise<{ query: CompiledQuery; matches: Match[]; credentials: StoredCredential[] }> {
    const { credentials: stored, matching, turns } = this.parts;
    const credentials = given ? await this.#read(given) : await stored.usable(walletId);
    const query = await compileFor(asked, { matching, credentials });
    return { query, credentials, matches: await candidates(query, credentials, turns) };
  }

  #read(given: GivenCredential[]): Promise<StoredCredential[]> {
    const { matching, clock } = this.parts;
    const read = async ({ id, credential: document }: GivenCredential, place: number): Promise<StoredCredential> => {
      const parsed = await matching.formats.parse(document).catch(replacing('BadRequest', unreadable(place)));
      const { holder, subject, format } = parsed;
      const did = holder?.jwk ? didJwk(holder.jwk) : (holder?.did ?? subject ?? '');
      const named = id ?? String(place);
      return { id: named, addedAt: clock.now(), categories: [], parsed, format, document, holder: did, pending: false };
    };
    return Promise.all(given.map(read));
  }

  /** The DID to log in as, where a login is asked for. */
  async #loginDid(walletId: string, { login }: ResolvedRequest, choice: HolderChoice): Promise<string | undefined> {
    return login && (await this.parts.dids.signingDid(walletId, { did: choice.did })).did;
  }

  async #keep(
    walletId: string,
    answer: BuiltAnswer,
    { plan, loginDid }: { plan: PresentationPlan; loginDid?: string },
  ) {
    const key = keyOf(walletId, answer.link);
    const selected = plan.selected.map(({ id, format }) => ({ id, format }));
    const value = { digest: digestOf(answer), consent: consentTo(plan.request), selected, loginDid };
    await this.#built.remove(key);
    await makeRoom(this.#built, { parent: walletId, most: MAX_KEPT });
    await this.#built.insert({ ...key, value, expiresAt: this.parts.clock.now() + KEPT_MS });
  }
}

/** The error of a credential of the call. */
const unreadable =
  (place: number) =>
  ({ message }: DomainError) =>
    invalidField(['credentials', place, 'credential'], message);

/** Links hold secrets, so records are identified by their digests. */
const keyOf = (walletId: string, link: string) => ({ parent: walletId, id: fingerprint(link) });

const digestOf = ({ vpToken, idToken = '' }: BuiltAnswer): string => fingerprint(JSON.stringify([vpToken, idToken]));

const notBuilt = (): DomainError =>
  new DomainError('Conflict', 'This wallet did not build this response for the request, or it was sent already');

/**
 * A request that names its verifier by nothing but its own word is not answered (OpenID4VP 1.0 §5.9).
 * @throws DomainError `BadRequest` naming `link`, with the code for the verifier
 */
function requireAnswerable(request: ResolvedRequest): ResolvedRequest {
  if (request.query.language !== 'dcql')
    throw invalidField(['link'], 'asks with a presentation definition, and this API answers DCQL queries');
  if (isProven(clientProof(request))) return request;
  throw unproven();
}

/** What is wrong with a request; undefined for what is wrong with the call, or with the network. */
function refusalOf(error: unknown): RefusedRequest['refused'] | undefined {
  if (!isDomainError(error, 'BadRequest')) return undefined;
  return { code: error.oauthError ?? INVALID_REQUEST, message: error.message };
}

/** What is shown of each selected credential; undefined for what the verifier prefers. */
function shownBy(claims: readonly SelectedClaim[], { selected, hints }: Selection, query: CompiledQuery) {
  const shown = new Map<string, ClaimPath[] | undefined>();
  for (const claim of claims)
    if (
      !hints.some(({ queryId, index = -1 }) => queryId === claim.queryId && selected[index]?.id === claim.credentialId)
    )
      throw invalidField(['selectedDisclosureOptions'], 'names a credential that is not selected for the query');
  for (const { queryId, index = -1 } of hints) {
    const { id, parsed } = selected[index] ?? {};
    if (!parsed) continue;
    const paths = claims
      .filter((claim) => claim.queryId === queryId && claim.credentialId === id)
      .map(({ path }) => path);
    shown.set(`${index} ${queryId}`, shownClaims(paths, query.alternatives(queryId, parsed)));
  }
  return (queryId: string, index: number): ClaimPath[] | undefined => shown.get(`${index} ${queryId}`);
}
