import { at } from '../../../../domain/foundation/errors.ts';
import { type Handlers, reply, replyToBody } from '../../messages/operations.ts';
import { credentialView } from './credentials.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-exchange'>>;

/** How credentials are received. */
export const exchangeHandlers = ({ offers, issuers, transactionDataProfiles }: WalletServices) =>
  ({
    resolveCredentialOffer: replyToBody(200, async ({ walletId, body }) => (await offers.resolve(walletId, body)).json),
    acceptCredentialOffer: async ({ walletId, query, body }) => {
      const { did, requireUserInput = false, pinOrTxCode: txCode } = query;
      const answer = { link: body, did, txCode, requireUserInput };
      const place = { link: ['body'], did: ['query', 'did'], txCode: ['query', 'pinOrTxCode'] };
      const received = await at(place, () => offers.accept(walletId, answer));
      return { status: 200, body: received.map((credential) => credentialView(walletId, credential)) };
    },
    resolveIssuerMetadata: reply(200, ({ query }) => issuers.metadata(query.issuer)),
    listTransactionDataProfiles: reply(200, () => [...transactionDataProfiles]),
  }) satisfies Part;
