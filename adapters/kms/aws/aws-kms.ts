import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import type { Kms } from '../remote/kms.ts';
import { AwsConnection, type CredentialSource } from './aws-connection.ts';
import { InstanceRole } from './instance-role.ts';

/** What AWS KMS is reached with. */
interface AwsKmsParts {
  settings: {
    kmsa: {
      /** Called instead of the public endpoint of each region. */
      endpoint?: string;
      metadataEndpoint: string;
    };
  };
  outbound: Outbound;
  clock: Clock;
  /** Milliseconds for one call. */
  timeoutMs: number;
}

/** `config.auth` as the backend's row reads it. */
type AwsAuth = { region: string } & ({ accessKeyId: string; secretAccessKey: string } | { roleName: string });

/** AWS KMS through the vendor's library, which is imported with the first connection. */
export function awsKms({ settings: { kmsa }, outbound, clock, timeoutMs }: AwsKmsParts): Kms {
  return {
    backend: 'kmsa-rest-api',
    // The address follows from the region, or is the operator's.
    check: () => undefined,
    absentKey: () => '00000000-0000-0000-0000-000000000000',
    async connect(config) {
      const { region, ...auth } = config.auth as AwsAuth;
      const { metadataEndpoint, endpoint } = kmsa;
      const source: CredentialSource =
        'roleName' in auth
          ? new InstanceRole({ ...auth, metadataEndpoint, outbound, clock })
          : { credentials: async () => auth, forget: () => undefined };
      const sdk = await import('@aws-sdk/client-kms');
      return new AwsConnection({ sdk, source, region, endpoint, outbound, timeoutMs });
    },
  };
}
