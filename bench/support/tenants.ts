import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../adapters/config/read-settings.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { createPlatform, type Platform } from '../../composition/platform/platform.ts';
import { openStore } from '../../composition/platform/stores.ts';
import { createSystem } from '../../composition/platform/system.ts';
import { type IssuerArea, issuerServices } from '../../composition/services/issuer.ts';
import { signInServices } from '../../composition/services/sign-in.ts';
import { type Tenancy, tenancyServices } from '../../composition/services/tenancy.ts';
import { verifierServices } from '../../composition/services/verifier.ts';
import { type AuditFacts, type ChainEnd, linked, ZERO_HASH } from '../../domain/tenancy/audit/audit-event.ts';
import { RESOURCE_KINDS } from '../../domain/tenancy/tree/resource-kinds.ts';
import type { CollectionSpec, NewRecord, Store } from '../../ports/store.ts';
import { offerRequest } from './issuer.ts';
import { SILENT } from './platform.ts';
import { SqliteBulk } from './sqlite-bulk.ts';

/** How much an installation has. */
export interface Size {
  /** Keys of one service. */
  keys: number;
  /** Tenants of one organization, each with a role and an account that has it. */
  tenants: number;
  /** Logins, and as many issuance sessions. */
  sessions: number;
  /** Recorded calls of the organization. */
  events: number;
}

/** An installation of this size, wired as in production but for its log. */
export interface Installation {
  settings: Settings;
  tenancy: Tenancy;
  issuing: IssuerArea;
  close(): Promise<void>;
}

/** The service with the keys. */
export const KMS = 'acme.t0.kms';
/** The account that administers a tenant. */
export const accountOf = (tenant: number): string => `account-${tenant}`;
/** A recorded call of the first tenant. */
const CALL: AuditFacts = {
  outcome: 'succeeded',
  status: 201,
  action: 'generateKey',
  target: 'acme.t0',
  parameters: {},
  account: 'account-0',
  source: '192.0.2.7',
  requestId: 'r1',
};
/** A key as the local backend shows it. */
const JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'k' };
/** How many records are written at once. */
const AT_ONCE = 500;

/** Creates an installation; records are sealed where they are in production. */
export async function createInstallation(size: Size, store?: Partial<Settings['store']>): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const defaults = await readSettings({ CONFIG_DIR: join(folder, 'config'), DATA_DIR: folder, PORT: '0' });
  const settings = { ...defaults, store: { ...defaults.store, ...store } };
  const system = createSystem(settings, { log: SILENT });
  const bulk = store ? undefined : new SqliteBulk(join(folder, 'credenza.sqlite'));
  const opened = (await openStore(settings, (inner) => bulk?.over(inner) ?? inner))(system);
  const platform: Platform = createPlatform({ settings, system, store: opened.store });
  await fill(opened.store, size);
  bulk?.end();
  const issuing = issuerServices(platform);
  await fillOffers(issuing, size.sessions);
  const close = async (): Promise<void> => {
    await platform.background.close();
    await opened.store.close();
  };
  const verification = verifierServices(platform);
  const tenancy = tenancyServices(platform, {
    issuance: issuing,
    verification,
    signIn: signInServices(platform, verification),
  });
  return { settings, tenancy, issuing, close };
}

async function fillOffers({ issuers, offers }: IssuerArea, count: number): Promise<void> {
  const request = { content: offerRequest() };
  for (let made = 0; made < count; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - made) }, () => offers.create(issuers.draft13, request)),
    );
}

async function fill(store: Store, { keys, tenants, sessions, events }: Size): Promise<void> {
  const { resources: RESOURCES, keys: KEYS } = RESOURCE_KINDS;
  const resource = (parent: string, id: string, content: object) => ({ parent, id, value: { content } });
  const inTenants = (n: number) => resource('acme', `t${n}`, { type: 'tenant', name: `Tenant ${n}` });
  const role = (n: number) => ({ target: `acme.t${n}.admin`, uid: `role-${n}` });
  const permissions = (n: number) => [{ target: `acme.t${n}`, action: 'all', operation: 'ADD' }];
  await write(store, { ...RESOURCES, listed: true, afterRestore: 'kept' }, 1, () =>
    resource('', 'acme', { type: 'organization' }),
  );
  await write(store, { ...RESOURCES, listed: true, afterRestore: 'kept' }, tenants, inTenants);
  await write(store, { ...RESOURCES, listed: true, afterRestore: 'kept' }, 1, () =>
    resource('acme.t0', 'kms', { type: 'kms' }),
  );
  await write(store, { ...KEYS, listed: true, afterRestore: 'kept' }, keys, (n) =>
    resource(KMS, `key-${String(n).padStart(7, '0')}`, { type: 'key', key: { type: 'jwk', jwk: JWK } }),
  );
  await write(store, { name: 'enterprise-roles', listed: true, sealed: true, afterRestore: 'kept' }, tenants, (n) => ({
    parent: `acme.t${n}`,
    id: 'admin',
    value: { uid: role(n).uid, name: 'Administrator', permissions: permissions(n) },
  }));
  await write(
    store,
    { name: 'enterprise-principals', listed: false, sealed: true, afterRestore: 'kept' },
    tenants,
    (n) => ({
      id: accountOf(n),
      value: { superadmin: false, roles: [role(n)], profile: { name: `Administrator ${n}` } },
    }),
  );
  let end: ChainEnd = { sequence: 0, hash: ZERO_HASH };
  await write(store, { name: 'audit-events', listed: true, sealed: true, afterRestore: 'kept' }, events, () => {
    const event = linked(end, CALL, Date.now());
    end = event;
    return { parent: 'acme', id: String(event.sequence).padStart(16, '0'), value: event };
  });
  const expiresAt = Date.now() + 86_400_000;
  await write(store, { name: 'login-sessions', listed: false, sealed: false, afterRestore: 'kept' }, sessions, (n) => ({
    id: randomUUID(),
    value: { accountId: accountOf(n % tenants) },
    expiresAt,
  }));
}

async function write(
  store: Store,
  { name, listed, sealed }: CollectionSpec<unknown>,
  count: number,
  recordOf: (n: number) => NewRecord<unknown>,
): Promise<void> {
  const collection = store.collection<unknown>({
    name,
    listed,
    sealed,
    afterRestore: 'kept',
  });
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from);
    await Promise.all(Array.from({ length }, (_, n) => collection.insert(recordOf(from + n))));
  }
}
