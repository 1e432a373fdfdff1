import type { Settings } from '../../adapters/config/settings.ts';
import { base64 } from '../../domain/foundation/bytes.ts';
import { DomainError, reasonOf, replacing } from '../../domain/foundation/errors.ts';
import { signerForOthers } from '../../domain/keys/others-signer.ts';
import { ClientAuthentication } from '../../domain/wallet/issuance/client-authentication.ts';
import { LocalAttester, RemoteAttester, type WalletAttester } from '../../domain/wallet/issuance/wallet-attester.ts';
import { derOfPem } from '../../domain/x509/pem.ts';
import type { Signer } from '../../ports/key-service.ts';
import type { Platform } from '../platform/platform.ts';

/** The wallet as a client of authorization servers, by what wallet-service.conf says. */
export function walletClient(platform: Platform): { authentication: ClientAuthentication; attester?: WalletAttester } {
  const { wallet, publicUrl } = platform.settings;
  const { clientId = publicUrl, clientAssertionKey } = wallet;
  const attester = attesterOf(platform);
  const assertionSigner = clientAssertionKey && signerOf(platform, clientAssertionKey);
  return { authentication: new ClientAuthentication({ ...platform, clientId, attester, assertionSigner }), attester };
}

function attesterOf(platform: Platform): WalletAttester | undefined {
  const { attester: settings, attestationConfig } = platform.settings.wallet;
  if (attestationConfig) return new RemoteAttester(attestationConfig, platform.outbound);
  if (!settings) return undefined;
  const x5c = settings.x5Chain.map((pem) => base64(derOfPem(pem) ?? new Uint8Array()));
  return new LocalAttester({ ...platform, settings, x5c, signer: signerOf(platform, settings.signingKey) });
}

const UNUSABLE = 'The wallet cannot use the key of wallet-service.conf now';
const unusable = replacing(
  undefined,
  (cause) => new DomainError('UpstreamFailed', UNUSABLE, { cause, detail: reasonOf(cause) }),
);

/** The signer of a configured key; its key service is asked when it is first used, and again after a failure. */
function signerOf(
  { keys }: Pick<Platform, 'keys'>,
  reference: NonNullable<Settings['wallet']['clientAssertionKey']>,
): () => Promise<Signer> {
  let signer: Signer | undefined;
  return async () => {
    signer ??= signerForOthers(keys.signer(await keys.read(reference).catch(unusable)), { message: UNUSABLE });
    return signer;
  };
}
