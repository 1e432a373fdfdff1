import { invalidField } from '../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../domain/foundation/field-paths.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import type { Kms } from '../remote/kms.ts';
import { checkAddress, type TransportOptions } from '../remote/transport.ts';
import { AzureConnection } from './azure-connection.ts';
import { loadAzureLibrary } from './azure-library.ts';
import { type AzureAuth, ClientCredentials, isPlain } from './client-credentials.ts';
import { VaultTransport } from './vault-transport.ts';

/** What the key backend is created from. */
interface AzureKmsParts {
  settings: {
    kmsb: {
      /** The authority that issues access tokens. */
      authorityHost: string;
      allowHttp: boolean;
    };
  };
  outbound: Outbound;
  /** Milliseconds for one call. */
  timeoutMs: number;
  clock: Clock;
}

const AUTH = ['config', 'auth'];
const FIELD = [...AUTH, 'keyVaultUrl'];

/** Azure Key Vault, called by the vendor's library, which is imported at the first use. */
export const azureKms = ({ settings, outbound, timeoutMs, clock }: AzureKmsParts): Kms => ({
  backend: 'kmsb-rest-api',
  check(config) {
    const { keyVaultUrl } = authOf(config);
    if (isPlain(new URL(keyVaultUrl)) && !settings.kmsb.allowHttp) throw invalidField(FIELD, 'must be an https URL');
    checkAddress(keyVaultUrl, { outbound, field: FIELD });
  },
  absentKey: (config) => `${new URL(authOf(config).keyVaultUrl).origin}/keys/no-such-key`,
  async connect(config) {
    const auth = authOf(config);
    const vault = new URL(auth.keyVaultUrl);
    const { authorityHost } = settings.kmsb;
    const library = await loadAzureLibrary();
    const { createHttpHeaders: createHeaders } = library;
    const { origin } = vault;
    const calls = (field: FieldPath): TransportOptions => ({ outbound, timeoutMs, field });
    const credentials = new ClientCredentials({ auth, authorityHost, transport: calls(AUTH), clock });
    const transport = new VaultTransport({ origin, credentials, transport: calls(FIELD), createHeaders });
    // A test's vault on an IP address has no domain that its resource could be.
    return new AzureConnection({ library, origin, credentials, transport, verifiesResource: !isPlain(vault) });
  },
});

const authOf = (config: Record<string, unknown>): AzureAuth => config.auth as AzureAuth;
