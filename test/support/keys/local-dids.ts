import { systemIds } from '../../../adapters/system/system.ts';
import { DidCreator } from '../../../domain/dids/did-creator.ts';
import { DidRegistrar } from '../../../domain/dids/did-registrar.ts';
import { DidRegistry } from '../../../domain/holdings/did-registry.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Store } from '../../../ports/store.ts';

/** Makes no call. */
const unreachable: Outbound = { check: () => {}, send: () => Promise.reject(new Error('no call is expected')) };

/** Creates DIDs at a registrar behind `outbound`; without `url` there is none. */
export function didCreator(outbound: Outbound = unreachable, url?: string): DidCreator {
  const didRegistrar = { url, methods: ['cheqd', 'indy'], keyTypes: ['Ed25519', 'secp256r1'], timeoutSeconds: 15 };
  const registrar = new DidRegistrar({ outbound, ids: systemIds, settings: { didRegistrar } });
  return new DidCreator({ ids: systemIds, registrar });
}

/** What the DIDs of wallets need, without a registrar. */
export const localDids = (store: Store) => ({
  didCreator: didCreator(),
  registry: new DidRegistry({
    store,
    settings: { publicUrl: 'http://127.0.0.1:7001', pagination: { defaultLimit: 100, maxLimit: 1000 } },
  }),
});
