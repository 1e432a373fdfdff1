import { readMdocText } from '../../../../domain/credentials/mdoc-text.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import type { WalletIssuer } from '../../../../domain/wallet/issuance/wallet-issuers.ts';
import type { Handlers } from '../../messages/operations.ts';
import type { WalletRecordServices } from './records.ts';

/** The issuers of wallets, what issuers publish, and how mdocs are shown. */
export const issuerHandlers = ({ walletIssuers: issuers, types, mdocs }: WalletRecordServices) =>
  ({
    listWalletIssuers: async (input) => {
      const { walletId } = input;
      return { status: 200, body: (await issuers.list(walletId)).map((issuer) => issuerView(walletId, issuer)) };
    },
    addWalletIssuer: async (input) => {
      const { walletId } = input;
      const { uiEndpoint = '', configurationEndpoint = '', ...rest } = input.body;
      await at(['body'], () => issuers.add(walletId, { ...rest, uiEndpoint, configurationEndpoint }));
      return { status: 201 };
    },
    getWalletIssuer: async (input) => {
      const { walletId } = input;
      return { status: 200, body: issuerView(walletId, await issuers.get(walletId, input.path.issuer)) };
    },
    authorizeWalletIssuer: async (input) => {
      await issuers.authorize(input.walletId, input.path.issuer);
      return { status: 202 };
    },
    listIssuerCredentials: async (input) => {
      const { walletId } = input;
      const { issuer, credentials } = await at(['path', 'issuer'], () =>
        issuers.credentials(walletId, input.path.issuer),
      );
      return { status: 200, body: { issuer: issuerView(walletId, issuer), credentials } };
    },
    resolveTypeMetadata: async (input) => {
      const { vct, 'vct#integrity': integrity } = input.query;
      const place = { vct: ['query', 'vct'], integrity: ['query', 'vct#integrity'] };
      return { status: 200, body: await at(place, () => types.resolve({ vct, integrity })) };
    },
    parseMdoc: async ({ body }) => ({
      status: 200,
      body: await at(['body'], async () => mdocs.parse(readMdocText(body))),
    }),
  }) satisfies Partial<Handlers<'wallet-activity'>>;

/** An issuer as existing clients read it: its name is `did`. */
const issuerView = (wallet: string, { name, ...issuer }: WalletIssuer) => ({ wallet, did: name, ...issuer });
