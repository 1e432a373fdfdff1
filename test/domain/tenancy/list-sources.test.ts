import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { Access } from '../../../domain/tenancy/access/access.ts';
import type { Grant } from '../../../domain/tenancy/access/permissions.ts';
import { Principals } from '../../../domain/tenancy/access/principals.ts';
import { type List, Lists } from '../../../domain/tenancy/services/lists.ts';
import type { ListQuery } from '../../../domain/tenancy/tree/list-requests.ts';
import { RESOURCE_KINDS } from '../../../domain/tenancy/tree/resource-kinds.ts';
import { ResourceRepository } from '../../../domain/tenancy/tree/resource-repository.ts';
import { ResourceTree } from '../../../domain/tenancy/tree/resource-tree.ts';

const SERVICE = 'acme.issuer1';

/** A list whose rows are not resources: it returns the query that its source receives. */
const sessions: List<ListQuery> = {
  action: 'resource-list',
  serviceType: 'issuer2',
  sortable: true,
  source: async (_, query) => [query],
};

async function fixture(permissions: Grant[]) {
  const store = new MemoryStore(systemClock);
  const principals = new Principals(store, systemIds);
  await principals.add('member', { superadmin: false, roles: [], profile: {} });
  await principals.addRole('acme.role', { name: 'Role', permissions });
  await principals.assign('member', 'acme.role');
  const resources = new ResourceRepository(store, systemIds);
  const tree = new ResourceTree(resources);
  await tree.add(RESOURCE_KINDS.resources, 'acme', { content: { type: 'organization' } });
  await tree.add(RESOURCE_KINDS.resources, SERVICE, { content: { type: 'issuer2' } });
  await tree.add(RESOURCE_KINDS.resources, 'acme.kms1', { content: { type: 'kms' } });
  const limits = { defaultLimit: 5, maxLimit: 20 };
  const access = new Access(principals);
  const none = { page: async () => [] };
  const lists = new Lists({
    tree,
    sources: {
      resources,
      issuanceSessions: none,
      verificationSessions: none,
      credentialTypes: none,
      issuedCredentials: none,
      clientAttestations: none,
    },
    limits,
  });
  return (target: string, query: { limit?: string; sort?: string } = {}) =>
    access
      .require('member', [sessions.action], target)
      .then((rights) => lists.page(sessions, { rights, target, query: async (read) => read(query) }))
      .catch((error: DomainError) => error.code);
}

describe('a list with a source of its own', () => {
  it('receives an authorized page of its target: order, bounds and the children to leave out', async () => {
    const page = await fixture([
      { target: 'acme', action: 'resource-list', operation: 'ADD' },
      { target: `${SERVICE}.secret`, action: 'resource-list', operation: 'REMOVE' },
    ]);
    expect(await page(SERVICE, { limit: '3', sort: 'createdDateTime+' })).to.deep.equal([
      { parent: SERVICE, type: 'issuer2', order: 'created+', offset: 0, limit: 3, hidden: new Set(['secret']) },
    ]);
  });

  it('is asked for nothing without the permission, the service or a readable page', async () => {
    const page = await fixture([{ target: 'acme', action: 'resource-list', operation: 'ADD' }]);
    expect(await page('acme.kms1')).to.equal('NotFound');
    expect(await page(SERVICE, { limit: '21' })).to.equal('BadRequest');
    expect(await (await fixture([{ target: SERVICE, action: 'list-keys', operation: 'ADD' }]))(SERVICE)).to.equal(
      'Forbidden',
    );
  });
});
