import { invalidField } from '../../foundation/errors.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import type { SessionClient } from '../protocol.ts';
import { parseClientId } from './client-ids.ts';

/** What the rules of HAIP look at. */
export interface HaipRequest extends SessionClient {
  query: DcqlQuery;
  isEncrypted: boolean;
  isOverDcApi: boolean;
}

const FORMATS = ['dc+sd-jwt', 'mso_mdoc'];

/**
 * Checks what HAIP 1.0 demands of requests (§5): encrypted responses, `x509_hash` in signed requests, which all are but
 * those over the Digital Credentials API, the two formats of HAIP, and authorities by key identifier.
 * @throws DomainError `BadRequest` naming the member of the session
 */
export function checkHaip({ query, clientId, signing, isEncrypted, isOverDcApi }: HaipRequest): void {
  if (!isEncrypted) throw invalidField(['core_flow', 'encrypted_response'], 'must be true by HAIP');
  if (!signing && !isOverDcApi) throw invalidField(['core_flow', 'signed_request'], 'must be true by HAIP');
  if (signing && parseClientId(clientId ?? '').prefix !== 'x509_hash')
    throw invalidField(['core_flow', 'clientId'], 'must have the prefix x509_hash by HAIP');
  if (signing && signing.alg !== 'ES256') throw invalidField(['core_flow', 'key'], 'must sign with ES256 by HAIP');
  for (const [index, { format }] of query.credentials.entries())
    if (!FORMATS.includes(format))
      throw invalidField(
        ['core_flow', 'dcql_query', 'credentials', index, 'format'],
        `must be ${FORMATS.join(' or ')} by HAIP`,
      );
}
