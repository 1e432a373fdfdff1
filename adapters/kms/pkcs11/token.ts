import type { Handle, PKCS11, Template } from 'pkcs11js';
import { LruCache } from '../../../domain/foundation/lru-cache.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { type TokenAccess, type TokenCalls, TokenFailure } from './calls.ts';
import { attributesOf, CK, generationOf, publicJwkOf, signingOf } from './key-forms.ts';
import { isStaleHandle } from './token-failures.ts';

/** CKF_SERIAL_SESSION and CKF_RW_SESSION. */
const SESSION_FLAGS = 0x4 | 0x2;
const USER = 1;
/** Signatures at once: each has a session of its own, and a thread of Node. */
const LANES = 4;
/** Larger than the signature of every key. */
const SIGNATURE_BYTES = 1024;

type Wanted<C extends keyof TokenCalls> = TokenCalls[C]['wanted'];

/** A session in which one signature is made after the other. */
interface Lane {
  session: Handle;
  last: Promise<unknown>;
}

/** An open token, in a process of its own: its library may block. Failures are those of the library. */
export class Token {
  readonly #lanes: Lane[];
  readonly #keys = new LruCache<Handle>('token-keys');
  #next = 0;
  #creating: Promise<unknown> = Promise.resolve();
  /** No session is used by two threads at once. */
  readonly #creation: Handle;

  /** @param session for what takes no thread; the token is logged in as long as one session is open */
  private constructor(
    private readonly module: PKCS11,
    private readonly session: Handle,
    newSession: () => Handle,
  ) {
    this.#creation = newSession();
    this.#lanes = Array.from({ length: LANES }, () => ({ session: newSession(), last: Promise.resolve() }));
  }

  /** Finds the token by its label and logs in. @throws TokenFailure when none or several have the label; as the library */
  static open(module: PKCS11, { label, pin }: Omit<TokenAccess, 'library'>): Token {
    module.C_Initialize();
    const named = module.C_GetSlotList(true).filter((slot) => module.C_GetTokenInfo(slot).label.trimEnd() === label);
    const [slot, another] = named;
    if (slot === undefined) throw new TokenFailure('unavailable', `no slot has a token with the label ${label}`);
    if (another !== undefined) throw new TokenFailure('unavailable', `several tokens have the label ${label}`);
    const newSession = () => module.C_OpenSession(slot, SESSION_FLAGS);
    const session = newSession();
    module.C_Login(session, USER, pin);
    return new Token(module, session, newSession);
  }

  /** Creates a key that cannot leave the token; one after the other, so that of two with the same name one is refused. */
  create(wanted: Wanted<'create'>): Promise<PublicJwk> {
    const creating = this.#creating.then(() => this.#create(wanted));
    this.#creating = creating.catch(() => undefined);
    return creating;
  }

  async #create({ keyType, id, label, isUnique }: Wanted<'create'>): Promise<PublicJwk> {
    const { module, session } = this;
    if (isUnique && this.#find(CK.PRIVATE_KEY, { type: CK.LABEL, value: label }).length > 0)
      throw new TokenFailure('name', `the token has a key named ${label} already`);
    const { mechanism, publicTemplate } = generationOf(keyType);
    const both: Template = [
      { type: CK.TOKEN, value: true },
      { type: CK.ID, value: Buffer.from(id, 'hex') },
      { type: CK.LABEL, value: label },
    ];
    const kept: Template = [
      { type: CK.PRIVATE, value: true },
      { type: CK.SENSITIVE, value: true },
      { type: CK.EXTRACTABLE, value: false },
      { type: CK.SIGN, value: true },
      { type: CK.DECRYPT, value: false },
      { type: CK.UNWRAP, value: false },
    ];
    const shown: Template = [...publicTemplate, { type: CK.VERIFY, value: true }];
    const keys = await module.C_GenerateKeyPairAsync(
      this.#creation,
      mechanism,
      [...both, ...shown],
      [...both, ...kept],
    );
    try {
      const [sensitive, extractable] = attributesOf(module, session, keys.privateKey)(CK.SENSITIVE, CK.EXTRACTABLE);
      if (sensitive?.[0] !== 1 || extractable?.[0] !== 0)
        throw new TokenFailure('unavailable', 'the token made a key that could leave it');
      return publicJwkOf(attributesOf(module, session, keys.publicKey));
    } catch (error) {
      for (const key of [keys.privateKey, keys.publicKey]) module.C_DestroyObject(session, key);
      throw error;
    }
  }

  publicKey({ id }: Wanted<'publicKey'>): PublicJwk {
    const [key] = this.#withId(CK.PUBLIC_KEY, id);
    if (key !== undefined) return publicJwkOf(attributesOf(this.module, this.session, key));
    this.#privateKey(id);
    throw new TokenFailure('unusable-key', 'the token has no public key object of this id: state _publicKey');
  }

  async sign({ id, keyType, digest }: Wanted<'sign'>): Promise<Uint8Array> {
    const { mechanism, data } = signingOf(keyType, digest);
    const key = this.#privateKey(id);
    const lane = this.#lanes[this.#next++ % LANES] as Lane;
    const signing = lane.last.then(() => {
      this.module.C_SignInit(lane.session, mechanism, key);
      return this.module.C_SignAsync(lane.session, data, Buffer.alloc(SIGNATURE_BYTES));
    });
    lane.last = signing.catch((error) => {
      if (isStaleHandle(error)) this.#keys.delete(id);
    });
    return new Uint8Array(await signing);
  }

  remove({ id }: Wanted<'remove'>): undefined {
    this.#keys.delete(id);
    for (const kind of [CK.PRIVATE_KEY, CK.PUBLIC_KEY])
      for (const key of this.#withId(kind, id)) this.module.C_DestroyObject(this.session, key);
  }

  #privateKey(id: string): Handle {
    const known = this.#keys.get(id);
    if (known) return known;
    const [key, another] = this.#withId(CK.PRIVATE_KEY, id);
    if (key === undefined) throw new TokenFailure('unknown-key', 'the token has no private key of this id');
    if (another !== undefined) throw new TokenFailure('unusable-key', 'several private keys have this id');
    return this.#keys.set(id, key, { bytes: id.length + key.length });
  }

  #withId = (kind: number, id: string): Handle[] => this.#find(kind, { type: CK.ID, value: Buffer.from(id, 'hex') });

  /** At most two objects. */
  #find(kind: number, attribute: Template[number]): Handle[] {
    const { module, session } = this;
    module.C_FindObjectsInit(session, [{ type: CK.CLASS, value: kind }, attribute]);
    try {
      return module.C_FindObjects(session, 2);
    } finally {
      module.C_FindObjectsFinal(session);
    }
  }
}
