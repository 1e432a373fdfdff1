import { readMdocText } from '../../../../domain/credentials/mdoc-text.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import type { WalletIssuer } from '../../../../domain/wallet/issuance/wallet-issuers.ts';
import { done, type Handlers, reply } from '../../messages/operations.ts';
import type { WalletRecordServices } from './records.ts';

/** The issuers of wallets, what issuers publish, and how mdocs are shown. */
export const issuerHandlers = ({ walletIssuers: issuers, types, mdocs }: WalletRecordServices) =>
  ({
    listWalletIssuers: reply(200, async ({ walletId }) =>
      (await issuers.list(walletId)).map((issuer) => issuerView(walletId, issuer)),
    ),
    addWalletIssuer: done(201, ({ walletId, body: { uiEndpoint = '', configurationEndpoint = '', ...rest } }) =>
      at(['body'], () => issuers.add(walletId, { ...rest, uiEndpoint, configurationEndpoint })),
    ),
    getWalletIssuer: reply(200, async ({ walletId, path }) =>
      issuerView(walletId, await issuers.get(walletId, path.issuer)),
    ),
    authorizeWalletIssuer: done(202, ({ walletId, path }) => issuers.authorize(walletId, path.issuer)),
    listIssuerCredentials: async ({ walletId, path }) => {
      const { issuer, credentials } = await at(['path', 'issuer'], () => issuers.credentials(walletId, path.issuer));
      return { status: 200, body: { issuer: issuerView(walletId, issuer), credentials } };
    },
    resolveTypeMetadata: async ({ query }) => {
      const { vct, 'vct#integrity': integrity } = query;
      const place = { vct: ['query', 'vct'], integrity: ['query', 'vct#integrity'] };
      return { status: 200, body: await at(place, () => types.resolve({ vct, integrity })) };
    },
    parseMdoc: reply(200, ({ body }) => at(['body'], async () => mdocs.parse(readMdocText(body)))),
  }) satisfies Partial<Handlers<'wallet-activity'>>;

/** An issuer as existing clients read it: its name is `did`. */
const issuerView = (wallet: string, { name, ...issuer }: WalletIssuer) => ({ wallet, did: name, ...issuer });
