import { failed, nothingToCheck, passed, policy } from './policy.ts';

/** The purposes whose statuses end or pause the validity of a credential. */
const ENDINGS = ['revocation', 'suspension'];

/**
 * The `revoked-status-list` policy: the lists of the issuer, of any kind, say that the credential is neither revoked nor
 * suspended. A credential with a status, but none of revocation, is refused.
 */
export const revokedStatusList = policy({
  description: 'Checks that the credential is neither revoked nor suspended',
  stage: 'status',
  dependsOn: ['signature'],
  vc: async ({ credential }, { statuses }) => {
    if (credential.status.length === 0) return nothingToCheck('The credential has no status');
    const conditions = await statuses.lookUp(credential);
    const set = conditions.find(({ purpose, isSet }) => isSet && ENDINGS.includes(purpose));
    if (set) {
      const what = set.purpose === 'revocation' ? 'revoked' : 'suspended';
      const message = set.message === undefined ? '' : `: ${set.message}`;
      return failed('status-set', { reason: `The credential is ${what}${message}` });
    }
    if (!conditions.some(({ purpose }) => purpose === 'revocation'))
      return failed('status-missing', { reason: 'The credential has no status of the purpose revocation' });
    const result = conditions.map(({ type, purpose, value }) => ({ type, purpose, value }));
    return passed({ statuses: result }, { reason: 'The credential is not revoked' });
  },
});
