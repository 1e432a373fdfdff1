import { KEY_TYPE_NAMES } from '../../domain/jose/key-types.ts';
import { signingContract } from '../contract/signing.contract.ts';
import { useFakeAws } from '../support/kms/aws.ts';
import { useLargeKeys } from '../support/kms/large-keys.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';

const keyTypes = KEY_TYPE_NAMES.filter((name) => name !== 'Ed25519');

describe('AWS KMS', () => {
  useLargeKeys();
  const fake = useFakeAws();

  signingContract('kmsa-rest-api (AWS KMS)', async () => ({
    ...remoteBackends({ kmsa: fake.settings }),
    spelling: 'kmsa-rest-api',
    keyTypes,
    config: { ...fake.config(), tags: { team: 'identity' } },
  }));

  signingContract('kmsa (AWS KMS, role of the instance)', async () => ({
    ...remoteBackends({ kmsa: fake.settings }),
    spelling: 'kmsa',
    keyTypes,
    config: fake.roleConfig(),
  }));
});
