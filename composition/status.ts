import type { ContainerModuleLoadOptions } from 'inversify';
import { IssuedTokens } from '../domain/status/issued-tokens.ts';
import { StatusListSource } from '../domain/status/list-source.ts';
import { RevocationCheck } from '../domain/status/revocation-check.ts';
import { ClockT, DidResolverT, OutboundT, SettingsT, SignaturesT } from './tokens.ts';
import { provide, token } from './wire.ts';

export const RevocationCheckT = token<RevocationCheck>('revocation-check');
const IssuedTokensT = token<IssuedTokens>('issued-tokens');
const StatusListSourceT = token<StatusListSource>('status-list-source');

/** The status check. */
export function statusModule(o: ContainerModuleLoadOptions): void {
  provide(o, IssuedTokensT, (dids, signatures) => new IssuedTokens(dids, signatures), DidResolverT, SignaturesT);
  provide(
    o,
    StatusListSourceT,
    (outbound, tokens, clock) => new StatusListSource({ outbound, tokens, clock }),
    OutboundT,
    IssuedTokensT,
    ClockT,
  );
  provide(
    o,
    RevocationCheckT,
    (lists, tokens, { status }) => new RevocationCheck({ lists, tokens, minimumListBits: status.minimumListBits }),
    StatusListSourceT,
    IssuedTokensT,
    SettingsT,
  );
}
