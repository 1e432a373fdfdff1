import type { TypeSelector } from '../../credentials/formats/facts.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { CredentialType, EarlierClaim, TypeClaim, VersionedType } from '../credential-type.ts';

/** The names that credentials of a type have, which their holders and verifiers know them by. */
interface TypeNames {
  /** Absent when it follows from the issuer. */
  vct: string | undefined;
  doctype: string;
  namespace: string;
}

/** The names that stand in credentials of each kind of formats. */
const NAMES: Readonly<Record<TypeSelector, readonly (keyof TypeNames)[]>> = {
  vct: ['vct'],
  doc_type: ['doctype', 'namespace'],
  type: [],
};

/** A type that is changed. */
interface TypeChange {
  id: string;
  before: VersionedType;
  next: CredentialType;
  /** The kind of a format that the type has or had. */
  selectorOf(format: string): TypeSelector;
}

/** The names of a type, with those that follow from others. */
export const typeNames = (id: string, { vct, doctype = id, namespace = doctype }: CredentialType): TypeNames => ({
  vct,
  doctype,
  namespace,
});

/** The key of the path of a claim. */
const pathKey = ({ path }: Pick<TypeClaim, 'path'>): string => JSON.stringify(path);

/**
 * The next version of a type. What credentials of earlier versions say keeps its meaning: their names, and the kinds of their
 * claims. @throws DomainError `BadRequest` naming the member that would change it
 */
export function changedType({ id, before, next, selectorOf }: TypeChange): VersionedType {
  const formats = [...new Set([...(before.earlier?.formats ?? []), ...before.formats])];
  const claims = earlierClaims(before);
  const [old, now] = [typeNames(id, before), typeNames(id, next)];
  for (const name of new Set(formats.flatMap((format) => NAMES[selectorOf(format)])))
    if (old[name] !== now[name]) throw invalidField([name], `must stay ${old[name] ?? 'left out'}: ${MAKE_ANOTHER}`);
  const known = new Map(claims.map((claim) => [pathKey(claim), claim]));
  for (const [index, { type, items, ...claim }] of next.claims.entries()) {
    const earlier = known.get(pathKey(claim)) ?? { type, items };
    if (earlier.type !== type) throw invalidField(['claims', index, 'type'], kept(earlier.type));
    if (earlier.items !== items) throw invalidField(['claims', index, 'items'], kept(earlier.items));
  }
  return { ...next, version: before.version + 1, earlier: { formats, claims } };
}

const MAKE_ANOTHER = 'issued credentials have it; make another type';
const kept = (kind: string | undefined): string =>
  `must stay ${kind}, as in issued credentials; give the claim another name`;

/** The claims of a version and of those before it. */
function earlierClaims({ claims, earlier }: VersionedType): EarlierClaim[] {
  const present = new Map(claims.map((claim) => [pathKey(claim), claim]));
  const known = new Set(earlier?.claims.map(pathKey));
  const added = claims.filter((claim) => !known.has(pathKey(claim)));
  return [
    ...(earlier?.claims ?? []).map((claim) => ({
      ...claim,
      mandatory: claim.mandatory && present.get(pathKey(claim))?.mandatory === true,
    })),
    ...added.map(({ path, type, items, mandatory = false }) => ({
      path,
      type,
      ...(items && { items }),
      mandatory: mandatory && earlier === undefined,
    })),
  ];
}

/** Says of claims whether every credential of the type has them, in whichever version it was issued. */
export function claimsOfAllVersions({ earlier }: Pick<VersionedType, 'earlier'>): (claim: TypeClaim) => boolean {
  const always = earlier && new Set(earlier.claims.filter(({ mandatory }) => mandatory).map(pathKey));
  return (claim) => claim.mandatory === true && (always?.has(pathKey(claim)) ?? true);
}
