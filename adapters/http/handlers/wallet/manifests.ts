import { at } from '../../../../domain/foundation/errors.ts';
import type { Manifest } from '../../../../domain/wallet/issuance/manifest.ts';
import type { Handlers } from '../../messages/operations.ts';
import { manifestOf } from './credentials.ts';
import type { WalletInput } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-credentials'>>;

/** The operations on manifests. */
export const manifestHandlers = ({ credentials, manifests }: WalletServices) => {
  type Input = WalletInput & { path: { credentialId: string } };
  const stored = async ({ walletId, path }: Input): Promise<Manifest | undefined> =>
    manifestOf(await credentials.get(walletId, path.credentialId));
  return {
    getWalletManifest: async (input) => orNone(await stored(input)),
    getWalletManifestDisplay: async (input) => orNone((await stored(input))?.display),
    getWalletManifestIssuer: async (input) => orNone((await stored(input))?.issuer),
    extractManifest: async ({ walletId, query }) =>
      orNone(await at(['query', 'offer'], () => manifests.extract(walletId, query.offer))),
  } satisfies Part;
};

const orNone = <T>(body: T | undefined) => (body ? { status: 200 as const, body } : { status: 204 as const });
