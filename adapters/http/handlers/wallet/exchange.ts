import { at } from '../../../../domain/foundation/errors.ts';
import type { Handlers } from '../../messages/operations.ts';
import { credentialView } from './credentials.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-exchange'>>;

/** How credentials are received. */
export const exchangeHandlers = ({ offers, issuers, transactionDataProfiles }: WalletServices) =>
  ({
    resolveCredentialOffer: async (input) => {
      const { walletId } = input;
      const { json } = await at(['body'], () => offers.resolve(walletId, input.body));
      return { status: 200, body: json };
    },
    acceptCredentialOffer: async (input) => {
      const { walletId } = input;
      const { did, requireUserInput = false, pinOrTxCode: txCode } = input.query;
      const answer = { link: input.body, did, txCode, requireUserInput };
      const place = { link: ['body'], did: ['query', 'did'], txCode: ['query', 'pinOrTxCode'] };
      const received = await at(place, () => offers.accept(walletId, answer));
      return { status: 200, body: received.map((credential) => credentialView(walletId, credential)) };
    },
    resolveIssuerMetadata: async (input) => {
      return { status: 200, body: await issuers.metadata(input.query.issuer) };
    },
    listTransactionDataProfiles: async () => ({ status: 200, body: [...transactionDataProfiles] }),
  }) satisfies Part;
