import type { Collection, Store } from '../../../ports/store.ts';
import { secretId } from '../../oauth/secrets.ts';

/** A session whose offer is to be found. */
interface OfferedSession {
  reference: string;
  issuerId: string;
  sessionId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * The names under which wallets find offers of OpenID4VCI 1.0. They are random, since offers are shown as QR codes and the
 * id of a session shows its progress.
 */
export class OfferReferences {
  readonly #sessions: Collection<{ sessionId: string }>;

  constructor({ store }: { store: Store }) {
    this.#sessions = store.collection({ name: 'offer-references', listed: false, sealed: false, afterRestore: 'void' });
  }

  async insert({ issuerId, reference, sessionId, expiresAt }: OfferedSession): Promise<void> {
    await this.#sessions.insert({ id: secretId(issuerId, reference), value: { sessionId }, expiresAt });
  }

  /** The session of an offer; undefined for an unknown or expired one. */
  async sessionOf(issuerId: string, reference: string): Promise<string | undefined> {
    return (await this.#sessions.get({ id: secretId(issuerId, reference) }))?.value.sessionId;
  }
}
