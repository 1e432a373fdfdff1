import type { Credential } from '../../../ports/credential-formats.ts';
import { failed, passed, policy } from './policy.ts';
import { brokenSignature } from './signature.ts';

/**
 * The `holder-binding` policy: the presenter is the subject of every credential of the presentation; where the
 * credentials name the holder, it signed with the key that every one is bound to.
 */
export const holderBinding = policy({
  description: 'Checks that the presenter is the subject or has the key of every credential',
  vp: async (subject) => {
    const { holder, holderFrom, credentials } = subject.presentation;
    if (holderFrom === 'presentation') return boundByDid(holder, credentials);
    const keys = credentials.map(({ holder: bound }) => bound?.jwk ?? bound?.did);
    if (keys.length === 0 || keys.includes(undefined))
      return failed('holder-mismatch', { reason: 'A credential is bound to no holder' });
    const broken = await brokenSignature(subject);
    return broken ?? passed({ keys }, { reason: 'The holder signed with the key of the credential' });
  },
});

function boundByDid(holder: string | undefined, credentials: readonly Pick<Credential, 'subject'>[]) {
  if (holder === undefined) return failed('undetermined', { reason: 'The presentation names no presenter' });
  const presenterDid = withoutFragment(holder);
  const credentialDids = credentials.map(({ subject }) => withoutFragment(subject ?? ''));
  if (credentialDids.every((did) => did === presenterDid)) return passed(presenterDid);
  const error = { type: 'HolderBindingException', presenterDid, credentialDids };
  return failed('holder-mismatch', { reason: 'The presenter is not the subject of every credential', error });
}

const withoutFragment = (did: string): string => did.split('#')[0] ?? '';
