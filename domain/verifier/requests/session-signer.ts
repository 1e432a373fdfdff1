import type { Signer } from '../../../ports/key-service.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import { isSameKey } from '../../jose/jwk.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { signerForOthers } from '../../keys/others-signer.ts';
import type { SessionSigning } from '../protocol.ts';
import type { Verifier } from '../verifier.ts';

/**
 * Signs the requests of a session, with the key that it brought or with that of its verifier.
 * @throws DomainError `Conflict` when the verifier does not have that key any more, and as `KeyBackends.read`
 */
export async function sessionSigner(
  { key, ownKey }: SessionSigning,
  { verifier, keys }: { verifier: Verifier; keys: KeyBackends },
): Promise<Signer> {
  const reference = ownKey ? (await verifier.signer().catch(asGone)).reference : await keys.read(key ?? {});
  if (ownKey && !isSameKey(reference.publicJwk, ownKey)) throw gone();
  return signerForOthers(keys.signer(reference), {
    message: 'The key of the verifier cannot sign now; try again later',
    oauthError: 'server_error',
  });
}

function asGone(error: unknown): never {
  throw isDomainError(error, 'BadRequest') || isDomainError(error, 'Conflict') ? gone(error) : error;
}

const gone = (cause?: unknown): DomainError =>
  new DomainError('Conflict', 'The verifier does not have the key of this request any more', { cause });
