import type { VerifierServices } from '../adapters/http/verifier.ts';
import { EventDelivery, RESUME_MS } from '../domain/events/delivery.ts';
import { CreateVerification } from '../domain/verifier/create-verification.ts';
import { ReceiveResponse } from '../domain/verifier/receive-response.ts';
import { RequestComposer } from '../domain/verifier/request-composer.ts';
import { ResultCallback, resultBody } from '../domain/verifier/result.ts';
import { VerificationSessionRepository } from '../domain/verifier/session-repository.ts';
import { Verification } from '../domain/verifier/verification.ts';
import type { VerifierProfile } from '../domain/verifier/verifier-profile.ts';
import type { Platform } from './platform.ts';

/** The verifier services, which serve any verifier, and the verifier of the open endpoints. */
export function verifierServices(platform: Platform): VerifierServices {
  const sessions = new VerificationSessionRepository(platform);
  const composer = new RequestComposer(platform);
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
  return {
    profile: openVerifier(platform),
    creation: new CreateVerification({ ...platform, composer, sessions }),
    responses: new ReceiveResponse({ ...platform, sessions, verification, callback }),
    sessions,
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
