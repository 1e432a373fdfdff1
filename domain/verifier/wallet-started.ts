import { invalidField } from '../foundation/errors.ts';
import { isObject, isText } from '../foundation/json.ts';
import type { CreateVerification } from './create-verification.ts';
import type { PolicyCode } from './policies/codes.ts';
import type { ConcludedSession, VerificationOutcome } from './verification-session.ts';
import type { VerifierProfile } from './verifier-profile.ts';

/** The link of wallets that begin a verification themselves (SIOPv2). */
const WALLET = 'openid://';

/** The scope by which wallets ask for the conformance test of verifiers (EBSI, version 3). */
const SCOPES: Readonly<Record<string, number>> = { 'openid ver_test:vp_token': 3 };

const POLICIES = ['signature', 'expired', 'not-before', 'revoked-status-list'];

/** The definition of the conformance test: so many attestations in JWT form. */
const attestations = (count: number) => ({
  format: { jwt_vp: { alg: ['ES256'] } },
  input_descriptors: Array.from({ length: count }, (_, index) => ({
    id: `attestation-${index + 1}`,
    format: { jwt_vc: { alg: ['ES256'] } },
    constraints: {
      fields: [{ path: ['$.vc.type'], filter: { type: 'array', contains: { const: 'VerifiableAttestation' } } }],
    },
  })),
});

/** The authorization request of a wallet; what is not named here is ignored. */
export interface WalletAuthorization {
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
  start(profile: VerifierProfile, { scope = '', state }: WalletAuthorization): Promise<string> {
    const asked = [...new Set(scope.split(' '))].sort().join(' ');
    const count = Object.hasOwn(SCOPES, asked) ? SCOPES[asked] : undefined;
    if (count === undefined) throw invalidField(['scope'], `must be ${Object.keys(SCOPES).join(' or ')}`);
    return this.#creation.create(profile, {
      authorizeBaseUrl: WALLET,
      profile: 'EBSIV3',
      requestedCredentials: [],
      vcPolicies: POLICIES,
      presentationDefinition: attestations(count),
      startedByWallet: state === undefined ? {} : { state },
    });
  }
}

/** The redirect that ends such a verification, with a `code` or an error. */
export function redirectToWallet({ state, request, outcome }: ConcludedSession, code: string): string {
  const { state: given } = request.startedByWallet ?? {};
  const answer: Record<string, string> =
    state === 'verified' ? { code } : { error: 'invalid_request', error_description: reasonOf(outcome) };
  return `${WALLET}?${new URLSearchParams({ ...answer, ...(given !== undefined && { state: given }) })}`;
}

/** How the conformance test names what is wrong with a credential. */
const REASONS: Partial<Record<PolicyCode, string>> = {
  expired: 'is expired',
  'not-yet-valid': 'is not yet valid',
  'status-set': 'is revoked',
};

/** The first reason about a credential, named by the descriptor that it is presented for. */
function reasonOf({ results = [], tokenResponse }: VerificationOutcome): string {
  const [, ...credentials] = results;
  for (const [index, { policies }] of credentials.entries()) {
    const reason = policies.map(({ code }) => REASONS[code]).find(isText);
    if (reason) return `${descriptorOf(tokenResponse.presentation_submission, index)} ${reason}`;
  }
  return 'The presentation was not accepted';
}

function descriptorOf(submission: unknown, index: number): string {
  const map: unknown = isObject(submission) ? submission.descriptor_map : undefined;
  const entry: unknown = Array.isArray(map) ? map[index] : undefined;
  return isObject(entry) && isText(entry.id) ? entry.id.slice(0, 128) : `credential ${index + 1}`;
}
