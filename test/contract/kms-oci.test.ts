import { ociKeys, useFakeOci } from '../support/kms/oci.ts';
import { signingContract } from './signing.contract.ts';

describe('Oracle OCI Vault', () => {
  const under = useFakeOci();

  signingContract('kmsc-rest-api (Oracle OCI Vault)', async () => ({
    ...ociKeys(),
    spelling: 'kmsc-rest-api',
    keyTypes: ['secp256r1', 'RSA'],
    config: under.config(),
  }));
});
