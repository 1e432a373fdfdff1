import { expect } from 'chai';
import fc from 'fast-check';
import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock } from '../../../adapters/system/system.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import type { Activity } from '../../../domain/holdings/activity.ts';
import { KeyExports } from '../../../domain/holdings/key-exports.ts';
import { Keys } from '../../../domain/holdings/keys.ts';
import { WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import { KeyBackends } from '../../../domain/keys/key-backends.ts';
import type { Backend, KeyReference, KeyService, KeyType } from '../../../ports/key-service.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

const WALLET = 'wallet';
const SECRET = 'the-secret-of-the-caller';
const CONFIGS: Record<Exclude<Backend, 'jwk'>, Record<string, unknown>> = {
  'kmsa-rest-api': { auth: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: SECRET, region: 'eu-central-1' } },
  pkcs11: { token: 'issuer', auth: { accessKey: SECRET } },
  tse: { server: 'https://vault.example.org/v1/transit', auth: { accessKey: SECRET } },
  'kmsb-rest-api': {
    auth: { keyVaultUrl: 'https://vault.example.org', clientId: 'c', tenantId: 't', clientSecret: SECRET },
  },
  'kmsc-rest-api': {
    tenancyId: 'ocid1.tenancy.oc1..a',
    compartmentId: 'ocid1.compartment.oc1..a',
    userId: 'ocid1.user.oc1..a',
    fingerprint: '20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34',
    managementEndpoint: 'https://management.example.org',
    cryptoEndpoint: 'https://crypto.example.org',
    signingKeyPem: `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
  },
};
const BACKENDS = Object.keys(CONFIGS) as Exclude<Backend, 'jwk'>[];

/** A key management service: real keys whose private parts are not in the references. */
function service(backend: Backend, existing: Set<string>): KeyService {
  const { service: local } = localKeys();
  return Object.assign(Object.create(local), {
    backend,
    create: async ({ keyType, config }: { keyType: KeyType; config: Record<string, unknown> }) => {
      const { publicJwk, id } = await local.create({ keyType, config: {} });
      existing.add(id);
      return { backend, id, keyType, publicJwk, config };
    },
    remove: async ({ id }: KeyReference) => void existing.delete(id),
  });
}

function wallet() {
  const existing = new Set<string>();
  const events: Activity[] = [];
  const backends = new KeyBackends(Object.fromEntries(BACKENDS.map((name) => [name, service(name, existing)])));
  const activity = { record: async (_owner: string, event: Activity) => void events.push(event) };
  const store = new MemoryStore(systemClock);
  const stores = new WalletStores({ store, clock: systemClock });
  const keys = new Keys({ store, stores, keys: backends, pems: nodePemKeys, activity, configs: {} });
  const create = async (backend: keyof typeof CONFIGS) => {
    const id = await keys.create(WALLET, { backend, keyType: 'secp256r1', config: CONFIGS[backend] });
    return { owner: WALLET, id };
  };
  return { keys, exports: new KeyExports({ keys, pems: nodePemKeys }), events, existing, create };
}

describe('keys in a key management service', () => {
  it('are shown and exported without a private member or a credential, in every form', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...BACKENDS), fc.constantFrom('JWK', 'PEM'), async (backend, format) => {
        const { exports, create } = wallet();
        const key = await create(backend);
        const shown = await exports.show(key);
        const text = await exports.write(key, { format, loadPrivateKey: false });
        expect(Object.keys(shown)).to.have.members(['kty', 'crv', 'kid', 'x', 'y']);
        expect(shown.kid).to.equal(key.id);
        expect(`${JSON.stringify(shown)}${text}`).not.to.match(/"d"|PRIVATE|secret/);
      }),
      { numRuns: 12 },
    ));

  it('are never exported with their private part: the error names the field and the service, and no secret', async () => {
    for (const backend of BACKENDS) {
      const { exports, create } = wallet();
      const key = await create(backend);
      for (const format of ['JWK', 'PEM'] as const) {
        const error: DomainError = await exports.write(key, { format, loadPrivateKey: true }).catch((cause) => cause);
        expect([error.code, error.details?.[0]?.path]).to.deep.equal(['BadRequest', ['loadPrivateKey']]);
        expect(error.message).to.contain('never leaves').and.not.to.contain(SECRET);
      }
    }
  });

  it('stay there when they are removed from the wallet only, and go when they are deleted', async () => {
    const { keys, existing, create } = wallet();
    const [kept, deleted] = [await create('kmsa-rest-api'), await create('kmsb-rest-api')];
    await keys.forget(kept);
    await keys.remove(deleted);
    expect([...existing]).to.deep.equal([kept.id]);
    expect(await keys.list(WALLET)).to.deep.equal([]);
  });

  it('leave events with their true backend and no key material or credential', async () => {
    const { keys, exports, events, create } = wallet();
    const key = await create('kmsc-rest-api');
    await exports.show(key);
    await exports.write(key, { format: 'JWK', loadPrivateKey: false });
    await keys.remove(key);
    expect(events.map(({ action }) => action)).to.deep.equal(['Create', 'Export', 'Delete']);
    for (const { data } of events)
      expect(data).to.deep.equal({ id: key.id, algorithm: 'secp256r1', keyManagementService: 'kmsc-rest-api' });
  });
});
