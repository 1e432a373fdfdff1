import { DomainError } from '../../domain/foundation/errors.ts';
import {
  type AskedOfHolder,
  HolderAuthentication,
  type PresentedLogin,
} from '../../domain/issuer/endpoints/holder-authentication.ts';
import { ExternalLogin } from '../../domain/oauth/external-login.ts';
import { PendingLogins } from '../../domain/oauth/pending-logins.ts';
import { SelfIssuedTokens } from '../../domain/oauth/self-issued-tokens.ts';
import { inOrder } from '../../domain/verifier/verification/evaluation.ts';
import { Verification } from '../../domain/verifier/verification/verification.ts';
import type { Platform } from '../platform/platform.ts';
import { presentationAgeMs } from './verifier.ts';

/** What a holder's presentation must satisfy before something is issued. */
const VP_POLICIES = [{ policy: 'signature' }, { policy: 'holder-binding' }];
const VC_POLICIES = [{ policy: 'signature' }, { policy: 'expired' }, { policy: 'not-before' }];

/** The purposes of a status with which a credential is not good (any more). */
const ENDING = ['revocation', 'suspension'];

/** Authenticates holders: at the server of authentication-service.conf, or by their wallets. */
export function holderAuthentication(platform: Platform): HolderAuthentication {
  const { settings, outbound, serverKeys, clock } = platform;
  const { server } = settings.authenticationService;
  const callbackUrl = `${settings.publicUrl}/callback`;
  return new HolderAuthentication({
    ...platform,
    logins: new PendingLogins<AskedOfHolder>(platform),
    external: server && new ExternalLogin({ server, callbackUrl, outbound, clock }),
    tokens: new SelfIssuedTokens(platform),
    checkPresentation: presentationCheck(platform),
    signer: () => serverKeys.signer('issuer'),
  });
}

/** The verifier's checks, for a request of an issuer. */
function presentationCheck(platform: Platform): (presented: PresentedLogin) => Promise<void> {
  const verification = new Verification({ ...platform, matching: platform, maxAgeMs: presentationAgeMs(platform) });
  return async ({ query, nonce, audience, vpToken, submission }) => {
    const policies = { vpPolicies: VP_POLICIES, vcPolicies: VC_POLICIES, ownPolicies: [] };
    const task = { query, nonce, audience, ...policies };
    const submitted = await verification.read(task, { vpToken, submission });
    const results = await verification.evaluatePolicies(task, submitted, platform.clock.now());
    const failed = inOrder(results)
      .flatMap(({ policies: of }) => of)
      .find((result) => !result.is_success);
    if (failed) throw new DomainError('BadRequest', `vp_token: the policy ${failed.policy} is not satisfied`);
    for (const credential of submitted.credentials) {
      const statuses = await platform.statuses.lookUp(credential);
      if (statuses.some(({ purpose, isSet }) => isSet && ENDING.includes(purpose)))
        throw new DomainError('BadRequest', 'vp_token: a credential is revoked or suspended');
    }
  };
}
