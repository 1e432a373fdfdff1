import type { ListSignature, TokenListKind, TokenLists } from '../../ports/codecs/token-lists.ts';
import type { KeySources } from '../../ports/credential-formats.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import { validityBounds, validityPeriod } from '../credentials/validity.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { type Loaded, TimedCache } from '../foundation/timed-cache.ts';
import { isPassed, isReached } from '../jose/jwt-claims.ts';
import { type IdentifierList, readIdentifierList } from './identifier-lists.ts';
import type { IssuedStatements } from './issued-statements.ts';
import type { ListPublication, PublishedList } from './list-publication.ts';
import { placeOfStatusList } from './status-list-urls.ts';
import { readStatusList, type StatusList } from './status-lists.ts';
import { readTokenList, type TokenStatusList } from './token-status-lists.ts';

const ACCEPT = 'application/vc+jwt, application/jwt, application/json;q=0.5, */*;q=0.1';
const ACCEPT_TOKEN = 'application/statuslist+jwt, application/statuslist+cwt;q=0.9, */*;q=0.1';
const ACCEPT_IDENTIFIERS = 'application/identifierlist+cwt';
/** The memory of an identifier beside its characters, in bytes. */
const IDENTIFIER_BYTES = 64;
const KEPT_MS = 5 * 60_000;
const FAILURE_KEPT_MS = 5000;
/** How far the issuer's clock may be ahead of ours, in milliseconds. */
const SKEW_MS = 60_000;

/** A list with who signed it. */
export type Signed<T> = T & { signature: ListSignature };

export interface StatusListParts extends KeySources {
  outbound: Outbound;
  statements: IssuedStatements;
  tokens: TokenLists;
  clock: Clock;
  /** The lists that are published here; they are read without a call. */
  own: Pick<ListPublication, 'get'>;
  publicUrl: string;
}

/** Status lists by their URL: fetched, verified and cached as long as the list and its issuer allow. */
export class StatusListSource {
  readonly #cache: TimedCache<StatusList>;
  readonly #tokens: TimedCache<Signed<TokenStatusList>>;
  readonly #identifiers: TimedCache<Signed<IdentifierList>>;

  constructor(private readonly parts: StatusListParts) {
    const options = { failureTtlMs: FAILURE_KEPT_MS, clock: parts.clock };
    this.#cache = new TimedCache({ ...options, name: 'status-lists', load: (key) => this.#load(key) });
    this.#tokens = new TimedCache({ ...options, name: 'status-lists', load: (key) => this.#loadToken(key) });
    const loadIdentifiers = (url: string) => this.#loadIdentifiers(url);
    this.#identifiers = new TimedCache({ ...options, name: 'status-lists', load: loadIdentifiers });
  }

  /**
   * @throws DomainError `StatusRetrieval` or `StatusRetrievalTimeout` when the list cannot be fetched, `AddressRefused`,
   * `StatusVerification` when it is not signed by its issuer or not valid now, `MalformedValue`
   */
  get(url: string): Promise<StatusList> {
    return this.#read(this.#cache, url);
  }

  /** The Token Status List at a URL, as `get`. */
  token(url: string): Promise<Signed<TokenStatusList>> {
    return this.#read(this.#tokens, url);
  }

  /** The identifier list at a URL, as `get`. */
  identifiers(url: string): Promise<Signed<IdentifierList>> {
    return this.#identifiers.get(url, hostOf(url));
  }

  /** A list that is published here is read in its present revision; all others may be cached. */
  async #read<T>(cache: TimedCache<T>, url: string): Promise<T> {
    try {
      const own = await this.#own(url);
      return await cache.get(own ? `${url} ${own.revision}` : url, hostOf(url));
    } catch (error) {
      throw asRetrieval(error);
    }
  }

  /** The list that is published here; a URL that has the form of those of tenants may be another server's. */
  async #own(url: string): Promise<PublishedList | undefined> {
    const { own, publicUrl } = this.parts;
    const place = placeOfStatusList(publicUrl, url);
    try {
      return place && (await own.get(place));
    } catch (error) {
      if (place?.baseUrl !== undefined && isDomainError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async #load(key: string): Promise<Loaded<StatusList>> {
    const url = urlIn(key);
    const { claims, issuer } = await this.#open(url).catch((error: unknown) => {
      throw asRetrieval(error);
    });
    const goodMs = this.#timeLeft(claims);
    const value = readStatusList({ claims, issuer, url });
    return { value, ttlMs: Math.min(KEPT_MS, goodMs, value.ttlMs ?? KEPT_MS), bytes: value.bits.length };
  }

  async #loadToken(key: string): Promise<Loaded<Signed<TokenStatusList>>> {
    const url = urlIn(key);
    const { claims, signature, goodMs } = await this.#openToken(url, 'status_list');
    const value = { ...readTokenList(claims, url), signature };
    return { value, ttlMs: Math.min(KEPT_MS, goodMs, value.ttlMs ?? KEPT_MS), bytes: value.statuses.length };
  }

  async #loadIdentifiers(url: string): Promise<Loaded<Signed<IdentifierList>>> {
    const { claims, signature, goodMs } = await this.#openToken(url, 'identifier_list');
    const value = { ...readIdentifierList(claims, url), signature };
    const bytes = [...value.identifiers].reduce((sum, { length }) => sum + length + IDENTIFIER_BYTES, 0);
    return { value, ttlMs: Math.min(KEPT_MS, goodMs, value.ttlMs ?? KEPT_MS), bytes };
  }

  /** For how many milliseconds a list is still valid. @throws DomainError `StatusVerification` when it is not valid now */
  #timeLeft(claims: JsonObject): number {
    const now = this.parts.clock.now();
    const { from, until } = periodOf(claims);
    if (isReached(from, { now, skewMs: SKEW_MS }) && !isPassed(until, { now })) return until - now;
    throw new DomainError('StatusVerification', 'The status list is not valid at this time');
  }

  async #open(url: string) {
    return await this.parts.statements.verify(readToken(await this.#fetch(url, ACCEPT)), 'The status list');
  }

  async #openToken(url: string, kind: TokenListKind) {
    try {
      const body = await this.#fetch(url, kind === 'status_list' ? ACCEPT_TOKEN : ACCEPT_IDENTIFIERS);
      const list = await this.parts.tokens.parse(isJwt(body) ? textOf(body) : body, kind);
      const signature = await list.verify(this.parts);
      if (!signature)
        throw new DomainError('StatusVerification', 'The status list: it is not signed by a signer that it names');
      return { claims: list.claims, signature, goodMs: this.#timeLeft(list.claims) };
    } catch (error) {
      throw asRetrieval(error);
    }
  }

  async #fetch(url: string, accept: string): Promise<string | Uint8Array> {
    const own = await this.#own(url);
    if (own) return own.body;
    const reply = await this.parts.outbound.send({ method: 'GET', url, expects: 'status-list', headers: { accept } });
    if (reply.status === 200) return reply.body;
    throw new DomainError('StatusRetrieval', `The status list was answered with ${reply.status}`);
  }
}

function periodOf(claims: JsonObject): { from: number; until: number } {
  const period = validityPeriod(validityBounds(claims));
  if ('from' in period) return period;
  throw new DomainError('MalformedValue', `${period.malformed} of the status list is not a date`);
}

/** The URL in the key of a list in a cache; that of a list of our own has its revision too. */
const urlIn = (key: string): string => key.split(' ', 1)[0] ?? '';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** Returns the list as a JWT; a list in plain JSON is rejected, since it has no signature. */
function readToken(body: string | Uint8Array): string {
  const text = textOf(body);
  if (text.startsWith('ey')) return text;
  throw new DomainError('StatusVerification', 'The status list is not a signed JWT');
}

const textOf = (body: string | Uint8Array): string => (typeof body === 'string' ? body : fromUtf8(body)).trim();

/** Whether a list begins as a JWT: with `{"` in base64url, which is a text in CBOR that no COSE_Sign1 begins with. */
const isJwt = (body: string | Uint8Array): boolean =>
  typeof body === 'string' || (body[0] === 0x65 && body[1] === 0x79);

/** Reports failures as those of the list, not of the credential in the request. */
function asRetrieval(error: unknown): unknown {
  if (isDomainError(error, 'UpstreamFailed') || isDomainError(error, 'NotFound'))
    return new DomainError('StatusRetrieval', error.message, { cause: error });
  if (isDomainError(error, 'UpstreamTimeout'))
    return new DomainError('StatusRetrievalTimeout', error.message, { cause: error });
  if (isDomainError(error, 'BadRequest')) return new DomainError('StatusVerification', error.message, { cause: error });
  return error;
}
