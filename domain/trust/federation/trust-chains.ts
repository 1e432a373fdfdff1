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

/** What trust chains are resolved with. */
export interface TrustChainParts {
  outbound: Outbound;
  signatures: Signatures;
  clock: Clock;
  /** Without any, no entity is believed. */
  federations: readonly FederationAnchor[];
}

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
  /** Why the latest chain was refused. */
  refusal: DomainError;
}

/** Trust chains of entities up to the configured trust anchors (OpenID Federation 1.0 §10.1), cached for five minutes at most. */
export class TrustChains {
  readonly #parts: TrustChainParts;
  readonly #cache: TimedCache<TrustChain>;

  constructor(parts: TrustChainParts) {
    this.#parts = parts;
    const load = (entity: string) => this.#load(entity);
    this.#cache = new TimedCache({ name: 'trust-chains', load, failureTtlMs: FAILURE_KEPT_MS, clock: parts.clock });
  }

  /**
   * The chain of an entity: the one that it states, if that is valid, else the first valid one that its superiors lead to.
   * @throws DomainError `BadRequest` when none is valid, `AddressRefused`, `UpstreamFailed` or `UpstreamTimeout` when the
   * entity's own configuration, or what its superiors publish, cannot be fetched
   */
  async resolve(entity: string, stated?: unknown): Promise<TrustChain> {
    if (!isEntityId(entity)) throw refusedStatement('its name is no entity identifier');
    if (this.#parts.federations.length === 0) throw refusedStatement('this wallet has no trust anchor');
    return (await this.#stated(entity, stated)) ?? this.#cache.get(entity, new URL(entity).host);
  }

  async #stated(entity: string, stated: unknown): Promise<TrustChain | undefined> {
    if (!Array.isArray(stated) || stated.length > MAX_STATEMENTS) return undefined;
    try {
      const now = this.#parts.clock.now();
      const chain = await this.#validated(stated.map((text) => parseStatement(String(text), now)));
      return chain.entity === entity ? chain : undefined;
    } catch (error) {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return undefined;
    }
  }

  #validated(statements: readonly EntityStatement[]): Promise<TrustChain> {
    const { federations: anchors, signatures } = this.#parts;
    return validateChain(statements, { anchors, signatures });
  }

  async #load(entity: string): Promise<Loaded<TrustChain>> {
    const leaf = await this.#configuration(entity);
    const search = { entity, left: MAX_FETCHES, refusal: refusedStatement('no superior leads to a trust anchor') };
    const chain = await this.#climb([leaf], leaf, search);
    if (!chain) throw search.refusal;
    const ttlMs = Math.min(KEPT_MS, chain.expiresAt - this.#parts.clock.now());
    return { value: chain, ttlMs, bytes: MEMORY_FACTOR * chain.characters };
  }

  /** Tries the superiors of the entity at the end of a chain in their order, each with those above it. */
  async #climb(
    chain: readonly EntityStatement[],
    top: EntityStatement,
    search: Search,
  ): Promise<TrustChain | undefined> {
    for (const superior of top.authorityHints) {
      const isCircle = chain.some(({ issuer }) => issuer === superior);
      if (isCircle || chain.length + 1 >= MAX_STATEMENTS || search.left < 2) continue;
      search.left -= 2;
      try {
        const configuration = await this.#configuration(superior);
        const statement = await this.#fetch(statementUrl(configuration, top.subject));
        const found = this.#parts.federations.some(({ entityId }) => entityId === superior)
          ? await this.#validated([...chain, statement, configuration])
          : await this.#climb([...chain, statement], configuration, search);
        if (found) return found;
      } catch (error) {
        if (!isDomainError(error)) throw error;
        search.refusal = error;
      }
    }
    return undefined;
  }

  async #configuration(entity: string): Promise<EntityStatement> {
    const statement = await this.#fetch(configurationUrl(entity));
    if (statement.subject === entity && statement.issuer === entity) return statement;
    throw refusedStatement(`the configuration of ${entity} is of another entity`);
  }

  async #fetch(url: string): Promise<EntityStatement> {
    const headers = { accept: ENTITY_STATEMENT.MEDIA_TYPE };
    const reply = await this.#parts.outbound.send({
      method: 'GET',
      url,
      expects: 'entity-statement',
      headers,
      timeoutMs: FETCH_MS,
    });
    if (reply.status !== 200)
      throw new DomainError('UpstreamFailed', `A statement of the federation was answered with ${reply.status}`);
    return parseStatement(utf8Text(reply.body)?.trim() ?? '', this.#parts.clock.now());
  }
}
