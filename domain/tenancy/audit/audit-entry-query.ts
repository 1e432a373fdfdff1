import { at, invalidField } from '../../foundation/errors.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { isoMillis, parseIso } from '../../foundation/time.ts';
import type { PageLimits } from '../../limits/pagination.ts';
import type { Access } from '../access/access.ts';
import type { Target } from '../access/targets.ts';
import type { EntryAction } from './audit-entries.ts';
import { type AuditEvent, organizationOf, ZERO_HASH } from './audit-event.ts';
import type { AuditTrail } from './audit-trail.ts';

/** The kinds of entries, as the reference names them, with what they are recorded as. */
const ENTRY_TYPES = {
  CREDENTIAL_ISSUED: 'credentialIssued',
  CREDENTIAL_LIFECYCLE: 'credentialStatusChanged',
  PRESENTATION_VERIFICATION_COMPLETED: 'presentationVerified',
} as const satisfies Record<string, EntryAction>;
type EntryType = keyof typeof ENTRY_TYPES;

/** Which entries are wanted; times in milliseconds since the epoch. */
interface EntryQuery {
  organizationId?: string;
  target: Target;
  entryTypes?: EntryType[];
  fromTimestamp?: number;
  toTimestamp?: number;
  limit?: number;
  afterSequenceNumber?: number;
}

/** Facts that are no texts in an entry, since all of an event are. */
const FACTS: Readonly<Record<string, (text: string) => unknown>> = {
  credentialIndex: Number,
  index: Number,
  holderBindingPublicKeyJwk: parseJson,
};

/** Shows what was recorded of issuing, statuses and verifications in the form of the reference. */
export class AuditEntryQuery {
  constructor(private readonly parts: { access: Access; trail: Pick<AuditTrail, 'page'>; pages: PageLimits }) {}

  /**
   * A page of the entries of a target and of everything below it, the latest first.
   * @throws DomainError `Forbidden`, `NotFound`, `BadRequest` naming `organizationId` or `limit`
   */
  async page(caller: string, { target, ...query }: EntryQuery) {
    const { access, trail, pages } = this.parts;
    const rights = await access.require(caller, ['audit-view'], target);
    const { organizationId = organizationOf(target), limit = pages.defaultLimit } = query;
    if (organizationId !== organizationOf(target))
      throw invalidField(['organizationId'], 'is not the organization of the target');
    if (limit > pages.maxLimit) throw invalidField(['limit'], `must be at most ${pages.maxLimit}`);
    const { entryTypes = Object.keys(ENTRY_TYPES) as EntryType[] } = query;
    const [from, to] = (['fromTimestamp', 'toTimestamp'] as const).map((name) => at([name], () => timeOf(query[name])));
    const actions = new Set<string>(entryTypes.map((type) => ENTRY_TYPES[type]));
    const wanted = {
      limit,
      order: 'newest',
      after: query.afterSequenceNumber,
      actions,
      from,
      to,
      subtree: true,
    } as const;
    const { events, next } = await trail.page({ target, rights }, async () => wanted);
    return { entries: events.map(entryOf), ...(next !== undefined && { nextSequenceNumber: next }) };
  }
}

const timeOf = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : isoMillis(ms));

function entryOf({ action, target, time, sequence, previous, hash, parameters }: AuditEvent) {
  const organizationId = organizationOf(target);
  const facts = Object.entries(parameters).map(([name, text]) => [name, FACTS[name]?.(text) ?? text]);
  return {
    entryType: (Object.keys(ENTRY_TYPES) as EntryType[]).find((type) => ENTRY_TYPES[type] === action),
    id: `${organizationId}-${sequence}`,
    organizationId,
    target,
    timestamp: parseIso(time),
    sequenceNumber: sequence,
    prevEntryHash: previous === ZERO_HASH ? 'GENESIS' : previous,
    entryHash: hash,
    ...Object.fromEntries(facts),
  };
}
