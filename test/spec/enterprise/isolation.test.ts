import { expect } from 'chai';
import fc from 'fast-check';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { SERVICE_TYPES } from '../../../domain/tenancy/tree/service-types.ts';
import { ABSENT, type Neighbours, startNeighbours, TENANTS } from '../../actors/tenants.ts';
import { contract } from '../../support/documents/contract.ts';
import { documentedCall } from '../../support/documents/operation-calls.ts';
import { runs } from '../../support/runs/property-runs.ts';
import type { Answer } from '../../support/servers/server.ts';

/** Every operation at a target, those of mounted documents too, called as documented at targets of each relation to the caller. */
describe('Every operation at a target', () => {
  let on: Neighbours;
  let operations: Operation[];
  before(async () => {
    on = await startNeighbours();
    operations = (await contract).operations.filter(({ path }) => path.includes('{target}'));
  });
  after(() => on.close());

  /** The service of a tenant, or its role, that an operation is one of; undefined for those of any resource. */
  function serviceOf({ path, method }: Operation): string | undefined {
    const end = path.split('/').slice(3).join('/');
    const known = PLACES.find(([place]) => place.test(`${method} ${end}`));
    return (
      known?.[1] ??
      Object.keys(SERVICE_TYPES).find(
        (type) => end.startsWith(`${type}-api/`) || end.startsWith(`${type}-service-api/`),
      )
    );
  }
  /** The paths that do not begin with the type of the service. */
  const PLACES: [RegExp, string][] = [
    [/ issuer-service-api\//, 'issuer2'],
    [/ wallet-service-api\//, 'wallet2'],
    [/ (resource-api|\{api\})\/(services(\/create)?$|dependencies)/, 'kms'],
    [/ roles-api\/roles(\/accounts)?$/, 'role'],
    [/^(GET|DELETE) kms-service-api\/keys$| kms-service-api\/keys\/sign$/, 'kms.one'],
    [/^(PUT|DELETE) did-store-/, 'did-store.one'],
    [/^(GET|PUT|DELETE) credential-store-service-api\/credentials$/, 'credential-store.one'],
    [/^(GET|PUT|DELETE) policy-store-service-api\/policies$/, 'policy-store.one'],
    [/^(GET|PUT|DELETE) verifier2-service-api\/checks$|checks\/verification-session$/, 'verifier2.one'],
    [/^(PUT|DELETE) x509-store-/, 'x509-store.one'],
  ];
  /** What callers may ask about themselves, for any target. */
  const ABOUT_CALLERS = new Set(['decidePermission']);
  const targetIn = (operation: Operation, tenant: string): string => {
    const type = serviceOf(operation);
    return type === undefined ? tenant : `${tenant}.${type}`;
  };
  const call = (operation: Operation, tenant: string, token?: string): Promise<Answer> => {
    const request = documentedCall(operation, { target: targetIn(operation, tenant) });
    return on.server.call(operation.operationId, { ...request, token });
  };
  const isManaged = ({ realm, operationId }: Operation): boolean =>
    realm === 'enterprise' && !ABOUT_CALLERS.has(operationId);
  /** What an answer says, but the target that the caller sent. */
  const saidAt = ({ status, body }: Answer, tenant: string): string => {
    const { requestId: _, ...rest } = body;
    return JSON.stringify([status, rest])
      .replaceAll(tenant, 'TENANT')
      .replaceAll(tenant.split('.')[0] ?? '', 'ORG');
  };

  /** What each relation must be answered, for operations that need a permission. */
  const EXPECTED: Record<string, (operation: Operation) => number> = {
    'no login': () => 401,
    'ended login': () => 401,
    sibling: () => 404,
    other: () => 404,
    parent: (operation) => {
      if (serviceOf(operation) !== undefined) return 404;
      // It shows the way to what is granted below, and nothing beside that.
      return operation.operationId === 'getWorkplace' ? 200 : 403;
    },
  };

  it('answers by the relation of the target to the rights of the caller', async () => {
    const tokens: Record<string, string | undefined> = { 'no login': undefined, 'ended login': on.ended };
    const rows = new Map<string, string[]>();
    const wrong: string[] = [];
    for (const operation of operations.filter(isManaged)) {
      const row: string[] = [];
      for (const [relation, expected] of Object.entries(EXPECTED)) {
        const tenant = TENANTS[relation as keyof typeof TENANTS] ?? TENANTS.own;
        const { status } = await call(operation, tenant, relation in tokens ? tokens[relation] : on.caller);
        row.push(`${relation} ${status}`);
        if (status !== expected(operation)) wrong.push(`${operation.operationId} ${relation} ${status}`);
      }
      const key = row.join(' | ');
      rows.set(key, [...(rows.get(key) ?? []), operation.operationId]);
    }
    for (const [row, ids] of rows) console.log(`      ${row}: ${ids.length} operations`);
    expect(wrong).to.deep.equal([]);
  });

  it('reaches what is within the rights of the caller, itself and below', async () => {
    const refused: string[] = [];
    for (const relation of ['child', 'own'] as const)
      for (const operation of operations.filter(isManaged).toSorted(removingLast)) {
        const { status, body } = await call(operation, TENANTS[relation], on.caller);
        const target = targetIn(operation, TENANTS[relation]);
        const isInvisible = status === 404 && String(body.message).endsWith(`visible at ${target}`);
        if (status === 401 || status === 403 || isInvisible) refused.push(operation.operationId);
      }
    expect([...new Set(refused)].sort()).to.deep.equal(UNREACHED);
  });
  /** Only organizations are checked, and there is no such domain, key or invitation. */
  const UNREACHED = ['checkAuditTrail', 'deleteHostAlias', 'revokeApiKey', 'revokeInvitation'];
  const removingLast = (one: Operation, other: Operation): number =>
    Number(one.method === 'DELETE') - Number(other.method === 'DELETE');

  it('says and does the same where nothing is visible and where nothing is', async () => {
    for (const operation of operations)
      for (const relation of ['sibling', 'other'] as const) {
        // Both are called once before, since the first use of a part of the server may cost more.
        const seen: unknown[] = [];
        for (const tenant of [TENANTS[relation], ABSENT[relation], TENANTS[relation], ABSENT[relation]]) {
          const from = on.store.done.length;
          const answer = await call(operation, tenant, on.caller);
          seen.push([saidAt(answer, tenant), on.store.done.slice(from)]);
        }
        if (isManaged(operation)) expect(seen[2], `${operation.operationId} ${relation}`).to.deep.equal(seen[3]);
      }
  });

  it('never fails, and never answers what lies outside the rights of the caller, for any target', async () => {
    const names = [
      'acme',
      'other',
      'parent',
      'own',
      'sibling',
      'tenant',
      'child',
      'kms',
      'did-store',
      'x',
      '*',
      '',
      '..',
      'é',
      '%00',
    ];
    const target = fc.array(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 5 })), { maxLength: 6 });
    const managed = operations.filter(isManaged).filter(({ method }) => method !== 'DELETE');
    await fc.assert(
      fc.asyncProperty(fc.nat(managed.length - 1), target, async (n, segments) => {
        const operation = managed[n] as Operation;
        const at = segments.join('.');
        if (at === '' || /^\.+$/.test(at) || at.includes('/')) return;
        const request = documentedCall(operation, { target: at });
        const { status } = await on.server.call(operation.operationId, { ...request, token: on.caller });
        expect(status, `${operation.operationId} ${at}`).to.be.lessThan(500);
        const isOwn = at === TENANTS.own || at.startsWith(`${TENANTS.own}.`);
        if (status < 300) expect(isOwn, `${operation.operationId} ${at} ${status}`).to.equal(true);
      }),
      { numRuns: runs(150) },
    );
  });

  it('with an expired login is refused', async () => {
    on.server.clock.advance(on.server.settings.auth.tokenLifetimeSeconds * 1000);
    for (const operation of operations.filter(isManaged))
      expect((await call(operation, TENANTS.own, on.caller)).status, operation.operationId).to.equal(401);
  });

  it('shows nothing of other tenants in answers, metrics and the log', async () => {
    on.sweep.note('metrics', (await on.server.fetch('/metrics')).body);
    on.sweep.note('log', JSON.stringify(on.server.lines));
    expect(on.sweep.names.length).to.be.greaterThan(10);
    expect(on.sweep.count('listKeys')).to.be.greaterThan(5);
    expect(on.sweep.sightings()).to.deep.equal([]);
  });
});
