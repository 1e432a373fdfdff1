import { expect } from 'chai';
import fc from 'fast-check';
import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { Keys } from '../../../domain/holdings/keys.ts';
import { ownStores, WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import { thumbprint } from '../../../domain/jose/jwk.ts';
import { parseJws, signJws, verifyJws } from '../../../domain/jose/jws.ts';
import { KeyBackends } from '../../../domain/keys/key-backends.ts';
import { nameOf } from '../../../domain/tenancy/access/targets.ts';
import { KeyManagementServices } from '../../../domain/tenancy/services/kms.ts';
import { RESOURCE_KINDS } from '../../../domain/tenancy/tree/resource-kinds.ts';
import { ResourceRepository } from '../../../domain/tenancy/tree/resource-repository.ts';
import { ResourceTree } from '../../../domain/tenancy/tree/resource-tree.ts';
import type { KeyReference, KeyService, Signer } from '../../../ports/key-service.ts';
import type { Store } from '../../../ports/store.ts';
import { localKeys } from '../../support/keys/local-keys.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const metrics = new PrometheusMetrics();
const SERVICE = 'acme.kms1';
const NEW_KEY = { backend: 'jwk', keyType: 'Ed25519' } as const;

/** A backend that records which keys exist at it. */
function recordingBackend() {
  const { service: local } = localKeys();
  const existing = new Set<string>();
  const idOf = ({ publicJwk }: KeyReference): string => JSON.stringify(publicJwk);
  const service: KeyService = Object.assign(Object.create(local), {
    create: async (request: Parameters<KeyService['create']>[0]) => {
      const reference = await local.create(request);
      existing.add(idOf(reference));
      return reference;
    },
    signer: (reference: KeyReference) => local.signer(reference),
    remove: async (reference: KeyReference) => void existing.delete(idOf(reference)),
  });
  return { existing, backends: new KeyBackends({ jwk: service }) };
}

interface Owner {
  create(): Promise<string>;
  signer(id: string): Promise<Signer>;
  /** The collection and the parent of the records. */
  records: { name: string; parent: string };
}

const wallet = async (store: Store, keys: KeyBackends): Promise<Owner> => {
  const stores = new WalletStores({ store, clock: systemClock });
  const owned = new Keys({ store, stores, keys, pems: nodePemKeys, configs: {}, activity: silentActivity });
  return {
    create: () => owned.create('wallet', { backend: 'jwk', keyType: 'Ed25519' }),
    signer: (id) => owned.signer({ owner: 'wallet', id }),
    records: { name: 'wallet-keys', parent: 'wallet' },
  };
};

const tenant = async (store: Store, keys: KeyBackends): Promise<Owner> => {
  const tree = new ResourceTree(new ResourceRepository(store, systemIds));
  await tree.add(RESOURCE_KINDS.resources, 'acme', { content: { type: 'organization' } });
  await tree.add(RESOURCE_KINDS.resources, SERVICE, { content: { type: 'kms' } });
  const services = new KeyManagementServices({ tree, keys, ids: systemIds });
  return {
    create: async () => nameOf((await services.createKey({ rights: { everything: true }, target: SERVICE }, {}))._id),
    signer: (id) => services.signer(SERVICE, id),
    records: { name: 'enterprise-keys', parent: SERVICE },
  };
};

for (const [name, open] of Object.entries({ 'a wallet': wallet, 'a key management service': tenant })) {
  describe(`the keys of ${name}`, () => {
    it('sign, and only under the id by which they were created', async () => {
      const owner = await open(new MemoryStore(systemClock), recordingBackend().backends);
      const id = await owner.create();
      const signer = await owner.signer(id);
      const jws = parseJws(await signJws({}, { a: 1 }, signer));
      expect(await verifyJws(jws, signer.publicJwk, new NodeSignatures(metrics))).to.equal(true);
      const missing = await owner.signer(`${id}x`).catch((error: DomainError) => error);
      expect(missing).to.be.instanceOf(DomainError).and.to.have.property('code', 'NotFound');
    });

    it('exist at their backend exactly when they are stored, whichever calls of the store fail', () =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }), async (calls) => {
          const { existing, backends } = recordingBackend();
          const faults = new StoreFaults();
          const store = new MemoryStore(systemClock);
          const owner = await open(new FaultyStore(store, faults), backends);
          for (const call of calls) {
            faults.failIn = call;
            await owner.create().catch(() => undefined);
            faults.failIn = 0;
          }
          const { name: collection, parent } = owner.records;
          const records = store.collection({ name: collection, listed: true, sealed: true, afterRestore: 'kept' });
          const stored = await records.ids({ parent, order: 'id', offset: 0, limit: 10 });
          expect(existing.size).to.equal(stored.length);
        }),
        { numRuns: 60 },
      ));
  });
}

describe('the key that a wallet was created with', () => {
  it('is listed last, signs, is the default of last resort, and is neither added again nor removed', async () => {
    const store = new MemoryStore(systemClock);
    const { backends } = recordingBackend();
    const stores = new WalletStores({ store, clock: systemClock });
    const keys = new Keys({ store, stores, keys: backends, pems: nodePemKeys, configs: {}, activity: silentActivity });
    const reference = await backends.create('jwk', { keyType: 'secp256r1', turn: { source: 'test' } });
    await stores.define('w', { stores: ownStores('w'), staticKey: reference, createdAt: 5 });
    const id = thumbprint(reference.publicJwk);
    expect(await keys.defaultKey('w')).to.equal(id);
    const [first, second] = [await keys.create('w', NEW_KEY), await keys.create('w', NEW_KEY)];
    expect((await keys.list('w')).map((key) => key.id)).to.deep.equal([first, second, id]);
    expect(await keys.describe({ owner: 'w', id })).to.include({ keyType: 'secp256r1', createdAt: 5 });
    expect((await keys.signer({ owner: 'w', id })).publicJwk).to.deep.equal(reference.publicJwk);
    await keys.confirm({ owner: 'w', id });
    for (const refused of [keys.adopt('w', { reference }), keys.remove({ owner: 'w', id })])
      expect(await refused.catch(({ code }: DomainError) => code)).to.equal('Conflict');
    expect(await keys.defaultKey('w')).to.equal(first);
    await keys.makeDefault({ owner: 'w', id: second });
    expect(await keys.defaultKey('w')).to.equal(second);
    await keys.remove({ owner: 'w', id: second });
    expect(await keys.defaultKey('w')).to.equal(first);
    const missing = keys.makeDefault({ owner: 'w', id: second }).catch(({ code }: DomainError) => code);
    expect(await missing).to.equal('BadRequest');
  });
});
