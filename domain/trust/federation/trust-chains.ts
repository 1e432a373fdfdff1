import type { Outbound } from '../../../ports/outbound.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { Clock } from '../../../ports/system.ts';
import { utf8Text } from '../../foundation/bytes.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import { type Loaded, TimedCache } from '../../foundation/timed-cache.ts';
import {
  configurationUrl,
  ENTITY_STATEMENT,
  type EntityStatement,
  isEntityId,
  parseStatement,
  refusedStatement,
  statementUrl,
} from './entity-statement.ts';
import { type FederationAnchor, MAX_STATEMENTS, type TrustChain, validateChain } from './trust-chain.ts';

const KEPT_MS = 5 * 60_000;
const FAILURE_KEPT_MS = 5000;
/** Memory of a parsed statement as a multiple of its text (an estimate). */
const MEMORY_FACTOR = 8;
/** The most statements of superiors that are fetched for one entity, regardless of how many they name, and milliseconds for each. */
const MAX_FETCHES = 16;
const FETCH_MS = 3000;

/** One resolution: what is fetched of others, and how much still may be. */
interface Search {
  entity: string;
  left: number;
  found: TrustChain[];
  /** Why the latest chain was refused. */
  refusal: DomainError;
}

/** Trust chains of entities up to the configured trust anchors (OpenID Federation 1.0 §10.1), cached for five minutes at most. */
export class TrustChains {
  readonly #cache: TimedCache<readonly [TrustChain, ...TrustChain[]]>;

  constructor(
    private readonly parts: {
      outbound: Outbound;
      signatures: Signatures;
      clock: Clock;
      /** Without any, no entity is believed. */
      federations: readonly FederationAnchor[];
      /** The most chains that are looked for of one entity. */
      most: number;
    },
  ) {
    const load = (entity: string) => this.#load(entity);
    this.#cache = new TimedCache({ name: 'trust-chains', load, failureTtlMs: FAILURE_KEPT_MS, clock: parts.clock });
  }

  /** Whether there is a trust anchor. */
  get hasAnchors(): boolean {
    return this.parts.federations.length > 0;
  }

  /** The chain of an entity: the one that it states, if that is valid, else the first of `all`. @throws DomainError as `all` */
  async resolve(entity: string, stated?: unknown): Promise<TrustChain> {
    return (await this.#stated(entity, stated)) ?? (await this.all(entity))[0];
  }

  /**
   * The valid chains that the superiors of an entity lead to, in their order. @throws DomainError `BadRequest` when there is
   * none, `AddressRefused`, `UpstreamFailed` or `UpstreamTimeout` when the entity's own configuration, or what its superiors
   * publish, cannot be fetched
   */
  async all(entity: string): Promise<readonly [TrustChain, ...TrustChain[]]> {
    if (!isEntityId(entity)) throw refusedStatement('its name is no entity identifier');
    if (!this.hasAnchors) throw refusedStatement('no trust anchor is configured');
    return this.#cache.get(entity, new URL(entity).host);
  }

  async #stated(entity: string, stated: unknown): Promise<TrustChain | undefined> {
    if (!Array.isArray(stated) || stated.length > MAX_STATEMENTS) return undefined;
    try {
      const now = this.parts.clock.now();
      const chain = await this.#validated(stated.map((text) => parseStatement(String(text), now)));
      return chain.entity === entity ? chain : undefined;
    } catch (error) {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return undefined;
    }
  }

  #validated(statements: readonly EntityStatement[]): Promise<TrustChain> {
    const { federations: anchors, signatures } = this.parts;
    return validateChain(statements, { anchors, signatures });
  }

  async #load(entity: string): Promise<Loaded<readonly [TrustChain, ...TrustChain[]]>> {
    const leaf = await this.#configuration(entity);
    const refusal = refusedStatement('no superior leads to a trust anchor');
    const search: Search = { entity, left: MAX_FETCHES, found: [], refusal };
    await this.#climb([leaf], leaf, search);
    const [first, ...others] = search.found;
    if (!first) throw search.refusal;
    const ends = Math.min(...search.found.map(({ expiresAt }) => expiresAt));
    const characters = search.found.reduce((sum, chain) => sum + chain.characters, 0);
    const ttlMs = Math.min(KEPT_MS, ends - this.parts.clock.now());
    return { value: [first, ...others], ttlMs, bytes: MEMORY_FACTOR * characters };
  }

  /** Tries the superiors of the entity at the end of a chain in their order, each with those above it. */
  async #climb(chain: readonly EntityStatement[], top: EntityStatement, search: Search): Promise<void> {
    const { federations, most } = this.parts;
    for (const superior of top.authorityHints) {
      const isCircle = chain.some(({ issuer }) => issuer === superior);
      const isEnough = search.left < 2 || search.found.length >= most;
      if (isCircle || isEnough || chain.length + 1 >= MAX_STATEMENTS) continue;
      search.left -= 2;
      try {
        const configuration = await this.#configuration(superior);
        const statement = await this.#fetch(statementUrl(configuration, top.subject));
        if (federations.some(({ entityId }) => entityId === superior))
          search.found.push(await this.#validated([...chain, statement, configuration]));
        else await this.#climb([...chain, statement], configuration, search);
      } catch (error) {
        if (!isDomainError(error)) throw error;
        search.refusal = error;
      }
    }
  }

  async #configuration(entity: string): Promise<EntityStatement> {
    const statement = await this.#fetch(configurationUrl(entity));
    if (statement.subject === entity && statement.issuer === entity) return statement;
    throw refusedStatement(`the configuration of ${entity} is of another entity`);
  }

  async #fetch(url: string): Promise<EntityStatement> {
    const headers = { accept: ENTITY_STATEMENT.MEDIA_TYPE };
    const reply = await this.parts.outbound.send({
      method: 'GET',
      url,
      expects: 'entity-statement',
      headers,
      timeoutMs: FETCH_MS,
    });
    if (reply.status !== 200)
      throw new DomainError('UpstreamFailed', `A statement of the federation was answered with ${reply.status}`);
    return parseStatement(utf8Text(reply.body)?.trim() ?? '', this.parts.clock.now());
  }
}
