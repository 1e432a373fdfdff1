import type { EventWatches } from '../../domain/events/event-watches.ts';
import { at } from '../../domain/foundation/errors.ts';
import type { Handlers } from './operations.ts';

/** What the handlers of the document `issuer2` need. */
export interface Issuer2Services {
  /** The readers of the events of issuance sessions. */
  watches: EventWatches;
}

/** The management of issuance sessions of OpenID4VCI 1.0. */
export const issuer2Handlers = ({ watches }: Issuer2Services): Handlers<'issuer2'> => ({
  streamIssuanceSessionEvents: async ({ path, query, headers }) => {
    const known = headers['last-event-id'];
    const place = known === undefined ? ['query', 'lastEventId'] : ['header', 'Last-Event-ID'];
    const after = Number(known ?? query.lastEventId ?? 0);
    return { status: 200, events: await at({ after: place }, () => watches.open(path.sessionId, after)) };
  },
});
