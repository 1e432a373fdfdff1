import type { DisclosureFrame } from '../../ports/credential-formats.ts';
import { invalidField } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { SD_JWT_BOUNDS, SD_JWT_NAMES } from './sd-jwt.ts';

/** The most decoy digests of one object or list. */
const MAX_DECOYS = 32;

/** What a frame is checked with. */
export interface FramedDocument {
  document: JsonObject;
  /** Members of the document that are always disclosed. */
  alwaysDisclosed: readonly string[];
}

/**
 * Checks that a document can be selectively disclosed as a frame says. The members of `fields` name those of an object;
 * for a list they are positions, from `0`. @throws DomainError `BadRequest` naming the member of the frame
 */
export function checkDisclosure(frame: DisclosureFrame, { document, alwaysDisclosed }: FramedDocument): void {
  let digests = 0;
  checkLevel(frame, document, ['fields']);

  function checkLevel(
    { fields, decoys = 0, decoyMode = 'NONE' }: DisclosureFrame,
    value: unknown,
    path: FieldPath,
  ): void {
    const level = path.slice(0, -1);
    if (!Number.isInteger(decoys) || decoys < 0 || decoys > MAX_DECOYS)
      throw invalidField([...level, 'decoys'], `must be a whole number from 0 to ${MAX_DECOYS}`);
    count(decoyMode === 'NONE' ? 0 : decoys, level);
    for (const [name, { sd, children }] of Object.entries(fields)) {
      const here = [...path, name];
      const isTop = level.length === 0;
      if (isTop && sd && alwaysDisclosed.includes(name)) throw invalidField(here, 'is always disclosed');
      const child = childOf(value, name);
      if (child === undefined)
        throw invalidField(here, 'names no member of the credential that its credentialData and mapping make');
      count(sd ? 1 : 0, here);
      if (!children) continue;
      if (typeof child !== 'object' || child === null)
        throw invalidField([...here, 'children'], 'the credential has neither an object nor a list here');
      checkLevel(children, child, [...here, 'children', 'fields']);
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
 * Checks the member names of a document that is to be selectively disclosed: not those of RFC 9901, the empty name, or a
 * name that every JavaScript object inherits, which the packing library loses. @throws DomainError `BadRequest`
 */
export function checkClaimNames(document: JsonObject): void {
  checkNames(document, []);
}

function checkNames(value: unknown, path: FieldPath): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) checkNames(item, [...path, index]);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (isUnusable(name))
      throw invalidField([...path, name], 'is no name for a claim that can be selectively disclosed');
    checkNames(member, [...path, name]);
  }
}

const isUnusable = (name: string): boolean =>
  SD_JWT_NAMES.has(name) || name === '' || name === '_sd_decoy' || name in {};
