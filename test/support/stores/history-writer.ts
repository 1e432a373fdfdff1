import type { Settings } from '../../../adapters/config/settings.ts';
import { systemClock } from '../../../adapters/system/system.ts';
import { openStore } from '../../../composition/platform/stores.ts';
import { type CredentialIssuer, openIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { IssuanceEventName } from '../../../domain/issuer/sessions/issuance-event-names.ts';
import type { IssuanceSessionRepository } from '../../../domain/issuer/sessions/session-repository.ts';
import { silentLog } from '../servers/silent-log.ts';
import { issuanceSessions } from './issuance-sessions.ts';
import { managedSession } from './managed-session.ts';

const ISSUER = openIssuer('v1', 'https://issuer.example') as CredentialIssuer;

/** Reports steps of issuance sessions on the store of a server, as another instance does. */
export class HistoryWriter {
  readonly #sessions: IssuanceSessionRepository;
  readonly close: () => Promise<void>;

  private constructor(sessions: IssuanceSessionRepository, close: () => Promise<void>) {
    this.#sessions = sessions;
    this.close = close;
  }

  static async open(settings: Settings): Promise<HistoryWriter> {
    const [clock, log] = [systemClock, silentLog];
    const { store, claim } = (await openStore(settings))({ clock, log });
    await claim();
    return new HistoryWriter(issuanceSessions({ store, clock }), () => store.close());
  }

  /** Reports steps of one session, one after the other; the first ones create it. */
  async report(id: string, ...events: IssuanceEventName[]): Promise<void> {
    for (const event of events) {
      const known = await this.#sessions.get(ISSUER, id);
      if (known) await this.#sessions.report(known, event);
      else await this.#sessions.insert(ISSUER, managedSession(id, { expiresAt: systemClock.now() + 3_600_000 }), event);
    }
  }
}
