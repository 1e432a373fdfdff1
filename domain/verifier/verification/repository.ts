import type { Metrics } from '../../../ports/metrics.ts';
import type { Collection, CollectionSpec, NewRecord, Store, Stored } from '../../../ports/store.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { update } from '../../foundation/records.ts';
import { withStoredForm } from '../../foundation/stored-form.ts';
import type { Page } from '../../limits/pagination.ts';
import type { Protocol } from '../protocol.ts';
import type { Verifier } from '../verifier.ts';
import { rulesOf } from './protocols.ts';
import type { Api, ProtocolOf } from './rules.ts';
import type { VerificationSession, WaitingSession } from './session.ts';
import { overOnly, type StoredSessionForm, sessionForm, stateName } from './stored-session.ts';

const DRAFT_SESSIONS: CollectionSpec<StoredSessionForm> = {
  name: 'verifier-sessions',
  listed: true,
  sealed: true,
  afterRestore: { change: overOnly },
};

const SESSIONS: CollectionSpec<StoredSessionForm> = {
  name: 'presentation-sessions',
  listed: true,
  sealed: true,
  afterRestore: { change: overOnly },
};

/** The session of a request id, by the digest of that id. */
const REQUESTS: CollectionSpec<{ session: string }> = {
  name: 'presentation-requests',
  listed: false,
  sealed: true,
  afterRestore: 'void',
};

/** How many sessions are removed at once. */
const REMOVED_AT_ONCE = 100;

/** A session as it was read or written last. */
export type StoredSession<P extends Protocol = Protocol> = Stored<VerificationSession<P>>;

/** A change of a session, and how long its result is stored at least, in milliseconds since the epoch. */
interface SessionMove<T extends VerificationSession> {
  change(session: VerificationSession): T;
  expiresAt?(session: T, before: StoredSession): number | undefined;
}

/** Stores verification sessions, listed by the target of their verifier; each API has ids of its own. */
export class SessionRepository {
  readonly #sessions: { readonly [A in Api]: Collection<VerificationSession<ProtocolOf<A>>> };
  readonly #requests: Collection<{ session: string }>;
  readonly #metrics: Metrics;

  constructor({ store, metrics }: { store: Store; metrics: Metrics }) {
    this.#sessions = {
      draft20: withStoredForm(store.collection(DRAFT_SESSIONS), sessionForm('draft20')),
      v1: withStoredForm(store.collection(SESSIONS), sessionForm('v1')),
    };
    this.#requests = store.collection(REQUESTS);
    this.#metrics = metrics;
  }

  /** Stores a new session. @throws DomainError `Conflict` when a session of the same target and API has this id */
  async insert<P extends Protocol>(
    verifier: Pick<Verifier, 'id' | 'target'>,
    session: NewRecord<WaitingSession<P>>,
  ): Promise<StoredSession<P>> {
    const { request } = session.value;
    const collection: Collection<VerificationSession> = this.#sessions[rulesOf(request).api];
    const stored = await collection.insert({ ...session, parent: verifier.target });
    if ('requestId' in request) {
      const { expiresAt } = session;
      await this.#requests.insert({
        id: recordOf(verifier, request.requestId),
        value: { session: session.id },
        expiresAt,
      });
    }
    this.#metrics.sessionMoved('verification', stateName(session.value));
    return { ...stored, value: session.value };
  }

  /** The session of this verifier. @throws DomainError `NotFound` */
  async get<A extends Api>(
    { id: verifierId, target }: Pick<Verifier, 'id' | 'target'>,
    api: A,
    id: string,
  ): Promise<StoredSession<ProtocolOf<A>>> {
    const stored = await this.find(target, api, id);
    if (stored?.value.request.verifierId === verifierId) return stored;
    throw notFound();
  }

  /** The session of any verifier of a target. */
  find<A extends Api>(target: string, api: A, id: string): Promise<StoredSession<ProtocolOf<A>> | undefined> {
    return this.#sessions[api].get({ parent: target, id });
  }

  /**
   * The session whose request has this id. A session over the Digital Credentials API is also found by its own id: the
   * page that created it calls the endpoints, and no code is shown that others could photograph.
   * @throws DomainError `NotFound`
   */
  async requested(verifier: Verifier, requestId: string): Promise<StoredSession<ProtocolOf<'v1'>>> {
    const known = await this.#requests.get({ id: recordOf(verifier, requestId) });
    const session = await this.get(verifier, 'v1', known?.value.session ?? requestId);
    if (!known && session.value.request.walletUrl !== undefined) throw notFound();
    return session;
  }

  /** One page of the sessions of a verifier, without those of the drafts. */
  list({ target }: Verifier, page: Page): Promise<StoredSession<ProtocolOf<'v1'>>[]> {
    return this.#sessions.v1.list({ ...page, parent: target });
  }

  /** Removes the sessions of a verifier, page by page in the order of their ids; none that is created meanwhile is waited for. */
  async removeAll({ target: parent }: Pick<Verifier, 'target'>): Promise<void> {
    for (const sessions of Object.values(this.#sessions))
      for (let after: string | undefined, isMore = true; isMore; ) {
        const ids = await sessions.ids({ parent, order: 'id', offset: 0, limit: REMOVED_AT_ONCE, after });
        await Promise.all(ids.map((id) => sessions.remove({ parent, id })));
        after = ids.at(-1);
        isMore = ids.length === REMOVED_AT_ONCE;
      }
  }

  /**
   * Moves a session from its present state: of concurrent moves the later ones see the results of the earlier ones.
   * @throws DomainError `NotFound` when the session is gone, and what `change` throws
   */
  async move<T extends VerificationSession>(
    from: StoredSession,
    { change, expiresAt }: SessionMove<T>,
  ): Promise<Stored<T>> {
    const key = { parent: from.parent, id: from.id };
    const collection: Collection<VerificationSession> = this.#sessions[rulesOf(from.value.request).api];
    const moved = await update<VerificationSession, T>({ collection, key, from, change, expiresAt });
    if (!moved) throw notFound();
    const name = stateName(moved.value);
    if (name !== stateName(from.value)) this.#metrics.sessionMoved('verification', name);
    return moved;
  }
}

const recordOf = ({ id }: Pick<Verifier, 'id'>, requestId: string): string => fingerprint(`${id}\n${requestId}`);

const notFound = (): DomainError =>
  new DomainError('NotFound', 'There is no such verification session, or it has expired');
