import type { Credential, StatusReference } from '../../../ports/credential-formats.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';

/** What names a presented credential to its issuer when its claims are deleted. */
export interface CredentialHandle {
  format: string;
  type: string;
  issuer: string;
  /** The digest of what the issuer signed, in base64url; absent when its format has none. */
  digest?: string;
  /** Where the issuer publishes the status of the credential: entries of status lists. */
  status?: JsonObject[];
}

/** The handle of a credential. */
export const handleOf = ({ format, type, issuer, digest, status }: Credential): CredentialHandle => ({
  format,
  type,
  issuer: issuer.id,
  ...(digest !== undefined && { digest }),
  ...(status.length > 0 && { status: status.map(entryOf) }),
});

/** The members that name an entry of a status list, or an identifier in a list. */
const ENTRY_MEMBERS = ['type', 'statusPurpose', 'statusListCredential', 'statusListIndex', 'uri', 'idx', 'id'];

function entryOf({ value }: StatusReference): JsonObject {
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(members.filter(([name, member]) => ENTRY_MEMBERS.includes(name) && !isObject(member)));
}
