import type { KmsSettings } from '../../../adapters/config/settings.ts';
import { type FakeAws, startFakeAws } from '../../../demo/fake-clouds/aws.ts';
import { FakeAzure } from '../../../demo/fake-clouds/azure.ts';
import type { FakeServer } from '../../../demo/fake-clouds/fake-server.ts';
import { FakeOci } from '../../../demo/fake-clouds/oci.ts';
import { FakeHashiVault } from '../../../demo/fake-clouds/vault.ts';
import { KEY_TYPE_NAMES } from '../../../domain/jose/key-types.ts';
import type { KeyType } from '../../../ports/key-service.ts';

/** A fake of one key management service. */
export interface Cloud {
  /** The backend as the contract spells it. */
  backend: string;
  /** The brand's spelling (decisions §1). */
  alias: string;
  keyTypes: readonly KeyType[];
  /** The `config` of a request to create a key; accepted by this fake only. */
  config(): Record<string, unknown>;
  /** The number of keys that exist and are not being deleted. */
  living(): number;
  /** The tags of the key that was created last. */
  newestTags(): Record<string, string> | undefined;
  /** The server that signs. */
  signing: FakeServer;
  /** The server that creates keys; the same one at most services. */
  managing: FakeServer;
  /** Forgets calls and faults. */
  reset(): void;
}

/** All fakes, and what kms.conf says to reach them. */
export interface Clouds {
  all: readonly Cloud[];
  settings: Omit<KmsSettings, 'timeoutSeconds' | 'pkcs11'>;
}

const MOST: readonly KeyType[] = ['secp256r1', 'secp384r1', 'secp521r1', 'secp256k1', 'RSA', 'RSA3072', 'RSA4096'];

/** Starts a fake of each key management service for the tests of the enclosing `describe`. */
export function useClouds(): Clouds {
  const clouds = {} as Clouds;
  const closes: (() => Promise<void>)[] = [];
  before(async () => {
    const starting = [startFakeAws(), FakeAzure.start(), FakeOci.start(), FakeHashiVault.start()] as const;
    const [aws, azure, oci, vault] = await Promise.all(starting);
    closes.push(
      aws.close,
      () => azure.close(),
      () => oci.close(),
      () => vault.close(),
    );
    const user = await oci.newUser();
    const settings = { kmsa: aws.settings, kmsb: azure.settings, kmsc: { allowHttp: true }, tse: vault.settings };
    const ofOci: Cloud = {
      backend: 'kmsc-rest-api',
      alias: 'oci-rest-api',
      keyTypes: ['secp256r1', 'RSA'],
      config: () => oci.configOf(user),
      living: () => oci.vault.keys.filter(({ lifecycleState }) => !/DELET/.test(lifecycleState)).length,
      newestTags: () => oci.vault.keys.at(-1)?.freeformTags,
      signing: oci.crypto,
      managing: oci.management,
      reset: () => oci.reset(),
    };
    Object.assign(clouds, { settings, all: [ofAws(aws), ofAzure(azure), ofOci, ofVault(vault)] });
  });
  afterEach(() => {
    for (const cloud of clouds.all ?? []) cloud.reset();
  });
  after(() => Promise.all(closes.map((close) => close())));
  return clouds;
}

const ofAws = (fake: FakeAws): Cloud => ({
  backend: 'kmsa-rest-api',
  alias: 'aws',
  keyTypes: MOST,
  config: () => fake.config(),
  living: () => [...fake.service.keys.values()].filter(({ state }) => state !== 'PendingDeletion').length,
  newestTags: () => [...fake.service.keys.values()].at(-1)?.tags,
  signing: fake.server,
  managing: fake.server,
  reset: () => {
    fake.server.reset();
    fake.metadataServer.reset();
  },
});

const ofAzure = (fake: FakeAzure): Cloud => ({
  backend: 'kmsb-rest-api',
  alias: 'azure-rest-api',
  keyTypes: MOST,
  config: () => fake.config,
  living: () => fake.content.keys.length,
  newestTags: () => fake.content.keys.at(-1)?.tags,
  signing: fake.vault,
  managing: fake.vault,
  reset: () => fake.reset(),
});

const ofVault = (fake: FakeHashiVault): Cloud => ({
  backend: 'tse',
  alias: 'vault',
  keyTypes: KEY_TYPE_NAMES.filter((name) => name !== 'secp256k1'),
  config: () => fake.config,
  living: () => fake.transit.keys.size,
  newestTags: () => ({}),
  signing: fake.server,
  managing: fake.server,
  reset: () => fake.server.reset(),
});
