import { randomUUID } from 'node:crypto';
import { invalidField } from '../../../domain/foundation/errors.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import type { Kms } from '../remote/kms.ts';
import { checkAddress } from '../remote/transport.ts';
import { type TransitAccess, TransitCalls } from './transit-calls.ts';
import { TransitConnection } from './transit-connection.ts';

/** What HashiCorp Vault is reached with. */
interface TransitKmsParts {
  /** `tse` of kms.conf. */
  settings: { tse: { allowHttp: boolean } };
  outbound: Outbound;
  /** Milliseconds for one call. */
  timeoutMs: number;
  clock: Clock;
}

const FIELD = ['config', 'server'];

/** The secrets engine Transit of HashiCorp Vault, called by its HTTP API. */
export const transitKms = ({ settings, outbound, timeoutMs, clock }: TransitKmsParts): Kms => ({
  backend: 'tse',
  check(config) {
    const { server } = accessOf(config);
    if (server.startsWith('http:') && !settings.tse.allowHttp) throw invalidField(FIELD, 'must be an https URL');
    checkAddress(server, { outbound, field: FIELD, expects: 'transit-reply' });
  },
  absentKey: () => `no-such-key-${randomUUID()}`,
  connect: async (config) => {
    const transport = { outbound, timeoutMs, field: FIELD };
    return new TransitConnection(new TransitCalls({ access: accessOf(config), transport, clock }));
  },
});

const accessOf = (config: Record<string, unknown>): TransitAccess => config as unknown as TransitAccess;
