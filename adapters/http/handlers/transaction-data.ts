import type { TransactionDataProfile } from '../../../domain/presentation/transaction-data.ts';
import { type Handlers, reply } from '../messages/operations.ts';

/** The operations of the document `transaction-data`; of several profiles of one type the first counts. */
export const transactionDataHandlers = (profiles: readonly TransactionDataProfile[]): Handlers<'transaction-data'> => ({
  listVerifierTransactionDataProfiles: reply(200, () =>
    profiles.filter(({ type }, index) => profiles.findIndex((one) => one.type === type) === index),
  ),
});
