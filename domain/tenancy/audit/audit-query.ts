import { type ErrorDetail, fieldErrors } from '../../foundation/errors.ts';
import { parseIso } from '../../foundation/time.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import type { AuditEvent, AuditOutcome } from './audit-event.ts';

/** The parameters of a list of events, as texts; what the document refuses is never used. */
export type AuditTexts = Readonly<
  Partial<Record<'limit' | 'after' | 'order' | 'action' | 'account' | 'outcome' | 'from' | 'to' | 'subtree', string>>
>;

/** Which events are wanted. */
export interface AuditFilter {
  action?: string;
  /** Only one of these. */
  actions?: ReadonlySet<string>;
  account?: string;
  /** `ended` means all but `begun`. */
  outcome?: AuditOutcome | 'ended';
  /** RFC 3339 with milliseconds. */
  from?: string;
  to?: string;
  /** Whether events below the target are wanted too. */
  subtree: boolean;
}

/** A page of events. */
export interface AuditPageQuery extends AuditFilter {
  limit: number;
  order: 'newest' | 'oldest';
  /** The number of the last event of the page before. */
  after?: number;
}

/** @throws DomainError `BadRequest` naming the parameters */
export function readAuditFilter({ action, account, outcome, from, to, subtree }: AuditTexts): AuditFilter {
  const details = Object.entries({ from, to }).flatMap<ErrorDetail>(([name, text]) =>
    text === undefined || parseIso(text) !== undefined ? [] : [{ path: [name], message: 'is not a time' }],
  );
  if (details.length > 0) throw fieldErrors(details);
  return { action, account, outcome: outcome as AuditFilter['outcome'], from, to, subtree: subtree !== 'false' };
}

/** @throws DomainError `BadRequest` naming the parameters */
export function readAuditPage(texts: AuditTexts, limits: PageLimits): AuditPageQuery {
  const { limit } = readPage({ limit: texts.limit }, { ...limits, sortable: false });
  const after = texts.after === undefined ? undefined : Number(texts.after);
  return { ...readAuditFilter(texts), limit, order: texts.order === 'oldest' ? 'oldest' : 'newest', after };
}

/** Whether an event is wanted, apart from its target. */
export function isWanted(event: AuditEvent, { action, actions, account, outcome, from, to }: AuditFilter): boolean {
  return (
    (action === undefined || event.action === action) &&
    (actions === undefined || actions.has(event.action)) &&
    (account === undefined || event.account === account) &&
    (outcome === undefined || event.outcome === outcome || (outcome === 'ended' && event.outcome !== 'begun')) &&
    (from === undefined || event.time >= from) &&
    (to === undefined || event.time <= to)
  );
}
