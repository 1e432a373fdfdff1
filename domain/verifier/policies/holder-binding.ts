import type { Credential, HolderBinding, SigningKey } from '../../../ports/credential-formats.ts';
import { containsKey, publicKeyOfDid } from '../../dids/did-methods.ts';
import { isSameKey } from '../../jose/jwk.ts';
import { failed, type PolicyOutcome, passed, policy } from './policy.ts';
import { brokenSignature } from './signature.ts';

type Bound = Pick<Credential, 'holder' | 'subject'>;

/**
 * The `holder-binding` policy: the key that signed the presentation is the one that every credential of it is bound to: by
 * `cnf` or a device key, or by the DID of its subject. A credential that is bound to nothing has no holder.
 */
export const holderBinding = policy({
  description: 'Checks that the presenter has the key that every credential is bound to',
  vp: async (subject) => {
    const { holder, holderFrom, credentials } = subject.presentation;
    const bindings = credentials.flatMap((credential) => credential.holder ?? []);
    const isNamedByIssuer = holderFrom === 'credentials';
    if (!isNamedByIssuer && holder === undefined)
      return failed('undetermined', { reason: 'The presentation names no presenter' });
    if (bindings.length < credentials.length || (isNamedByIssuer && bindings.length === 0))
      return failed('holder-mismatch', { reason: 'A credential is bound to no holder' });
    const broken = await brokenSignature(subject);
    if (broken) return broken;
    // These presentations are verified with the keys of their credentials.
    if (isNamedByIssuer) return passed({ keys: bindings.map(({ jwk, did }) => jwk ?? did) }, { reason: BOUND });
    const check = await subject.checkSignature();
    return judge({ did: withoutFragment(holder ?? ''), ...('key' in check && check.key) }, credentials);
  },
});

const BOUND = 'The holder signed with the key of the credential';

/** Who presents: the DID by its own account, and the key of it that signed. */
interface Presenter extends Partial<SigningKey> {
  did: string;
}

function judge(presenter: Presenter, credentials: readonly Bound[]): PolicyOutcome {
  if (credentials.every(({ holder = {} }) => isHolder(presenter, holder)))
    return passed(presenter.did, { reason: BOUND });
  const credentialDids = credentials.map(({ holder, subject = '' }) => withoutFragment(holder?.did ?? subject));
  const error = { type: 'HolderBindingException', presenterDid: presenter.did, credentialDids };
  return failed('holder-mismatch', { reason: 'The presenter is not the holder of every credential', error });
}

/** A DID that contains its key is the same holder as another one that contains it. */
function isHolder(
  { did, keyId = '', jwk: own }: Presenter,
  { jwk, did: bound = '', keyId: only }: HolderBinding,
): boolean {
  const key = jwk ?? (containsKey(bound) ? publicKeyOfDid(withoutFragment(bound)) : undefined);
  if (key) return own !== undefined && isSameKey(key, own);
  return withoutFragment(bound) === did && (only === undefined || !keyId.includes('#') || keyId === only);
}

const withoutFragment = (did: string): string => did.split('#')[0] ?? '';
