import { base64url } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import {
  checkFields,
  readTransactionData,
  type TransactionData,
  type TransactionDataProfile,
} from '../../presentation/transaction-data.ts';

/** What transactions are read for: the query, and the kinds that the operator described, which need not be all. */
export interface TransactionOptions {
  query: DcqlQuery;
  profiles: readonly TransactionDataProfile[];
}

/** The formats whose holders sign digests of transaction data (OpenID4VP 1.0 annex B.2.1, B.3.3). */
const FORMATS = ['dc+sd-jwt', 'mso_mdoc'];

/**
 * Reads the transactions that a holder is asked to authorize, and encodes each as the request has it (§5.1).
 * @throws DomainError `BadRequest` naming the element and its member
 */
export function readTransactions(written: readonly JsonObject[], options: TransactionOptions): string[] {
  const encoded = written.map((item) => base64url(JSON.stringify(item)));
  for (const [index, transaction] of readTransactionData(encoded).entries())
    at([index], () => checkTransaction(transaction, options));
  return encoded;
}

function checkTransaction({ type, queryIds, content }: TransactionData, { query, profiles }: TransactionOptions): void {
  if (type.trim() === '') throw invalidField(['type'], 'must not be blank');
  for (const [index, id] of queryIds.entries()) at(['credential_ids', index], () => checkQuery(id, query));
  const profile = profiles.find((one) => one.type === type);
  if (profile) checkFields(content, profile);
}

function checkQuery(id: string, { credentials }: DcqlQuery): void {
  const query = credentials.find((one) => one.id === id);
  if (!query) throw invalidField([], 'is the id of no credential query');
  if (!FORMATS.includes(query.format)) throw invalidField([], `must be of a query for ${FORMATS.join(' or ')}`);
  if (!query.holderBinding) throw invalidField([], 'must be of a query with cryptographic holder binding');
}
