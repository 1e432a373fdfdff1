import type { CredentialFormats } from '../../../domain/credentials/formats/formats.ts';
import { DidResolver } from '../../../domain/dids/did-resolver.ts';
import { Verification } from '../../../domain/verifier/verification/verification.ts';
import { noOutbound, policyPorts } from './policies.ts';

/** The verification of an installation with these formats, without a network. */
export const testVerification = (formats: CredentialFormats): Verification =>
  new Verification({
    dids: new DidResolver(noOutbound),
    issuers: { keys: async () => [] },
    matching: { ...policyPorts, formats },
    ...policyPorts,
    maxAgeMs: 300_000,
    trust: {
      anchors: async () => ({ anchors: [], missing: [] }),
      countryViolation: () => undefined,
      decide: () => ({ trusted: true }),
    },
  });
