import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds, systemRandom } from '../../../adapters/system/system.ts';
import { ApiKeys } from '../../../domain/tenancy/access/api-keys.ts';
import { Principals } from '../../../domain/tenancy/access/principals.ts';
import { CountingStore } from '../../support/stores/counting-store.ts';

const permissions = [{ target: 'acme', action: 'all', operation: 'ADD' as const }];

function fixture() {
  const store = new CountingStore(new MemoryStore(systemClock));
  const apiKeys = new ApiKeys({ store, ids: systemIds, random: systemRandom });
  return { store, apiKeys, principals: new Principals(store, systemIds, apiKeys) };
}

describe('API keys', () => {
  it('cost one lookup for each request: authentication reads the rights too', async () => {
    const { store, apiKeys, principals } = fixture();
    const { key } = await apiKeys.create({ target: 'acme', name: 'x', permissions });
    for (let request = 0; request < 3; request += 1) {
      store.done.length = 0;
      const { accountId = '' } = (await apiKeys.authenticate(key)) ?? {};
      expect(await principals.rightsOf(accountId)).to.deep.equal({ everything: false, grants: permissions });
      expect(store.done).to.deep.equal(['api-keys get']);
    }
  });

  it('that were revoked elsewhere lose their rights with the next authentication', async () => {
    const { store, apiKeys, principals } = fixture();
    const { key, view } = await apiKeys.create({ target: 'acme', name: 'x', permissions });
    await apiKeys.authenticate(key);
    await new ApiKeys({ store, ids: systemIds, random: systemRandom }).remove('acme', view._id);
    expect(await apiKeys.authenticate(key)).to.equal(undefined);
    expect(await principals.rightsOf(view._id)).to.deep.equal({ everything: false, grants: [] });
  });

  it('are stored as digests, and other secrets under their ids are none', async () => {
    const { apiKeys } = fixture();
    const { key } = await apiKeys.create({ target: 'acme', name: 'x', permissions });
    const wrong = [`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`, key.toUpperCase(), `${key}A`, '', 'cza_'];
    for (const text of wrong) expect(await apiKeys.authenticate(text), text).to.equal(undefined);
  });
});
