import type { HolderBinding } from '../../ports/credential-formats.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, isText } from '../foundation/json.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';

/**
 * What the claim `cnf` of a credential binds it to (RFC 7800 §3.2, §3.4): a key, or the DID or DID URL in `kid`.
 * @throws DomainError `BadRequest` for one with neither
 */
export function holderOfConfirmation(cnf: unknown): HolderBinding | undefined {
  if (cnf === undefined) return undefined;
  if (isObject(cnf) && cnf.jwk !== undefined) return { jwk: readVerificationKey(cnf.jwk) };
  if (isObject(cnf) && isText(cnf.kid) && cnf.kid.startsWith('did:')) {
    const { kid: keyId } = cnf;
    const [did, fragment] = keyId.split('#');
    return fragment === undefined ? { did } : { did, keyId };
  }
  throw new DomainError('BadRequest', 'The credential has a cnf with neither a jwk nor the kid of a DID');
}
