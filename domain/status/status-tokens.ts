import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { base32, digest } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';

/** Two UUIDs: who has it can revoke. */
const BASE_TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The most tokens of a server: any caller of the open endpoints can create one. */
const MAX_TOKENS = 100_000;
const RETRY_SECONDS = 60;
const PATH = '/v1/credentials/token/';
const OWNER = 'open';

/** What is stored of a token under its derived form. */
interface StatusToken {
  /** Milliseconds since the epoch. */
  revokedAt?: number;
}

/** The status of a credential with a token (SimpleCredentialStatus2022). */
export interface TokenState {
  token: string;
  isRevoked: boolean;
  /** Milliseconds since the epoch. */
  timeOfRevocation?: number;
}

/** A new token. */
interface CreatedToken {
  /** Revokes the credential; it is not stored. */
  baseToken: string;
  token: string;
  /** What the credential must say. */
  credentialStatus: { id: string; type: 'SimpleCredentialStatus2022' };
}

/** The token of a base token: its SHA-256 in base32 without padding; undefined for what is no base token. */
export const derivedToken = (base: string): string | undefined =>
  BASE_TOKEN.test(base) ? base32(digest('sha256', base)) : undefined;

/** The tokens of credentials whose status is one answer instead of a list; only the digest of a base token is stored. */
export class StatusTokens {
  readonly #tokens: Collection<StatusToken>;

  constructor(
    private readonly parts: {
      store: Store;
      ids: Ids;
      clock: Clock;
      publicUrl: string;
    },
  ) {
    this.#tokens = parts.store.collection({ name: 'status-tokens', listed: true, sealed: false, afterRestore: 'kept' });
  }

  /** @throws DomainError `Overloaded` when the server has as many as it may */
  async create(): Promise<CreatedToken> {
    const { ids, publicUrl } = this.parts;
    const [last] = await this.#tokens.ids({ parent: OWNER, order: 'created+', offset: MAX_TOKENS - 1, limit: 1 });
    if (last !== undefined)
      throw new DomainError('Overloaded', 'No further status token can be created', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    const baseToken = `${ids.uuid()}${ids.uuid()}`;
    const token = derivedToken(baseToken) ?? '';
    await this.#tokens.insert({ parent: OWNER, id: token, value: {} });
    const id = `${publicUrl}${PATH}${token}`;
    return { baseToken, token, credentialStatus: { id, type: 'SimpleCredentialStatus2022' } };
  }

  /** The status under a token or its base token; an unknown one is not "not revoked". @throws DomainError `NotFound` */
  async get(text: string): Promise<TokenState> {
    const token = derivedToken(text) ?? text;
    const found = await this.#tokens.get({ parent: OWNER, id: token });
    if (!found) throw unknownToken();
    return stateOf(text, found.value);
  }

  /** Revokes for ever; again changes nothing. @throws DomainError `BadRequest` for what is no base token, `NotFound` */
  async revoke(baseToken: string): Promise<void> {
    const token = derivedToken(baseToken);
    if (token === undefined)
      throw new DomainError(
        'BadRequest',
        'A credential with this status is revoked with its base token of 72 characters',
      );
    const now = this.parts.clock.now();
    const change = (value: StatusToken): StatusToken => (value.revokedAt === undefined ? { revokedAt: now } : value);
    const key = { parent: OWNER, id: token };
    if (!(await update({ collection: this.#tokens, key, change }))) throw unknownToken();
  }

  /** The token or base token in a URL that is answered here; undefined for every other URL. */
  tokenIn(url: string): string | undefined {
    const start = `${this.parts.publicUrl}${PATH}`;
    return url.startsWith(start) ? url.slice(start.length) : undefined;
  }
}

const stateOf = (token: string, { revokedAt }: StatusToken): TokenState =>
  revokedAt === undefined ? { token, isRevoked: false } : { token, isRevoked: true, timeOfRevocation: revokedAt };

const unknownToken = (): DomainError => new DomainError('NotFound', 'There is no such token');
