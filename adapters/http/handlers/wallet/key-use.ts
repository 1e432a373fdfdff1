import { at } from '../../../../domain/foundation/errors.ts';
import { type Handlers, NO_STORE } from '../../messages/operations.ts';
import { ownKey } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations that show and export keys, sign and verify. */
export const keyUseHandlers = ({ keyExports, keySigning }: WalletServices) =>
  ({
    loadWalletKey: async (input) => {
      const key = ownKey(input);
      return { status: 200, headers: NO_STORE, body: await keyExports.show(key) };
    },
    exportWalletKey: async (input) => {
      const key = ownKey(input);
      const { format = 'JWK', loadPrivateKey = false } = input.query;
      const text = await at(['query'], () => keyExports.write(key, { format, loadPrivateKey }));
      return { status: 200, headers: NO_STORE, body: text };
    },
    signWithWalletKey: async (input) => {
      const { owner, id } = ownKey(input);
      return { status: 200, body: await at(['body'], () => keySigning.sign(owner, id, input.body)) };
    },
    verifyWithWalletKey: async (input) => {
      const { walletId: owner } = input;
      const place = { jwk: ['query', 'JWK'], token: ['body'] };
      const check = { jwk: input.query.JWK, token: input.body };
      return { status: 200, body: await at(place, () => keySigning.verify(owner, check)) };
    },
  }) satisfies Part;
