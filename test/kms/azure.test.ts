import { KEY_TYPE_NAMES, KEY_TYPES } from '../../domain/jose/key-types.ts';
import { signingContract } from '../contract/signing.contract.ts';
import { useFakeAzure } from '../support/kms/azure.ts';
import { useLargeKeys } from '../support/kms/large-keys.ts';

const keyTypes = KEY_TYPE_NAMES.filter((name) => KEY_TYPES[name].backends.includes('kmsb-rest-api'));

describe('Azure Key Vault', () => {
  useLargeKeys();
  const under = useFakeAzure();

  signingContract('kmsb-rest-api (Azure Key Vault)', async () => ({
    ...under.open(),
    spelling: 'kmsb-rest-api',
    keyTypes,
    config: { ...under.fake.config, tags: { team: 'identity' } },
  }));
});
