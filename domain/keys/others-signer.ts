import type { Signer } from '../../ports/key-service.ts';
import { DomainError, isDomainError, reasonOf } from '../foundation/errors.ts';

/** What the other party gets when the key cannot sign. */
export interface SigningFailure {
  message: string;
  /** The code where errors have the form of OAuth. */
  oauthError?: 'server_error';
}

/**
 * A signer for the request of a party whose key it is not: a refusal of the key is not its mistake. It learns only that it
 * can try again; the reason is for the log.
 */
export function signerForOthers(signer: Signer, { message, oauthError }: SigningFailure): Signer {
  const sign = async (data: Uint8Array): Promise<Uint8Array> => {
    try {
      return await signer.sign(data);
    } catch (cause) {
      if (!isDomainError(cause)) throw cause;
      const code = cause.code === 'UpstreamTimeout' ? cause.code : 'UpstreamFailed';
      throw new DomainError(code, message, { cause, detail: reasonOf(cause), oauthError });
    }
  };
  return { ...signer, sign };
}
