import type { KeyReference, PublicJwk, Signer } from '../../ports/key-service.ts';
import type { Collection, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { JsonObject } from '../foundation/json.ts';
import { insertFirst, retried, update } from '../foundation/records.ts';
import { TokenBucket } from '../foundation/token-bucket.ts';
import type { KeyBackends } from './key-backends.ts';
import {
  type DecryptingKey,
  decryptingKeys,
  readKeySet,
  rotated,
  type ServerKeySet,
  type StoredKeySet,
  verifyingKeys,
} from './server-key-set.ts';

/** The types of the server's own keys, by their purpose. */
const SERVER_KEYS = {
  login: 'Ed25519',
  issuer: 'secp256r1',
  verifier: 'secp256r1',
  profiles: 'secp256r1',
  encryption: 'secp256r1',
  demo: 'secp256r1',
  'sign-in': 'secp256r1',
  'sign-in-rsa': 'RSA',
} as const;

type ServerKeyName = keyof typeof SERVER_KEYS;

/** The keys of the tokens of sign-ins, by the algorithms that clients know. */
export type SignInKeyName = Extract<ServerKeyName, `sign-in${string}`>;

/** Their names. */
export const SIGN_IN_KEYS: readonly SignInKeyName[] = ['sign-in', 'sign-in-rsa'];

/** How long keys that were read are used before the store is read again, in milliseconds. */
const TRUSTED_MS = 30_000;
/** How long a rotated key verifies beyond the life of what it signed: instances notice late, and their clocks differ. */
const MARGIN_MS = TRUSTED_MS + 60_000;
/** How often an unknown `kid` has the store read: any client can send one. */
const UNKNOWN_KIDS = { size: 10, perSecond: 1 };

interface KnownKeys {
  set: ServerKeySet;
  signer: Signer;
  decrypting: DecryptingKey[];
  /** When to read the store again, in milliseconds since the epoch. */
  until: number;
}

/** The keys that operators rotate. */
export type RotatedKeyName = 'login' | 'encryption' | SignInKeyName;

/** A rotation that took effect. */
interface Rotation {
  next: PublicJwk;
  /** When the last of the replaced keys stops verifying, in milliseconds since the epoch; absent when there was none. */
  until?: number;
}

/**
 * The server's own keys: created once, stored sealed, the same for all instances on one store and after a restart. When
 * the store has lost a key, the first instance that notices stores its own copy and the others read it. A rotation adds
 * a key that signs; the ones before it verify for a time.
 */
export class ServerKeys {
  readonly #records: Collection<StoredKeySet>;
  readonly #known = new Map<ServerKeyName, KnownKeys>();
  readonly #loading = new Map<ServerKeyName, Promise<KnownKeys>>();
  readonly #unknownKids: Record<ServerKeyName, TokenBucket>;

  constructor(
    store: Store,
    private readonly keys: KeyBackends,
    private readonly clock: Clock,
  ) {
    this.#records = store.collection({ name: 'server-keys', afterRestore: 'kept' });
    // Each key has a limit of its own: calls with unknown keys of one kind do not use up the limit of another.
    const bucket = () => new TokenBucket(UNKNOWN_KIDS, clock);
    this.#unknownKids = {
      login: bucket(),
      issuer: bucket(),
      verifier: bucket(),
      profiles: bucket(),
      encryption: bucket(),
      demo: bucket(),
      'sign-in': bucket(),
      'sign-in-rsa': bucket(),
    };
  }

  async signer(name: ServerKeyName): Promise<Signer> {
    return (await this.#recent(name)).signer;
  }

  /** The key that signs now, as a reference; a secret. */
  async reference(name: ServerKeyName): Promise<KeyReference> {
    return (await this.#recent(name)).set.current;
  }

  /**
   * The private key that decrypts what was encrypted to the key with this `kid`; read as `verifyingKeys`. It is one object
   * until the store is read again, so that it is imported once.
   */
  async privateJwk(name: 'encryption', kid: string): Promise<JsonObject | undefined> {
    const now = this.clock.now();
    const isMeant = ({ jwk, until }: DecryptingKey) => jwk.kid === kid && now < until;
    return (await this.#find(name, ({ decrypting }) => decrypting.filter(isMeant)))[0]?.jwk;
  }

  /**
   * The public keys that verify a signature of the key `name`: the one with this `kid`, or all of them without a `kid`.
   * An unknown `kid` has the store read at once, since another instance may have rotated the key, though not each time.
   * @throws DomainError `StoreUnavailable`
   */
  verifyingKeys(name: ServerKeyName, kid: string | undefined): Promise<PublicJwk[]> {
    return this.#find(name, ({ set }) => verifyingKeys(set, kid, this.clock.now()));
  }

  async #find<K>(name: ServerKeyName, find: (known: KnownKeys) => K[]): Promise<K[]> {
    const found = find(await this.#recent(name));
    if (found.length > 0) return found;
    const underWay = this.#loading.get(name);
    const loaded = underWay ? find(await underWay) : [];
    if (loaded.length > 0 || !this.#unknownKids[name].take()) return loaded;
    return find(await this.#read(name));
  }

  /**
   * Makes a new key current; instances that run notice within 30 seconds. The replaced keys verify, or decrypt, for
   * `lifetimeMs` from now and some time more. @throws DomainError `StoreUnavailable`
   */
  async rotate(name: RotatedKeyName, lifetimeMs: number): Promise<Rotation> {
    const next = await this.#create(name);
    const now = this.clock.now();
    const until = now + lifetimeMs + MARGIN_MS;
    const times = { now, until, decrypts: name === 'encryption' };
    const change = (stored: StoredKeySet): ServerKeySet => rotated(readKeySet(stored), next, times);
    return retried(async () => {
      const changed = await update({ collection: this.#records, key: { id: name }, change });
      if (changed) return { next: next.publicJwk, until };
      const value: ServerKeySet = { current: next, retired: [] };
      return (await insertFirst(this.#records, { id: name, value })) ? { next: next.publicJwk } : undefined;
    });
  }

  async #recent(name: ServerKeyName): Promise<KnownKeys> {
    const known = this.#known.get(name);
    if (!known) return this.#read(name);
    // Keys that were read before can be used without the store.
    return this.clock.now() < known.until ? known : this.#read(name).catch(() => known);
  }

  /** Reads the store; callers at the same time share that. */
  #read(name: ServerKeyName): Promise<KnownKeys> {
    const loading = this.#loading.get(name) ?? this.#load(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  async #load(name: ServerKeyName): Promise<KnownKeys> {
    const set = await this.#agree(name, this.#known.get(name)?.set);
    const until = this.clock.now() + TRUSTED_MS;
    const loaded = { set, signer: this.keys.signer(set.current), decrypting: decryptingKeys(set), until };
    this.#known.set(name, loaded);
    return loaded;
  }

  async #agree(name: ServerKeyName, mine: ServerKeySet | undefined): Promise<ServerKeySet> {
    const kept = await this.#records.get({ id: name });
    if (kept) return readKeySet(kept.value);
    const value = mine ?? { current: await this.#create(name), retired: [] };
    const isFirst = await insertFirst(this.#records, { id: name, value });
    // Another instance was first: its keys are used.
    return isFirst ? value : this.#agree(name, value);
  }

  #create(name: ServerKeyName): Promise<KeyReference> {
    return this.keys.create('jwk', { keyType: SERVER_KEYS[name] });
  }
}
