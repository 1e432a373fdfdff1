import type { ProvenAsker } from '../../credentials/disclosure-policy.ts';
import type { ResolvedRequest } from './presentation-request.ts';
import { type ShownRegistration, shownRegistration } from './verifier-registration.ts';

/** For what a registrar registered who sent a request, with what the request asks for beyond it. */
export function registrationOf({ signer, query }: ResolvedRequest): { registration?: ShownRegistration } {
  const registration = signer?.kind === 'certificate' ? signer.registration : undefined;
  return registration ? { registration: shownRegistration(registration, query) } : {};
}

/** What is proven of who sent a request, by which the disclosure policies of issuers are evaluated. */
export function askerOf({ signer }: ResolvedRequest): ProvenAsker {
  if (signer?.kind !== 'certificate' || !signer.roots) return {};
  const { roots, registration } = signer;
  if (!registration) return { roots };
  return {
    roots: [...roots, ...registration.roots],
    registered: [registration.identifier, ...registration.entitlements],
  };
}
