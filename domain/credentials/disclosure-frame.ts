import type { DisclosureFrame } from '../../ports/credential-formats.ts';
import { invalidField } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { type AlwaysDisclosed, hiddenByDigests, hiddenByDisclosure } from './always-disclosed.ts';
import { SD_JWT_BOUNDS, SD_JWT_NAMES } from './sd-jwt.ts';

/** The most decoy digests of one object or list. */
const MAX_DECOYS = 32;

/** What a frame is checked with. */
export interface FramedDocument {
  document: JsonObject;
  /** Claims of the document that are always disclosed, with everything below them. */
  alwaysDisclosed: AlwaysDisclosed;
}

/**
 * Checks that a document can be selectively disclosed as a frame says. The members of `fields` name those of an object;
 * for a list they are positions, from `0`. @throws DomainError `BadRequest` naming the member of the frame
 */
export function checkDisclosure(frame: DisclosureFrame, { document, alwaysDisclosed }: FramedDocument): void {
  let digests = 0;
  checkLevel(frame, document, []);

  /** `place` is where the value stands in the document. */
  function checkLevel(
    { fields, decoys = 0, decoyMode = 'NONE' }: DisclosureFrame,
    value: unknown,
    place: readonly string[],
  ): void {
    const level = place.flatMap((name) => ['fields', name, 'children']);
    if (!Number.isInteger(decoys) || decoys < 0 || decoys > MAX_DECOYS)
      throw invalidField([...level, 'decoys'], `must be a whole number from 0 to ${MAX_DECOYS}`);
    const added = decoyMode === 'NONE' ? 0 : decoys;
    count(added, level);
    const hidden = added > 0 ? hiddenByDigests(place, alwaysDisclosed) : undefined;
    if (hidden !== undefined) throw invalidField([...level, 'decoys'], `must be 0: ${hidden} is always disclosed`);
    for (const [name, { sd, children }] of Object.entries(fields)) {
      const here = [...level, 'fields', name];
      const inner = [...place, name];
      if (sd && hiddenByDisclosure(inner, alwaysDisclosed) !== undefined)
        throw invalidField(here, 'is always disclosed');
      const child = childOf(value, name);
      if (child === undefined)
        throw invalidField(here, 'names no member of the credential that its credentialData and mapping make');
      count(sd ? 1 : 0, here);
      if (!children) continue;
      if (typeof child !== 'object' || child === null)
        throw invalidField([...here, 'children'], 'the credential has neither an object nor a list here');
      checkLevel(children, child, inner);
    }
  }

  function count(more: number, path: FieldPath): void {
    digests += more;
    if (digests > SD_JWT_BOUNDS.disclosures)
      throw invalidField(path, `at most ${SD_JWT_BOUNDS.disclosures} disclosures and decoys are allowed`);
  }
}

function childOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,5})$/.test(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Checks the member names of claims: not those of RFC 9901; when they are to be selectively disclosed, neither the empty
 * name nor one that every JavaScript object inherits, which the packing library loses. @throws DomainError `BadRequest`
 */
export function checkClaimNames(claims: unknown, isPacked = true): void {
  const isUnusable = isPacked ? isUnpackable : isReserved;
  checkNames(claims, []);

  function checkNames(value: unknown, path: FieldPath): void {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) checkNames(item, [...path, index]);
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (isUnusable(name)) throw invalidField([...path, name], 'is no name for a claim of this format');
      checkNames(member, [...path, name]);
    }
  }
}

const isReserved = (name: string): boolean => SD_JWT_NAMES.has(name);

const isUnpackable = (name: string): boolean => isReserved(name) || name === '' || name === '_sd_decoy' || name in {};
