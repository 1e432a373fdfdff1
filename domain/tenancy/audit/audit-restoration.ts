import type { AuditChains } from './audit-chains.ts';

/**
 * Appends an event `restored` to each chain, so that it says where the gap is: what was recorded after the event before it
 * until then is lost. `createdAt` is when the backup was made, RFC 3339, where that is known.
 */
export async function noteRestoration(chains: AuditChains, createdAt?: string): Promise<void> {
  const parameters: Record<string, string> = createdAt === undefined ? {} : { backup: createdAt };
  for (const target of await chains.all())
    await chains.append(target, {
      outcome: 'succeeded',
      action: 'restored',
      target,
      parameters,
      account: '',
      source: '',
      requestId: '',
    });
}
