import { DomainError, reasonOf, replacing } from '../../domain/foundation/errors.ts';
import { signerForOthers } from '../../domain/keys/others-signer.ts';
import type { Signer } from '../../ports/key-service.ts';
import type { Platform } from './platform.ts';

/** The signer of a key of a file; its key service is asked when it is first used, and again after a failure. */
export function configuredSigner(
  { keys }: Pick<Platform, 'keys'>,
  reference: Record<string, unknown> & { type: string },
  file: string,
): () => Promise<Signer> {
  const message = `This server cannot use the key of ${file} now`;
  const unusable = replacing(
    undefined,
    (cause) => new DomainError('UpstreamFailed', message, { cause, detail: reasonOf(cause) }),
  );
  let signer: Signer | undefined;
  return async () => {
    signer ??= signerForOthers(keys.signer(await keys.read(reference).catch(unusable)), { message });
    return signer;
  };
}
