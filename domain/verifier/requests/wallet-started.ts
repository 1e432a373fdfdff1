import { JWT_VC } from '../../credentials/formats/jwt-vc.ts';
import { invalidField } from '../../foundation/errors.ts';
import { WALLET } from '../verification/draft20-results.ts';
import type { DraftVerifier } from '../verifier.ts';
import type { CreateVerification } from './create-verification.ts';

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

/** Starts verifications that a wallet asks for (EBSI: wallet-initiated presentation). */
export class WalletStarted {
  readonly #creation: CreateVerification;

  constructor({ creation }: { creation: CreateVerification }) {
    this.#creation = creation;
  }

  /** Creates a session and returns its request as a link. @throws DomainError `BadRequest` naming `scope` */
  start(verifier: DraftVerifier, { scope = '', state }: WalletAuthorization): Promise<string> {
    const asked = [...new Set(scope.split(' '))].sort().join(' ');
    const count = Object.hasOwn(SCOPES, asked) ? SCOPES[asked] : undefined;
    if (count === undefined) throw invalidField(['scope'], `must be ${Object.keys(SCOPES).join(' or ')}`);
    return this.#creation.create(verifier, {
      authorizeBaseUrl: WALLET,
      profile: 'EBSIV3',
      requestedCredentials: [],
      vcPolicies: POLICIES,
      presentationDefinition: attestations(count),
      startedByWallet: state === undefined ? {} : { state },
    });
  }
}
