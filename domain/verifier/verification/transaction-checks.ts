import type { Presentation, SignedTransactionData } from '../../../ports/credential-formats.ts';
import { DEFAULT_HASH, hashAlgorithms, hashOf, type TransactionData } from '../../presentation/transaction-data.ts';

/** A presentation and the queries it answers, as far as transactions are concerned. */
interface AuthorizingPresentation {
  parsed: Pick<Presentation, 'transactionData'>;
  queryIds: readonly string[];
}

/**
 * Checks that holders authorized the requested transactions and nothing else: the hashes that a presentation signs are
 * those of transactions that name its query, in the order of the request or by their types, each once; every transaction
 * has a hash; with an algorithm that the request names, which then must be stated, or else SHA-256 (OpenID4VP 1.0 §8.4,
 * §B.2, §B.3.3).
 * @returns for each presentation what is wrong with it, in their order; undefined where nothing is
 */
export function transactionProblems(
  requested: readonly TransactionData[],
  presentations: readonly AuthorizingPresentation[],
): (string | undefined)[] {
  const authorized = new Set<TransactionData>();
  const problems = presentations.map(({ queryIds, parsed: { transactionData: signed } }) => {
    if (!signed) return undefined;
    const own = requested.filter(({ queryIds: wanted }) => wanted.some((id) => queryIds.includes(id)));
    const found = authorizedBy(signed, own);
    if (typeof found === 'string') return found;
    for (const transaction of found) authorized.add(transaction);
    return undefined;
  });
  const open = requested.filter((transaction) => !authorized.has(transaction));
  return problems.map((problem, place) => {
    const isAsked = open.some(({ queryIds }) => queryIds.some((id) => presentations[place]?.queryIds.includes(id)));
    const isNowhere = place === 0 && open.length > 0;
    return problem ?? (isAsked || isNowhere ? 'A transaction of the request is not authorized' : undefined);
  });
}

/** The transactions whose hashes are signed, or why the signed hashes are not acceptable. */
function authorizedBy(
  { hashes, algorithm, types }: SignedTransactionData,
  own: readonly TransactionData[],
): TransactionData[] | string {
  if (own.length === 0) return 'The holder signed transaction data that was not requested';
  if (!Array.isArray(hashes) || hashes.length === 0) return 'The hashes of transaction data are not a list';
  const found: TransactionData[] = [];
  let rest = own;
  for (const [place, hash] of hashes.entries()) {
    const type = types?.[place];
    const index = rest.findIndex((one) => (!types || one.type === type) && isHashOf(hash, one, algorithm));
    const transaction = rest[index];
    if (!transaction) return 'A hash is not that of transaction data of the request, in its order';
    found.push(transaction);
    rest = types ? rest.filter((one) => one !== transaction) : rest.slice(index + 1);
  }
  return found;
}

function isHashOf(hash: unknown, transaction: TransactionData, algorithm: unknown): boolean {
  if (algorithm === undefined && transaction.algorithms) return false;
  const used = hashAlgorithms(transaction).find((name) => name === (algorithm ?? DEFAULT_HASH));
  return used !== undefined && hash === hashOf(transaction, used);
}
