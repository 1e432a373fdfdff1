import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { created } from '../../../domain/issuer/sessions/issuance-session.ts';
import { nameOf, parentOf, type Target } from '../../../domain/tenancy/access/targets.ts';
import type { ListSources } from '../../../domain/tenancy/services/lists.ts';
import { type TenantIssuerParts, TenantIssuers } from '../../../domain/tenancy/services/tenant-issuers.ts';
import { TenantServices } from '../../../domain/tenancy/services/tenant-services.ts';
import { type TenantVerifierParts, TenantVerifiers } from '../../../domain/tenancy/services/tenant-verifiers.ts';
import type { ResourceTree } from '../../../domain/tenancy/tree/resource-tree.ts';
import type { SessionRequest } from '../../../domain/verifier/protocol.ts';
import { SessionRepository, verificationRecords } from '../../../domain/verifier/verification/repository.ts';
import { waiting } from '../../../domain/verifier/verification/session.ts';
import type { Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { testFormats } from '../credentials/formats.ts';
import { issuanceSessions } from './issuance-sessions.ts';

/** Changes the rows of a list, each by its target; `name` is what a row that has one is called then. */
export interface ChangedRows {
  add(target: Target, name: string): Promise<unknown>;
  change(target: Target, name: string): Promise<unknown>;
  remove(target: Target): Promise<unknown>;
}

/** What the lists of sessions are read from. */
interface SessionStore {
  store: Store;
  clock: Clock;
  tree: ResourceTree;
}

/** Sessions outlive every test. */
const EXPIRES_AT = 10_000_000_000;
const urls = { baseUrlOf: async () => 'https://tenant.example' };
const metrics = new PrometheusMetrics();

const noSession = (): DomainError => new DomainError('NotFound', 'There is no such session');

/** Removes a session as its expiry does, which no operation does for one session alone. */
const removed = async (store: Store, name: string, key: { parent: string; id: string }): Promise<void> => {
  if (!(await store.collection({ name, listed: true, sealed: true, afterRestore: 'kept' }).remove(key)))
    throw noSession();
};

/** The sessions of tenants' verifiers, with the source that lists them. */
export function verificationRows({ store, clock, tree }: SessionStore): {
  rows: ChangedRows;
  source: ListSources['verificationSessions'];
} {
  const sessions = new SessionRepository({
    records: verificationRecords(store),
    events: { recording: (_session, _events, write) => write(() => undefined) },
    metrics,
  });
  const services = new TenantServices({ tree });
  const verifiers = new TenantVerifiers({
    tree,
    services,
    urls,
    sessions,
    clock,
  } as unknown as TenantVerifierParts);
  let requests = 0;
  const requestOf = (verifierId: string) =>
    ({
      protocol: 'v1',
      requestId: `r${++requests}`,
      verifierId,
      flow: 'cross_device',
      expiresAt: EXPIRES_AT,
      policies: { vc: [], specific: {} },
      redirects: {},
    }) as unknown as SessionRequest<'v1'>;
  const rows: ChangedRows = {
    add: async (target) => {
      const verifier = await verifiers.at(parentOf(target));
      const session = { id: nameOf(target), value: waiting(requestOf(verifier.id)), expiresAt: EXPIRES_AT };
      await sessions.insert(verifier, session);
    },
    change: async (target) => {
      const session = await sessions.get(await verifiers.at(parentOf(target)), 'v1', nameOf(target));
      await sessions.move(session, { change: (before) => ({ ...before }) });
    },
    remove: async (target) => {
      const { target: parent } = await verifiers.at(parentOf(target));
      await removed(store, 'presentation-sessions', { parent, id: nameOf(target) });
    },
  };
  return { rows, source: verifiers };
}

/** The sessions of tenants' issuers, with the source that lists them. */
export function issuanceRows({ store, clock, tree }: SessionStore): {
  rows: ChangedRows;
  source: ListSources['issuanceSessions'];
} {
  const sessions = issuanceSessions({ store, clock });
  const services = new TenantServices({ tree });
  const certificates = new NodeCertificates();
  const parts = { services, urls, sessions, certificates, formats: testFormats };
  const issuers = new TenantIssuers(parts as unknown as TenantIssuerParts);
  const rows: ChangedRows = {
    add: async (target) => {
      const issuer = await issuers.at(parentOf(target));
      const id = nameOf(target);
      const grant = { kind: 'pre-authorized', code: 'one-time-code' } as const;
      const plan = { kinds: [], runs: [] };
      await sessions.insert(
        issuer,
        created({ id, issuerId: issuer.id, grant, plan, expiresAt: EXPIRES_AT, isBatch: false }),
      );
    },
    change: async (target) => {
      const session = await sessions.active(await issuers.at(parentOf(target)), nameOf(target));
      if (!session) throw noSession();
      await sessions.move(session, (before) => ({ ...before }));
    },
    remove: async (target) => {
      const owner = (await issuers.at(parentOf(target))).target;
      await removed(store, 'issuance-sessions', { parent: `${owner}/openid4vci`, id: nameOf(target) });
    },
  };
  return { rows, source: issuers };
}
