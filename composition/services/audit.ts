import type { CallRecorder } from '../../adapters/http/edge/audit-steps.ts';
import type { AuditServices } from '../../adapters/http/handlers/tenancy/audit.ts';
import type { Access } from '../../domain/tenancy/access/access.ts';
import type { Principals } from '../../domain/tenancy/access/principals.ts';
import { AuditChains } from '../../domain/tenancy/audit/audit-chains.ts';
import { AuditCheck } from '../../domain/tenancy/audit/audit-check.ts';
import { AuditEntries } from '../../domain/tenancy/audit/audit-entries.ts';
import { AuditEntryQuery } from '../../domain/tenancy/audit/audit-entry-query.ts';
import { AuditRecorder } from '../../domain/tenancy/audit/audit-recorder.ts';
import { AuditRetention } from '../../domain/tenancy/audit/audit-retention.ts';
import { AuditTrail } from '../../domain/tenancy/audit/audit-trail.ts';
import { statusWitness } from '../../domain/tenancy/services/status-witness.ts';
import type { Platform } from '../platform/platform.ts';
import type { IssuedListServices } from '../platform/status-lists.ts';

/** How often the removal of old events looks for a quiet minute, in milliseconds. */
const MINUTE_MS = 60_000;

/** The chains of events, and what records in them what is done for wallets, and of statuses, where the feature is on. */
export function auditChains(platform: Platform): {
  chains: AuditChains;
  entries?: AuditEntries;
  issuedLists: IssuedListServices;
} {
  const { settings, issuedLists } = platform;
  const chains = new AuditChains(platform);
  if (!settings.features.enabled.includes('eidas-audit')) return { chains, issuedLists };
  const entries = new AuditEntries(chains);
  const changes = issuedLists.changes.witnessedBy(statusWitness(entries));
  return { chains, entries, issuedLists: { ...issuedLists, changes } };
}

/** What records the calls of the enterprise services and shows what was recorded. */
export function auditServices(
  { settings, background, clock, chains }: Platform & { chains: AuditChains },
  { access, principals }: { access: Access; principals: Principals },
): { audit: AuditServices; recorder: CallRecorder } {
  const retention = new AuditRetention(chains, settings.audit, clock);
  const trail = new AuditTrail({ access, chains, check: new AuditCheck(chains) });
  const { pagination: pages } = settings;
  const recorder = new AuditRecorder(chains, principals);
  background.every(MINUTE_MS, 'removal of old audit events', () => retention.minute(recorder.calls));
  return {
    audit: { trail, pages, entries: new AuditEntryQuery({ access, trail, pages }) },
    recorder,
  };
}
