import { ociBackends, useFakeOci } from '../support/kms/oci.ts';
import { signingContract } from './signing.contract.ts';

describe('Oracle OCI Vault', () => {
  const under = useFakeOci();

  signingContract('kmsc-rest-api (Oracle OCI Vault)', async () => ({
    ...ociBackends(),
    spelling: 'kmsc-rest-api',
    keyTypes: ['secp256r1', 'RSA'],
    config: under.config(),
  }));
});
