import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import type { Kms } from '../remote/kms.ts';
import { readAccess } from './access.ts';
import { loadLibrary } from './library.ts';
import { OciCalls } from './oci-calls.ts';
import { OciConnection } from './oci-connection.ts';

/** What Oracle OCI Vault is reached with. */
interface OciKmsParts {
  /** `kmsc` of kms.conf. */
  settings: { kmsc: { allowHttp: boolean } };
  outbound: Outbound;
  clock: Clock;
  /** Milliseconds for one operation. */
  timeoutMs: number;
}

/** Oracle OCI Vault. */
export function ociKms({ settings, outbound, clock, timeoutMs }: OciKmsParts): Kms {
  const rules = { allowHttp: settings.kmsc.allowHttp, outbound };
  return {
    backend: 'kmsc-rest-api',
    check: (config) => void readAccess(config, rules),
    absentKey: () => 'ocid1.key.oc1..none',
    connect: async (config) => {
      const access = readAccess(config, rules);
      const calls = new OciCalls({ library: loadLibrary(), access, config, outbound, clock, timeoutMs });
      return new OciConnection({ calls, compartmentId: access.compartmentId, clock, timeoutMs });
    },
  };
}
