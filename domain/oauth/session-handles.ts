import type { Collection, Store } from '../../ports/store.ts';
import type { ServerSecret } from '../keys/server-secret.ts';
import { secretId } from './secrets.ts';

/** What a wallet knows a session by: the name of its offer, its pre-authorized code, or the id of its request. */
type HandleKind = 'offer' | 'code' | 'request';

/**
 * The names by which wallets know sessions: their ids, sealed by the server, so that a session is found without a record
 * for each name. Offers and requests are shown as QR codes and the id of a session shows its progress and result: neither
 * leads to the other.
 */
export class SessionHandles {
  /** The names that versions before 0.10.0 stored, by their digests. */
  readonly #earlier: Readonly<Record<HandleKind, Collection<{ sessionId: string } | { session: string }>>>;
  readonly #secret: Pick<ServerSecret, 'seal' | 'unseal'>;

  constructor({ store, secret }: { store: Store; secret: Pick<ServerSecret, 'seal' | 'unseal'> }) {
    this.#earlier = {
      offer: store.collection({ name: 'offer-references', sealed: false, afterRestore: 'void' }),
      code: store.collection({ name: 'authorization-codes', sealed: false, afterRestore: 'void' }),
      request: store.collection({ name: 'presentation-requests', afterRestore: 'void' }),
    };
    this.#secret = secret;
  }

  /** A new name of a session of an issuer or a verifier. */
  create(kind: HandleKind, ownerId: string, sessionId: string): Promise<string> {
    return this.#secret.seal({ text: sessionId, context: contextOf(kind, ownerId) });
  }

  /** The id of the session with a name; undefined for a name of another kind or another owner, and for no name. */
  async sessionOf(kind: HandleKind, ownerId: string, name: string): Promise<string | undefined> {
    const id = await this.#secret.unseal({ text: name, context: contextOf(kind, ownerId) });
    if (id !== undefined) return id;
    const earlier = (await this.#earlier[kind].get({ id: secretId(ownerId, name) }))?.value;
    return earlier && ('session' in earlier ? earlier.session : earlier.sessionId);
  }
}

const contextOf = (kind: HandleKind, ownerId: string): string => `${kind}\n${ownerId}`;
