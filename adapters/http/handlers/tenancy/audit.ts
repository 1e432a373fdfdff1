import type { PageLimits } from '../../../../domain/limits/pagination.ts';
import type { Rights } from '../../../../domain/tenancy/access/permissions.ts';
import type { AuditEntryQuery } from '../../../../domain/tenancy/audit/audit-entry-query.ts';
import { type AuditTexts, readAuditFilter, readAuditPage } from '../../../../domain/tenancy/audit/audit-query.ts';
import type { AuditRequest, AuditTrail } from '../../../../domain/tenancy/audit/audit-trail.ts';
import { type Handlers, type LateQuery, type LoggedIn, reply, replyToBody } from '../../messages/operations.ts';

/** What the handlers of the document `audit` need. */
export interface AuditServices {
  trail: AuditTrail;
  entries: AuditEntryQuery;
  pages: PageLimits;
}

interface AuditInput {
  query: LateQuery<unknown>;
  caller: LoggedIn;
  path: { target?: string };
  rights?: Rights;
}

const requestOf = ({ path: { target }, rights, caller }: AuditInput): AuditRequest =>
  target !== undefined && rights ? { target, rights } : { caller: caller.accountId };

/** Recorded events: those of a target, and those of the installation. */
export function auditHandlers({ trail, entries, pages }: AuditServices): Handlers<'audit'> {
  const list = reply(200, (input: AuditInput) =>
    trail.page(requestOf(input), () => input.query((texts: AuditTexts) => readAuditPage(texts, pages))),
  );
  const exported = async (input: AuditInput) => ({
    status: 200 as const,
    lines: await trail.export(requestOf(input), () => input.query(readAuditFilter)),
  });
  const check = reply(200, (input: AuditInput) =>
    trail.check(requestOf(input), () => input.query(({ after }) => (after === undefined ? undefined : Number(after)))),
  );
  return {
    listAuditEvents: list,
    exportAuditEvents: exported,
    checkAuditTrail: check,
    listInstallationEvents: list,
    exportInstallationEvents: exported,
    checkInstallationTrail: check,
    queryAuditEntries: replyToBody(200, ({ caller, body }) => entries.page(caller.accountId, body)),
  };
}
