import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { systemIds } from '../../../adapters/system/system.ts';
import { MAX_ATTEMPTS } from '../../../domain/foundation/records.ts';
import { RESOURCE_KINDS } from '../../../domain/tenancy/tree/resource-kinds.ts';
import { ResourceRepository } from '../../../domain/tenancy/tree/resource-repository.ts';
import type { Store } from '../../../ports/store.ts';

describe('a resource with its secret', () => {
  it('is given up when the secret was replaced at every look', async () => {
    let looks = 0;
    const get = async ({ id }: { id: string }) => {
      await setImmediate();
      if (id.startsWith('secret')) return undefined;
      looks += 1;
      const value = { content: { type: 'wallet2' }, secretId: `secret${looks}` };
      return { id, parent: 'acme', revision: looks, createdAt: 0, updatedAt: 0, value };
    };
    const repository = new ResourceRepository({ collection: () => ({ get }) } as unknown as Store, systemIds);
    const refused = await repository.state(RESOURCE_KINDS.resources, 'acme.wallet1').catch((error) => error);
    expect([refused.code, looks]).to.deep.equal(['StoreUnavailable', MAX_ATTEMPTS]);
  });
});
