import { at } from '../../../../domain/foundation/errors.ts';
import type { Manifest } from '../../../../domain/wallet/issuance/manifest.ts';
import type { Handlers } from '../../messages/operations.ts';
import { manifestOf } from './credentials.ts';
import type { WalletInput } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-credentials'>>;

/** The operations on manifests. */
export const manifestHandlers = ({ credentials, manifests }: WalletServices) => {
  const stored = async (input: WalletInput & { path: { credentialId: string } }): Promise<Manifest | undefined> => {
    const { walletId } = input;
    return manifestOf(await credentials.get(walletId, input.path.credentialId));
  };
  return {
    getWalletManifest: async (input) => orNone(await stored(input)),
    getWalletManifestDisplay: async (input) => orNone((await stored(input))?.display),
    getWalletManifestIssuer: async (input) => orNone((await stored(input))?.issuer),
    extractManifest: async (input) => {
      const { walletId } = input;
      return orNone(await at(['query', 'offer'], () => manifests.extract(walletId, input.query.offer)));
    },
  } satisfies Part;
};

const orNone = <T>(body: T | undefined) => (body ? { status: 200 as const, body } : { status: 204 as const });
