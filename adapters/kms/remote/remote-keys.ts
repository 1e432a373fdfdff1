import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, invalidField } from '../../../domain/foundation/errors.ts';
import { isObject, isText, memoryOf } from '../../../domain/foundation/json.ts';
import { LruCache } from '../../../domain/foundation/lru-cache.ts';
import { TimedCache } from '../../../domain/foundation/timed-cache.ts';
import { isSameKey } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../../domain/jose/key-types.ts';
import { BACKENDS } from '../../../domain/keys/key-reference.ts';
import type {
  Backend,
  ExistingKey,
  KeyReference,
  KeyService,
  NewKey,
  PublicJwk,
  Signer,
} from '../../../ports/key-service.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { Clock } from '../../../ports/system.ts';
import { inTime } from '../../system/deadline.ts';
import { isTransient, toDomainError } from './failures.ts';
import { type Kms, type KmsConnection, KmsFailure, type WantedKmsKey } from './kms.ts';

/** Pauses before the second and the third attempt, in milliseconds. */
const PAUSES_MS: readonly number[] = [100, 300];
const PUBLIC_KEY_TTL_MS = 60 * 60 * 1000;
/** The tag with the id of the request for which a key was created: it finds what a killed process left behind. */
const REQUEST_TAG = 'credenza-request';
/** Memory of a connection with its client, in bytes. */
const CONNECTION_BYTES = 64 * 1024;

/** What keys in a key management service need. */
export interface RemoteKeyParts {
  kms: Kms;
  clock: Clock;
  metrics: Pick<Metrics, 'cryptoOperation'>;
  signatures: Signatures;
  /** Milliseconds for one operation with all its attempts. */
  timeoutMs: number;
  /** Pauses before the second and the third attempt, in milliseconds; `PAUSES_MS` where absent. */
  pausesMs?: readonly number[];
}

type Config = Record<string, unknown>;

/** What a service returned for a key that it created. */
interface CreatedKey {
  id: string;
  publicJwk?: PublicJwk;
}

/** An operation that may be repeated until a moment of `performance.now()`. */
interface Attempts<T> {
  config: Config;
  work: (connection: KmsConnection) => Promise<T>;
  until: number;
}

/** A configuration without what matters to the creation of a key only. */
const credentialsOf = ({ tags: _tags, name: _name, ...credentials }: Config): Config => credentials;

/** The name of a public key in the cache: no caller's credentials read what another's fetched. */
const cacheKeyOf = (id: string, config: Config): string => JSON.stringify([id, credentialsOf(config)]);

/**
 * The keys of one key management service: deadlines, retries, caches and errors are the same for all vendors.
 * Connections and public keys are cached by all credentials, so that no caller's credentials serve another.
 */
export class RemoteKeys implements KeyService {
  readonly backend: Backend;
  readonly #title: string;
  readonly #connections = new LruCache<Promise<KmsConnection>>('kms-connections');
  readonly #publicKeys: TimedCache<PublicJwk>;
  /** The removals of keys that nothing refers to, and creations whose key may come too late: `close` waits for them. */
  readonly #unfinished = new Set<Promise<unknown>>();

  constructor(private readonly parts: RemoteKeyParts) {
    this.backend = parts.kms.backend;
    this.#title = BACKENDS[this.backend].title;
    this.#publicKeys = new TimedCache({
      name: 'kms-public-keys',
      clock: parts.clock,
      failureTtlMs: 0,
      load: async (key) => {
        const [id, credentials] = JSON.parse(key) as [string, Config];
        const value = await this.#fetch(id, credentials);
        return { value, ttlMs: PUBLIC_KEY_TTL_MS, bytes: memoryOf(value) };
      },
    });
  }

  async create({ keyType, config, name, turn }: NewKey): Promise<KeyReference> {
    this.#check(config);
    const tags = (isObject(config.tags) ? config.tags : {}) as Record<string, string>;
    const uniqueName = isText(config.name) ? config.name : undefined;
    const creating = this.#createTagged(config, { keyType, name, uniqueName, tags }, turn?.requestId);
    const completing = creating.then(({ id, publicJwk }) => this.#complete({ keyType, config, id, publicJwk }));
    try {
      return await this.#inTime(completing);
    } catch (error) {
      // What was created nevertheless is removed, even if it is created later; the answer does not wait for that.
      this.#finish(creating.then(({ id }) => this.#remove(id, config)));
      throw toDomainError(error, this.#context(config));
    }
  }

  /** Credentials that may create keys without tags only get a key without ours: it was refused before it was made. */
  async #createTagged(config: Config, wanted: WantedKmsKey, requestId: string | undefined): Promise<CreatedKey> {
    const connection = await this.#connect(config);
    const { maxTags = 0 } = BACKENDS[this.backend];
    if (requestId === undefined || Object.keys(wanted.tags).length >= maxTags)
      return connection.create({ ...wanted, requestId });
    const tagged = { ...wanted, tags: { [REQUEST_TAG]: requestId, ...wanted.tags } };
    return connection.create(tagged).catch((error) => {
      if (error instanceof KmsFailure && error.fault === 'credentials') return connection.create(wanted);
      throw error;
    });
  }

  /** The reference of a key that was created. @throws KmsFailure when it is not of the type that was wanted */
  async #complete({ id, keyType, config, publicJwk: known }: NewKey & CreatedKey): Promise<KeyReference> {
    const publicJwk = known ?? (await this.#fetch(id, config));
    if (keyTypeOf(publicJwk) !== keyType) throw new KmsFailure('unavailable', 'the created key is of another type');
    this.parts.metrics.cryptoOperation('generate', keyType);
    return { backend: this.backend, id, keyType, publicJwk, config };
  }

  #finish(work: Promise<unknown>): void {
    const finishing = work.catch(() => undefined).finally(() => this.#unfinished.delete(finishing));
    this.#unfinished.add(finishing);
  }

  async publicKey({ id, config, publicJwk }: ExistingKey): Promise<PublicJwk> {
    this.#check(config);
    if (publicJwk && !KEY_TYPES[keyTypeOf(publicJwk)].backends.includes(this.backend))
      throw invalidField(['_publicKey'], `is of a type that keys of ${this.#title} do not have`);
    return publicJwk ?? (await this.#publicKeys.get(cacheKeyOf(id, config)));
  }

  signer(reference: KeyReference): Signer {
    const { keyType, publicJwk } = reference;
    return { keyType, publicJwk, sign: (data) => this.#sign(reference, data) };
  }

  remove({ id, config }: KeyReference): Promise<void> {
    return this.#remove(id, config);
  }

  /**
   * Tries the credentials of a configuration: asks for a key that does not exist.
   * @throws DomainError as `Signer.sign`
   */
  async probe(config: Config): Promise<void> {
    this.#check(config);
    const id = this.parts.kms.absentKey(config);
    await this.#repeatedly(config, (connection) => connection.publicKey(id).catch(unlessUnknown));
  }

  async close(): Promise<void> {
    await Promise.all(this.#unfinished);
    this.#connections.clear();
    this.parts.kms.close?.();
  }

  #check(config: Config): void {
    this.parts.kms.check(config);
  }

  #context(config: Config) {
    return { title: this.#title, config };
  }

  async #sign({ id, config, keyType, publicJwk }: KeyReference, data: Uint8Array): Promise<Uint8Array> {
    const { alg, digest: name } = KEY_TYPES[keyType];
    const digest = name === null ? data : createHash(name).update(data).digest();
    const signature = await this.#repeatedly(config, (connection) => connection.sign({ id, keyType, digest }));
    this.parts.metrics.cryptoOperation('sign', keyType);
    // A signature that does not verify never leaves: the stated public key may be wrong, or the service failed.
    if (await this.parts.signatures.verify({ alg, jwk: publicJwk, data, signature })) return signature;
    const actual = await this.#fetch(id, config);
    // The key may have been rotated since its public key was cached.
    this.#publicKeys.forget(cacheKeyOf(id, config));
    if (!isSameKey(actual, publicJwk)) throw invalidField(['_publicKey'], 'contradicts the key');
    throw new DomainError('UpstreamFailed', `${this.#title} returned a signature that is not valid`);
  }

  #fetch(id: string, config: Config): Promise<PublicJwk> {
    return this.#repeatedly(config, (connection) => connection.publicKey(id));
  }

  async #remove(id: string, config: Config): Promise<void> {
    await this.#repeatedly(config, (connection) => connection.remove(id));
  }

  /** Up to three attempts within one deadline, for operations that change nothing when repeated. */
  async #repeatedly<T>(config: Config, work: (connection: KmsConnection) => Promise<T>): Promise<T> {
    try {
      const until = performance.now() + this.parts.timeoutMs;
      return await this.#inTime(this.#attempts({ config, work, until }));
    } catch (error) {
      throw toDomainError(error, this.#context(config));
    }
  }

  async #attempts<T>({ config, work, until }: Attempts<T>): Promise<T> {
    for (const pauseMs of this.parts.pausesMs ?? PAUSES_MS) {
      try {
        return await work(await this.#connect(config));
      } catch (error) {
        if (!isTransient(error) || performance.now() + pauseMs >= until) throw error;
        await pause(pauseMs);
      }
    }
    return work(await this.#connect(config));
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { timeoutMs } = this.parts;
    const late = () => new DomainError('UpstreamTimeout', `${this.#title} did not answer in ${timeoutMs} ms`);
    return inTime(work, timeoutMs, late);
  }

  #connect(config: Config): Promise<KmsConnection> {
    const key = JSON.stringify(credentialsOf(config));
    const known = this.#connections.get(key);
    if (known) return known;
    this.#check(config);
    const connecting = this.parts.kms.connect(config);
    connecting.catch(() => this.#connections.delete(key));
    return this.#connections.set(key, connecting, { bytes: CONNECTION_BYTES + memoryOf(config) });
  }
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof KmsFailure && error.fault === 'unknown-key')) throw error;
}
