import type { PresentationContent } from '../../../ports/credential-formats.ts';
import { at, DomainError, invalidField, isDomainError } from '../../foundation/errors.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import {
  checkFields,
  DEFAULT_HASH,
  type HashAlgorithm,
  hashAlgorithms,
  hashOf,
  readTransactionData,
  type TransactionData,
  type TransactionDataProfile,
} from '../../presentation/transaction-data.ts';
import type { PresentationOutline } from './response-plan.ts';

/** The error code of a request with transactions that a wallet cannot show (OpenID4VP 1.0 §8.5). */
const INVALID_TRANSACTION_DATA = 'invalid_transaction_data';

/**
 * The transactions that a request asks to authorize; none without `transaction_data`.
 * @throws DomainError `BadRequest` with the code above when one is malformed or of a kind without a profile (§5.1)
 */
export function requestedTransactions(
  params: ReadonlyMap<string, string>,
  profiles: readonly TransactionDataProfile[],
): TransactionData[] {
  const text = params.get('transaction_data');
  if (text === undefined) return [];
  try {
    return at(['transaction_data'], () => known(readTransactionData(parseJson(text)), profiles));
  } catch (error) {
    if (!isDomainError(error)) throw error;
    throw new DomainError(error.code, error.message, { ...error, cause: error, oauthError: INVALID_TRANSACTION_DATA });
  }
}

function known(transactions: TransactionData[], profiles: readonly TransactionDataProfile[]): TransactionData[] {
  for (const [index, { type, content }] of transactions.entries()) {
    const profile = profiles.find((one) => one.type === type);
    if (!profile) throw invalidField([index, 'type'], `${type.slice(0, 64)} is no kind that this wallet knows`);
    at([index], () => checkFields(content, profile));
  }
  return transactions;
}

/**
 * Assigns each transaction to the first presentation of a query that it names (OpenID4VP 1.0 §8.4: only one credential
 * authorizes it). @returns for each presentation its transactions, in the order of the request
 * @throws DomainError `BadRequest` when no presentation can authorize one
 */
export function assignTransactions(
  transactions: readonly TransactionData[],
  presentations: readonly PresentationOutline[],
): TransactionData[][] {
  const assigned = presentations.map((): TransactionData[] => []);
  for (const transaction of transactions) {
    const place = presentations.findIndex(
      ({ isSigned, format, queryIds }) =>
        isSigned &&
        format.presentation.signsTransactions === true &&
        queryIds.flat().some((id) => transaction.queryIds.includes(id)),
    );
    if (place < 0)
      throw new DomainError(
        'BadRequest',
        `None of the selected credentials can authorize the transaction ${transaction.type.slice(0, 64)}`,
      );
    assigned[place]?.push(transaction);
  }
  return assigned;
}

/** What the holder signs for transactions; the algorithm is stated where the request names one (OpenID4VP 1.0 §B.3.3.1). */
export function signedTransactions(
  transactions: readonly TransactionData[],
): PresentationContent['transactionData'] | undefined {
  const [first] = transactions;
  if (!first) return undefined;
  const isCommon = (algorithm: HashAlgorithm): boolean =>
    transactions.every((transaction) => hashAlgorithms(transaction).includes(algorithm));
  const algorithm = [DEFAULT_HASH, ...hashAlgorithms(first)].find(isCommon);
  if (algorithm === undefined)
    throw new DomainError('BadRequest', 'The transactions of the request have no hash algorithm in common');
  return {
    hashes: transactions.map((transaction) => hashOf(transaction, algorithm)),
    types: transactions.map(({ type }) => type),
    ...(transactions.some(({ algorithms }) => algorithms) && { algorithm }),
  };
}
