import { joseEncryption } from '../adapters/crypto/message-encryption.ts';
import type { VerifierServices } from '../adapters/http/verifier.ts';
import type { Verifier2Services } from '../adapters/http/verifier2.ts';
import { EventDelivery, RESUME_MS } from '../domain/events/delivery.ts';
import { EventWatches } from '../domain/events/event-watches.ts';
import { CreateVerification } from '../domain/verifier/create-verification.ts';
import type { PresentationVerifier } from '../domain/verifier/presentation-verifier.ts';
import { ReceiveResponse } from '../domain/verifier/receive-response.ts';
import { RequestComposer } from '../domain/verifier/request-composer.ts';
import { ResponseEncryption } from '../domain/verifier/response-encryption.ts';
import { ResultCallback, resultBody } from '../domain/verifier/result.ts';
import { VerificationSessionRepository } from '../domain/verifier/session-repository.ts';
import { CreateSession } from '../domain/verifier/sessions/create-session.ts';
import { PresentationSessionRepository } from '../domain/verifier/sessions/repository.ts';
import { RequestEndpoint } from '../domain/verifier/sessions/request-endpoint.ts';
import { RequestSigning } from '../domain/verifier/sessions/request-signing.ts';
import { ResponseEndpoint } from '../domain/verifier/sessions/response-endpoint.ts';
import { ResponseEvaluation } from '../domain/verifier/sessions/response-evaluation.ts';
import { SessionEvents } from '../domain/verifier/sessions/session-events.ts';
import { SetupReader } from '../domain/verifier/sessions/setup-reader.ts';
import { Verification } from '../domain/verifier/verification.ts';
import type { VerifierProfile } from '../domain/verifier/verifier-profile.ts';
import type { Platform } from './platform.ts';

/** The verifier services, which serve any verifier, and the verifier of the open endpoints. */
export function verifierServices(platform: Platform): VerifierServices & Verifier2Services {
  const sessions = new VerificationSessionRepository(platform);
  const composer = new RequestComposer(platform);
  const verification = new Verification({ ...platform, matching: platform });
  const watches = new EventWatches({ ...platform, name: 'verification' });
  const bodyOf = (log: string) => resultBody(sessions, log);
  const delivery = new EventDelivery({
    ...platform,
    ...platform.settings.outbound.callbacks,
    name: 'verification',
    bodyOf,
    stored: watches.note.bind(watches),
  });
  platform.background.every(RESUME_MS, 'verification events', () => delivery.resume());
  const callback = new ResultCallback({ ...platform, delivery });
  return {
    profile: openVerifier(platform),
    creation: new CreateVerification({ ...platform, composer, sessions }),
    responses: new ReceiveResponse({ ...platform, sessions, verification, callback }),
    sessions,
    transactionDataProfiles: platform.settings.verifierService.transactionDataProfiles,
    ...sessionServices(platform, { verification, delivery }),
    watches,
  };
}

/** Verification sessions of OpenID4VP 1.0. */
function sessionServices(
  platform: Platform,
  { verification, delivery }: { verification: Verification; delivery: EventDelivery },
): Omit<Verifier2Services, 'watches'> {
  const sessions = new PresentationSessionRepository(platform);
  const encryption = new ResponseEncryption({ ...platform, encryption: joseEncryption });
  const events = new SessionEvents({ ...platform, delivery });
  const reader = new SetupReader({ ...platform, signing: new RequestSigning(platform) });
  const evaluation = new ResponseEvaluation({ verification });
  return {
    verifier: openPresentationVerifier(platform),
    sessionCreation: new CreateSession({ ...platform, sessions, reader, encryption }),
    presentationSessions: sessions,
    requestEndpoint: new RequestEndpoint({ ...platform, sessions, events }),
    responseEndpoint: new ResponseEndpoint({ ...platform, sessions, evaluation, encryption, events }),
    clock: platform.clock,
  };
}

/** The verifier of the open endpoints of OpenID4VP 1.0, as verifier-service.conf describes it. */
function openPresentationVerifier({ settings: { publicUrl, verifierService } }: Platform): PresentationVerifier {
  const { key, x5c, urlHost, retentionSeconds, clientId, clientMetadata, verifierInfo } = verifierService;
  return {
    id: 'open',
    target: '',
    baseUrl: `${publicUrl}/verification-session`,
    walletUrl: urlHost,
    signer: key && { key, x5c },
    clientId,
    clientMetadata,
    verifierInfo,
    transactionDataProfiles: verifierService.transactionDataProfiles,
    retentionMs: retentionSeconds * 1000,
  };
}

/** The verifier of the open endpoints. */
const openVerifier = ({ settings: { publicUrl } }: Platform): VerifierProfile => ({
  id: 'open',
  target: '',
  version: 'draft20',
  baseUrl: `${publicUrl}/openid4vc`,
  client: { scheme: 'redirect_uri' },
});
