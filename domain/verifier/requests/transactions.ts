import type { CredentialFormats } from '../../credentials/formats/formats.ts';
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
interface TransactionOptions {
  query: DcqlQuery;
  formats: CredentialFormats;
  profiles: readonly TransactionDataProfile[];
}

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

function checkTransaction(
  { type, queryIds, content }: TransactionData,
  { query, formats, profiles }: TransactionOptions,
): void {
  if (type.trim() === '') throw invalidField(['type'], 'must not be blank');
  for (const [index, id] of queryIds.entries()) at(['credential_ids', index], () => checkQuery(id, query, formats));
  const profile = profiles.find((one) => one.type === type);
  if (profile) checkFields(content, profile);
}

function checkQuery(id: string, { credentials }: DcqlQuery, formats: CredentialFormats): void {
  const query = credentials.find((one) => one.id === id);
  if (!query) throw invalidField([], 'is the id of no credential query');
  const signing = formats.requestable.filter(({ presentation }) => presentation.signsTransactions);
  if (!signing.some(({ name }) => name === query.format))
    throw invalidField([], `must be of a query for ${signing.map(({ name }) => name).join(' or ')}`);
  if (!query.holderBinding) throw invalidField([], 'must be of a query with cryptographic holder binding');
}
