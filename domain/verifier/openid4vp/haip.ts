import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import type { SessionClient } from '../protocol.ts';
import { parseClientId } from './client-ids.ts';

/** What the rules of HAIP look at. */
interface HaipRequest extends SessionClient {
  query: DcqlQuery;
  formats: CredentialFormats;
  isEncrypted: boolean;
  isOverDcApi: boolean;
}

/**
 * Checks what HAIP 1.0 demands of requests (§5): encrypted responses, `x509_hash` in signed requests, which all are but
 * those over the Digital Credentials API, the two formats of HAIP, and authorities by key identifier.
 * @throws DomainError `BadRequest` naming the member of the session
 */
export function checkHaip({ query, formats, clientId, signing, isEncrypted, isOverDcApi }: HaipRequest): void {
  if (!isEncrypted) throw invalidField(['core_flow', 'encrypted_response'], 'must be true by HAIP');
  if (!signing && !isOverDcApi) throw invalidField(['core_flow', 'signed_request'], 'must be true by HAIP');
  if (signing && parseClientId(clientId ?? '').prefix !== 'x509_hash')
    throw invalidField(['core_flow', 'clientId'], 'must have the prefix x509_hash by HAIP');
  if (signing && signing.alg !== 'ES256') throw invalidField(['core_flow', 'key'], 'must sign with ES256 by HAIP');
  const names = formats.requestable.filter(({ presentation }) => presentation.v1.isOfHaip).map(({ name }) => name);
  for (const [index, { format }] of query.credentials.entries())
    if (!names.includes(format))
      throw invalidField(
        ['core_flow', 'dcql_query', 'credentials', index, 'format'],
        `must be ${names.join(' or ')} by HAIP`,
      );
}
