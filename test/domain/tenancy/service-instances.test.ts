import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { MAX_BYTES } from '../../../domain/tenancy/services/credential-types.ts';
import { ServiceInstances } from '../../../domain/tenancy/services/service-instances.ts';
import { type TenantService, TenantServices } from '../../../domain/tenancy/services/tenant-services.ts';
import { RESOURCE_KINDS } from '../../../domain/tenancy/tree/resource-kinds.ts';
import { ResourceRepository } from '../../../domain/tenancy/tree/resource-repository.ts';
import { ResourceTree } from '../../../domain/tenancy/tree/resource-tree.ts';

const AT = 'acme.tenant1.issuer1';

async function fixture() {
  const store = new MemoryStore(systemClock);
  const tree = new ResourceTree(new ResourceRepository(store, systemIds));
  const { resources } = RESOURCE_KINDS;
  await tree.add(resources, 'acme', { content: { type: 'organization' } });
  await tree.add(resources, 'acme.tenant1', { content: { type: 'tenant' } });
  const create = (at: string, config: { type: string }) =>
    tree.add(resources, at, { content: { dependencies: [], ...config }, secret: config });
  await create(AT, { type: 'issuer2' });
  const read: TenantService[] = [];
  const services = new TenantServices({ tree });
  const made = new ServiceInstances<object>({
    services,
    type: 'issuer2',
    make: async (service) => {
      read.push(service);
      return { of: service };
    },
  });
  return {
    tree,
    create,
    read,
    made,
    remove: () => tree.remove(AT, { clear: async () => undefined, mayName: () => true }),
  };
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'made',
    ({ code }: DomainError) => code,
  );

describe('what is made of a service', () => {
  it('is made once while the service is unchanged', async () => {
    const { made, read } = await fixture();
    expect(await made.at(AT)).to.equal(await made.at(AT));
    expect(read.map(({ target, config }) => ({ target, config }))).to.deep.equal([
      { target: AT, config: { type: 'issuer2' } },
    ]);
  });

  it('is kept also of a configuration of 400 KiB with the largest credential types', async () => {
    const { made, read, create } = await fixture();
    const at = 'acme.tenant1.large';
    await create(at, Object({ type: 'issuer2', padding: 'x'.repeat(400 * 1024 + MAX_BYTES) }));
    expect(await made.at(at)).to.equal(await made.at(at));
    expect(read).to.have.length(1);
  });

  it('is another for a service that is created again at the same target', async () => {
    const { made, read, remove, create } = await fixture();
    const first = await made.at(AT);
    await remove();
    expect(await refusal(made.at(AT))).to.equal('NotFound');
    await create(AT, { type: 'issuer2' });
    expect(await made.at(AT)).not.to.equal(first);
    expect(new Set(read.map(({ uid }) => uid)).size).to.equal(2);
  });

  it('is nothing for a service of another type, and for a target without one', async () => {
    const { made, create } = await fixture();
    await create('acme.tenant1.kms1', { type: 'kms' });
    for (const target of ['acme.tenant1.kms1', 'acme.tenant1', 'acme.tenant1.other'])
      expect(await refusal(made.at(target))).to.equal('NotFound');
  });
});
