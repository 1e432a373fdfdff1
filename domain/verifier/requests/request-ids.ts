import type { SessionHandles } from '../../oauth/session-handles.ts';
import type { SessionRepository, StoredSession } from '../verification/repository.ts';
import type { ProtocolOf } from '../verification/rules.ts';
import { noSession } from '../verification/session.ts';
import type { Verifier } from '../verifier.ts';

/** The ids of requests in URLs for wallets. */
export class RequestIds {
  constructor(private readonly parts: { handles: SessionHandles; sessions: Pick<SessionRepository, 'get'> }) {}

  /** A new id of the request of a session, which no other one has. */
  create({ id }: Verifier, sessionId: string): Promise<string> {
    return this.parts.handles.create('request', id, sessionId);
  }

  /**
   * The session whose request has this id. A session over the Digital Credentials API is also found by its own id: the
   * page that created it calls the endpoints, and no code is shown that others could photograph.
   * @throws DomainError `NotFound`
   */
  async session(verifier: Verifier, requestId: string): Promise<StoredSession<ProtocolOf<'v1'>>> {
    const id = await this.parts.handles.sessionOf('request', verifier.id, requestId);
    const session = await this.parts.sessions.get(verifier, 'v1', id ?? requestId);
    const { request } = session.value;
    // A session can have the id of an earlier one.
    if (id === undefined ? request.walletUrl === undefined : request.requestId === requestId) return session;
    throw noSession();
  }
}
