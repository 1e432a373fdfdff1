import { base64 } from '../../domain/foundation/bytes.ts';
import { ClientAuthentication } from '../../domain/wallet/issuance/client-authentication.ts';
import { LocalAttester, RemoteAttester, type WalletAttester } from '../../domain/wallet/issuance/wallet-attester.ts';
import { derOfPem } from '../../domain/x509/pem.ts';
import { configuredSigner } from '../platform/configured-signer.ts';
import type { Platform } from '../platform/platform.ts';

const FILE = 'wallet-service.conf';

/** The wallet as a client of authorization servers, by what wallet-service.conf says. */
export function walletClient(platform: Platform): { authentication: ClientAuthentication; attester?: WalletAttester } {
  const { wallet, publicUrl } = platform.settings;
  const { clientId = publicUrl, clientAssertionKey } = wallet;
  const attester = attesterOf(platform);
  const assertionSigner = clientAssertionKey && configuredSigner(platform, clientAssertionKey, FILE);
  return { authentication: new ClientAuthentication({ ...platform, clientId, attester, assertionSigner }), attester };
}

function attesterOf(platform: Platform): WalletAttester | undefined {
  const { attester: settings, attestationConfig } = platform.settings.wallet;
  if (attestationConfig) return new RemoteAttester(attestationConfig, platform.outbound);
  if (!settings) return undefined;
  const x5c = settings.x5Chain.map((pem) => base64(derOfPem(pem) ?? new Uint8Array()));
  return new LocalAttester({
    ...platform,
    settings,
    x5c,
    signer: configuredSigner(platform, settings.signingKey, FILE),
  });
}
