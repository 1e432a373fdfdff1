import type { Collection, Store } from '../../../ports/store.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import type { ServerSecret } from '../../keys/server-secret.ts';
import type { SessionRepository, StoredSession } from '../verification/repository.ts';
import type { ProtocolOf } from '../verification/rules.ts';
import { noSession } from '../verification/session.ts';
import type { Verifier } from '../verifier.ts';

/**
 * The ids of requests in URLs for wallets: the ids of their sessions, sealed by the server, so that a session is found
 * without a record for each. A request is shown as a QR code, and the id of a session shows its result: the one does not
 * lead to the other.
 */
export class RequestIds {
  /** The sessions of the requests of versions before 0.10.0, by the digests of their ids. */
  readonly #earlier: Collection<{ session: string }>;

  constructor(
    private readonly parts: {
      store: Store;
      secret: Pick<ServerSecret, 'seal' | 'unseal'>;
      sessions: Pick<SessionRepository, 'get'>;
    },
  ) {
    this.#earlier = parts.store.collection({ name: 'presentation-requests', afterRestore: 'void' });
  }

  /** A new id of the request of a session, which no other one has. */
  create(verifier: Verifier, sessionId: string): Promise<string> {
    return this.parts.secret.seal({ text: sessionId, context: contextOf(verifier) });
  }

  /**
   * The session whose request has this id. A session over the Digital Credentials API is also found by its own id: the
   * page that created it calls the endpoints, and no code is shown that others could photograph.
   * @throws DomainError `NotFound`
   */
  async session(verifier: Verifier, requestId: string): Promise<StoredSession<ProtocolOf<'v1'>>> {
    const id = await this.#find(verifier, requestId);
    const session = await this.parts.sessions.get(verifier, 'v1', id ?? requestId);
    const { request } = session.value;
    // A session can have the id of an earlier one.
    if (id === undefined ? request.walletUrl === undefined : request.requestId === requestId) return session;
    throw noSession();
  }

  async #find(verifier: Verifier, requestId: string): Promise<string | undefined> {
    const id = await this.parts.secret.unseal({ text: requestId, context: contextOf(verifier) });
    return id ?? (await this.#earlier.get({ id: fingerprint(`${verifier.id}\n${requestId}`) }))?.value.session;
  }
}

const contextOf = ({ id }: Verifier): string => `request\n${id}`;
