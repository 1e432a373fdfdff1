import { at } from '../../../../domain/foundation/errors.ts';
import { type Handlers, reply, replyToBody, replyUncached } from '../../messages/operations.ts';
import { ownKey } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations that show and export keys, sign and verify. */
export const keyUseHandlers = ({ keyExports, keySigning }: WalletServices) =>
  ({
    loadWalletKey: replyUncached(200, (input) => keyExports.show(ownKey(input))),
    exportWalletKey: replyUncached(200, (input) => {
      const { format = 'JWK', loadPrivateKey = false } = input.query;
      return at(['query'], () => keyExports.write(ownKey(input), { format, loadPrivateKey }));
    }),
    signWithWalletKey: replyToBody(200, ({ walletId, path, body }) => keySigning.sign(walletId, path.keyId, body)),
    verifyWithWalletKey: reply(200, ({ walletId, query: { JWK: jwk }, body: token }) =>
      at({ jwk: ['query', 'JWK'], token: ['body'] }, () => keySigning.verify(walletId, { jwk, token })),
    ),
  }) satisfies Part;
