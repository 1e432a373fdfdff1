import { PeculiarCertificates } from '../adapters/crypto/certificate-maker.ts';
import { joseEncryption } from '../adapters/crypto/message-encryption.ts';
import type { VerifierServices } from '../adapters/http/verifier.ts';
import { EventDelivery, RESUME_MS } from '../domain/events/delivery.ts';
import { CreateVerification } from '../domain/verifier/create-verification.ts';
import { ReceiveResponse } from '../domain/verifier/receive-response.ts';
import { RequestComposer } from '../domain/verifier/request-composer.ts';
import { RequestSigning } from '../domain/verifier/request-signing.ts';
import { ResponseEncryption } from '../domain/verifier/response-encryption.ts';
import { ResultCallback, resultBody } from '../domain/verifier/result.ts';
import { VerificationSessionRepository } from '../domain/verifier/session-repository.ts';
import { SignedRequests } from '../domain/verifier/signed-requests.ts';
import { Verification } from '../domain/verifier/verification.ts';
import type { VerifierProfile } from '../domain/verifier/verifier-profile.ts';
import { WalletStarted } from '../domain/verifier/wallet-started.ts';
import type { Platform } from './platform.ts';
import { requestKeyOf, sanDnsOf } from './request-signing.ts';

/** The verifier services, which serve any verifier, and the verifier of the open endpoints. */
export function verifierServices(platform: Platform): VerifierServices {
  const sessions = new VerificationSessionRepository(platform);
  const composer = new RequestComposer({ ...platform, roots: platform.trust });
  const verification = new Verification({ ...platform, matching: platform });
  const bodyOf = (log: string) => resultBody(sessions, log);
  const delivery = new EventDelivery({
    ...platform,
    ...platform.settings.outbound.callbacks,
    name: 'verification',
    bodyOf,
  });
  platform.background.every(RESUME_MS, 'verification events', () => delivery.resume());
  const callback = new ResultCallback({ ...platform, delivery });
  const encryption = new ResponseEncryption({ ...platform, encryption: joseEncryption });
  const configured = requestKeyOf(platform.settings);
  const signing = new RequestSigning({ ...platform, maker: new PeculiarCertificates(), configured });
  const creation = new CreateVerification({ ...platform, composer, sessions, encryption });
  return {
    profile: openVerifier(platform),
    creation,
    responses: new ReceiveResponse({ ...platform, sessions, verification, callback, encryption }),
    sessions,
    requests: new SignedRequests({ ...platform, sessions, signing }),
    signing,
    walletStarted: new WalletStarted({ creation }),
    formats: platform.formats,
  };
}

/** The verifier of the open endpoints. */
const openVerifier = ({ settings }: Platform): VerifierProfile => ({
  id: 'open',
  target: '',
  version: 'draft20',
  baseUrl: `${settings.publicUrl}/openid4vc`,
  client: { scheme: 'redirect_uri' },
  identifier: settings.publicUrl,
  sanDns: sanDnsOf(settings),
});
