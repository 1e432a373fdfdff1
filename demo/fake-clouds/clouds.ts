import type { KmsSettings } from '../../adapters/config/settings.ts';
import type { KeyRequest } from '../actors/issuer.ts';
import { startFakeAws } from './aws.ts';
import { FakeAzure } from './azure.ts';
import { FakeOci } from './oci.ts';
import { FakeHashiVault } from './vault.ts';

/** A fake key management service that is running. */
export interface DemoCloud {
  /** The part of kms.conf that leads to it. */
  settings: Partial<KmsSettings>;
  /** A key to create in it. */
  key: KeyRequest;
  close(): Promise<void>;
}

const keyType = 'secp256r1';

/** What `--kms` names: starts a fake of the service on loopback. */
export const CLOUDS: Readonly<Record<string, () => Promise<DemoCloud>>> = {
  kmsa: async () => {
    const fake = await startFakeAws();
    const key = { backend: 'kmsa-rest-api', keyType, config: { ...fake.config(), tags: { department: 'registrar' } } };
    return { settings: { kmsa: fake.settings }, key, close: fake.close };
  },
  kmsb: async () => {
    const fake = await FakeAzure.start();
    const key = { backend: 'kmsb-rest-api', keyType, config: fake.config };
    return { settings: { kmsb: fake.settings }, key, close: () => fake.close() };
  },
  kmsc: async () => {
    const fake = await FakeOci.start();
    const key = { backend: 'kmsc-rest-api', keyType, config: fake.configOf(await fake.newUser()) };
    return { settings: { kmsc: { allowHttp: true } }, key, close: () => fake.close() };
  },
  tse: async () => {
    const fake = await FakeHashiVault.start();
    const key = { backend: 'tse', keyType, config: fake.config };
    return { settings: { tse: fake.settings }, key, close: () => fake.close() };
  },
};
