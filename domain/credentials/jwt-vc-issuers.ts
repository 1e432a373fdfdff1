import type { Outbound } from '../../ports/outbound.ts';
import type { PublishedKey, PublishedKeys } from '../../ports/published-keys.ts';
import type { Clock } from '../../ports/system.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject, memoryOf } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { type Loaded, TimedCache } from '../foundation/timed-cache.ts';
import { MAX_KEYS, signatureKeys } from '../jose/key-set.ts';
import { secureUrl } from '../network/urls.ts';

const KEPT_MS = 5 * 60_000;
const FAILURE_KEPT_MS = 5000;

/** The JWT VC issuer metadata of issuers that are named by a URL (SD-JWT VC §4), cached for five minutes. */
export class JwtVcIssuers implements PublishedKeys {
  readonly #outbound: Outbound;
  readonly #cache: TimedCache<readonly PublishedKey[]>;

  constructor({ outbound, clock }: { outbound: Outbound; clock: Clock }) {
    this.#outbound = outbound;
    const load = (issuer: string) => this.#load(issuer);
    this.#cache = new TimedCache({ name: 'issuer-keys', load, failureTtlMs: FAILURE_KEPT_MS, clock });
  }

  async keys(issuer: string): Promise<readonly PublishedKey[]> {
    return this.#cache.get(issuer, new URL(metadataUrl(issuer)).host);
  }

  async #load(issuer: string): Promise<Loaded<readonly PublishedKey[]>> {
    const metadata = await this.#fetch(metadataUrl(issuer));
    if (metadata.issuer !== issuer) throw refused('is of another issuer');
    const { jwks, jwks_uri: uri } = metadata;
    if ((jwks === undefined) === (uri === undefined)) throw refused('must have either jwks or jwks_uri');
    const set = jwks ?? (await this.#fetch(secureUrl(uri)?.toString() ?? noUrl()));
    const value = signatureKeys(set);
    if (!value) throw refused(`must have a list of at most ${MAX_KEYS} keys`);
    return { value, ttlMs: KEPT_MS, bytes: memoryOf(value) };
  }

  async #fetch(url: string): Promise<JsonObject> {
    const headers = { accept: 'application/json' };
    const reply = await this.#outbound.send({ method: 'GET', url, expects: 'issuer-keys', headers });
    if (reply.status !== 200)
      throw new DomainError('UpstreamFailed', `The metadata of the issuer was answered with ${reply.status}`);
    const body = parseJson(fromUtf8(reply.body));
    return isObject(body) ? body : noObject();
  }
}

const refused = (why: string): DomainError => new DomainError('BadRequest', `The JWT VC issuer metadata ${why}`);

const noUrl = (): never => {
  throw refused('has a jwks_uri that is no https URL');
};

const noObject = (): never => {
  throw refused('is not a JSON object');
};

/** The path `/.well-known/jwt-vc-issuer` stands between the host and the path of the issuer. */
function metadataUrl(issuer: string): string {
  const url = secureUrl(issuer);
  if (!url || [url.search, url.hash, url.username, url.password].some(isText))
    throw new DomainError('BadRequest', 'The issuer is no https URL without query, fragment and credentials');
  return `${url.origin}/.well-known/jwt-vc-issuer${url.pathname.replace(/\/$/, '')}`;
}
