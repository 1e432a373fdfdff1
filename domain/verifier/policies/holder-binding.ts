import { failed, passed, policy } from './policy.ts';

/** The `holder-binding` policy: the presenter is the subject of every credential of the presentation. */
export const holderBinding = policy({
  description: 'Checks that the presenter is the subject of every credential',
  vp: ({ presentation: { holder, credentials } }) => {
    if (holder === undefined) return failed('undetermined', { reason: 'The presentation names no presenter' });
    const presenterDid = withoutFragment(holder);
    const credentialDids = credentials.map(({ subject }) => withoutFragment(subject ?? ''));
    if (credentialDids.every((did) => did === presenterDid)) return passed(presenterDid);
    const error = { type: 'HolderBindingException', presenterDid, credentialDids };
    return failed('holder-mismatch', { reason: 'The presenter is not the subject of every credential', error });
  },
});

const withoutFragment = (did: string): string => did.split('#')[0] ?? '';
