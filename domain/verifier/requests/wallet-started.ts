import { JWT_VC } from '../../credentials/formats/jwt-vc.ts';
import { invalidField } from '../../foundation/errors.ts';
import { WALLET } from '../verification/draft20-results.ts';
import type { NewVerification } from './request-composer.ts';

/** The scope by which wallets ask for the conformance test of verifiers (EBSI, version 3). */
const SCOPES: Readonly<Record<string, number>> = { 'openid ver_test:vp_token': 3 };

const POLICIES = ['signature', 'expired', 'not-before', 'revoked-status-list'];

/** The definition of the conformance test: so many attestations in JWT form. */
const attestations = (count: number) => ({
  format: { [JWT_VC.presentation.submitted]: { alg: ['ES256'] } },
  input_descriptors: Array.from({ length: count }, (_, index) => ({
    id: `attestation-${index + 1}`,
    format: { [JWT_VC.aliases[0]]: { alg: ['ES256'] } },
    constraints: {
      fields: [{ path: ['$.vc.type'], filter: { type: 'array', contains: { const: 'VerifiableAttestation' } } }],
    },
  })),
});

/** The authorization request of a wallet; what is not named here is ignored. */
interface WalletAuthorization {
  scope?: string;
  state?: string;
}

/** The verification that a wallet asks for (EBSI: wallet-initiated presentation). @throws DomainError `BadRequest` naming `scope` */
export function startedByWallet({ scope = '', state }: WalletAuthorization): NewVerification {
  const asked = [...new Set(scope.split(' '))].sort().join(' ');
  const count = Object.hasOwn(SCOPES, asked) ? SCOPES[asked] : undefined;
  if (count === undefined) throw invalidField(['scope'], `must be ${Object.keys(SCOPES).join(' or ')}`);
  return {
    authorizeBaseUrl: WALLET,
    profile: 'EBSIV3',
    requestedCredentials: [],
    vcPolicies: POLICIES,
    presentationDefinition: attestations(count),
    startedByWallet: state === undefined ? {} : { state },
  };
}
