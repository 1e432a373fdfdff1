import type { StoredForm } from '../../foundation/stored-form.ts';
import type { Protocol } from '../protocol.ts';
import { PROTOCOLS, rulesOf } from './protocols.ts';
import type { Api, ProtocolOf } from './rules.ts';
import { type SessionStatus, statusOf, type VerificationSession } from './session.ts';

/** A session as its record has it. Each API has kept the names of its states since its first version. */
export interface StoredSessionForm {
  state: string;
  /** Names its protocol, but for sessions of 0.10.0 and before. */
  request: { protocol?: Protocol; mdocs?: unknown };
  outcome?: { handedOverAt?: number };
}

/** The states by their names, those of one API or another. */
const STATUSES: ReadonlyMap<string, SessionStatus> = new Map(
  Object.values(PROTOCOLS).flatMap(({ states }) =>
    (Object.entries(states) as [SessionStatus, string][]).reverse().map(([status, name]) => [name, status] as const),
  ),
);

const isOver = (status: SessionStatus | undefined): boolean => status === 'accepted' || status === 'refused';

/** What a session that waits for its response was answered since a backup is unknown. */
export const overOnly = (stored: StoredSessionForm): StoredSessionForm | undefined =>
  isOver(STATUSES.get(stored.state)) ? stored : undefined;

/** The protocol of a session of 0.10.0 and before. */
const EARLIER: { readonly [A in Api]: (request: StoredSessionForm['request']) => ProtocolOf<A> } = {
  draft20: () => 'draft20',
  v1: ({ mdocs }) => (mdocs === undefined ? 'v1' : 'iso-dc-api'),
};

/** The name of the state of a session, in its record and in metrics. */
export const stateName = (session: VerificationSession): string => rulesOf(session.request).states[statusOf(session)];

/** How the sessions of an API are stored. Programs of one version of the data write them alike. */
export const sessionForm = <A extends Api>(
  api: A,
): StoredForm<VerificationSession<ProtocolOf<A>>, StoredSessionForm> => ({
  write: (session) => {
    const stored = { ...session, state: stateName(session) };
    if (session.state !== 'concluded') return stored;
    const { purgedAt: handedOverAt, ...outcome } = session.outcome;
    return { ...stored, isAccepted: undefined, outcome: { ...outcome, handedOverAt } };
  },
  read: ({ state: name, request, outcome, ...stored }) => {
    const status = STATUSES.get(name);
    const read = { ...stored, state: status, request: { protocol: EARLIER[api](request), ...request } };
    if (!isOver(status)) return read as VerificationSession<ProtocolOf<A>>;
    const { handedOverAt: purgedAt, ...rest } = outcome ?? {};
    const conclusion = { state: 'concluded', isAccepted: status === 'accepted', outcome: { ...rest, purgedAt } };
    return { ...read, ...conclusion } as VerificationSession<ProtocolOf<A>>;
  },
});
