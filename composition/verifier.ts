import { RequestComposer } from '../domain/verifier/request-composer.ts';
import { Verification } from '../domain/verifier/verification.ts';
import { VerificationSessions } from '../domain/verifier/verification-sessions.ts';
import type { Platform } from './platform.ts';

/** The verifier: requests, presentations and their results. */
export function verifierServices(platform: Platform): VerificationSessions {
  const { publicUrl } = platform.settings;
  const composer = new RequestComposer(platform, platform.ids);
  const verification = new Verification({ ...platform, matching: platform });
  return new VerificationSessions({ ...platform, composer, verification, publicUrl });
}
