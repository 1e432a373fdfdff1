import type { KeyReference, PublicJwk } from '../../../../ports/key-service.ts';
import { forEverything, type KeysByRelationship, RELATIONSHIPS } from '../../../dids/did-key-sets.ts';
import { at, fieldErrors, invalidField } from '../../../foundation/errors.ts';
import type { Target } from '../../access/targets.ts';

/** The keys of a DID as callers name them: by one of these members. */
export interface WrittenKeys {
  /** Which member names them. */
  type?: string;
  keyId?: Target;
  keyIdSet?: readonly Target[];
  verificationKeyIdSetConfiguration?: Partial<Record<string, readonly Target[]>>;
}

type KeyMember = Exclude<keyof WrittenKeys, 'type'>;

/** The members that name keys, by the types. */
const MEMBERS: Readonly<Record<string, KeyMember>> = {
  single_key_id: 'keyId',
  key_id_set: 'keyIdSet',
  verification_key_id_set_config: 'verificationKeyIdSetConfiguration',
};

/** The keys of a DID. */
interface ReadKeys {
  keys: KeysByRelationship;
  /** The one that signs credentials: the first for assertions, or else the first of all. */
  signing: { target: Target; reference: KeyReference };
}

/**
 * Reads the keys of a DID, each named by its target; `keyAt` finds one.
 * @throws DomainError `BadRequest` naming the member that is missing, too much or wrong, and what `keyAt` throws
 */
export async function readKeys(
  written: WrittenKeys,
  keyAt: (target: Target) => Promise<KeyReference>,
): Promise<ReadKeys> {
  const [member, ...others] = Object.values(MEMBERS).filter((name) => written[name] !== undefined);
  if (member === undefined) throw invalidField(['keyId'], 'is required, or another member that names keys');
  if (others.length > 0)
    throw fieldErrors(others.map((name) => ({ path: [name], message: `is another way to say ${member}` })));
  const wanted = MEMBERS[written.type ?? ''] ?? member;
  if (member !== wanted)
    throw invalidField([member], `does not go with the type ${written.type}, which needs ${wanted}`);
  const named = namedKeys(written, member);
  const found = new Map<Target, KeyReference>();
  for (const { targets, path } of named)
    for (const [index, target] of targets.entries()) {
      const place = typeof written[member] === 'string' ? path : [...path, index];
      const reference = found.get(target) ?? (await at(place, () => keyAt(target)));
      found.set(target, reference);
    }
  const jwksOf = (targets: readonly Target[]): PublicJwk[] => targets.flatMap((one) => found.get(one)?.publicJwk ?? []);
  const keys = Object.assign({}, ...named.map(({ of, targets }) => of(jwksOf(targets)))) as KeysByRelationship;
  const target = (named.find(({ path }) => path.includes('assertionMethod')) ?? named[0])?.targets[0];
  const reference = target === undefined ? undefined : found.get(target);
  if (target === undefined || !reference) throw invalidField([member], 'names no key');
  if (keys.keyAgreement?.some(({ kty }) => kty !== 'EC'))
    throw invalidField([member, 'keyAgreement'], 'must name EC keys: with others nothing is encrypted');
  return { keys, signing: { target, reference } };
}

interface NamedKeys {
  path: string[];
  targets: readonly Target[];
  of(jwks: readonly PublicJwk[]): KeysByRelationship;
}

/** The keys that a member names, with what they are for. */
function namedKeys(written: WrittenKeys, member: KeyMember): NamedKeys[] {
  const value = written[member];
  if (typeof value === 'string') return [{ path: [member], targets: [value], of: forEverything }];
  if (Array.isArray(value)) return [{ path: [member], targets: value, of: forEverything }];
  const configuration = value as Partial<Record<string, readonly Target[]>>;
  return RELATIONSHIPS.flatMap((name) => {
    const { [name]: targets } = configuration;
    return targets ? [{ path: [member, name], targets, of: (jwks: readonly PublicJwk[]) => ({ [name]: jwks }) }] : [];
  });
}
