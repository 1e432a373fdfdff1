import type { Collection, Store } from '../../../ports/store.ts';
import type { ServerSecret } from '../../keys/server-secret.ts';
import { secretId } from '../../oauth/secrets.ts';

/** What a wallet knows a session by: the name of its offer, or its pre-authorized code. */
type HandleKind = 'offer' | 'code';

/**
 * The names by which wallets know sessions: their ids, sealed by the server, so that a session is found without a record
 * for each name. Offers are shown as QR codes and the id of a session shows its progress: neither leads to the other.
 */
export class SessionHandles {
  /** The names that versions before 0.10.0 stored, by their digests. */
  readonly #earlier: Readonly<Record<HandleKind, Collection<{ sessionId: string }>>>;
  readonly #secret: ServerSecret;

  constructor({ store, secret }: { store: Store; secret: ServerSecret }) {
    this.#earlier = {
      offer: store.collection({ name: 'offer-references', sealed: false, afterRestore: 'void' }),
      code: store.collection({ name: 'authorization-codes', sealed: false, afterRestore: 'void' }),
    };
    this.#secret = secret;
  }

  /** A new name of a session. */
  create(kind: HandleKind, issuerId: string, sessionId: string): Promise<string> {
    return this.#secret.seal({ text: sessionId, context: contextOf(kind, issuerId) });
  }

  /** The id of the session with a name; undefined for a name of another kind or another issuer, and for no name. */
  async sessionOf(kind: HandleKind, issuerId: string, name: string): Promise<string | undefined> {
    const id = await this.#secret.unseal({ text: name, context: contextOf(kind, issuerId) });
    return id ?? (await this.#earlier[kind].get({ id: secretId(issuerId, name) }))?.value.sessionId;
  }
}

const contextOf = (kind: HandleKind, issuerId: string): string => `${kind}\n${issuerId}`;
