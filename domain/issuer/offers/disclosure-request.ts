import type { DisclosureFrame } from '../../../ports/credential-formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';

const MAX_DEPTH = 16;
const MODES = ['NONE', 'FIXED', 'RANDOM'] as const;

/** Reads which members a holder may withhold, at every depth. @throws DomainError `BadRequest` naming the member that is wrong */
export function readDisclosure(frame: unknown, depth = 0): DisclosureFrame {
  if (depth === MAX_DEPTH) throw invalidField([], `may not be nested deeper than ${MAX_DEPTH}`);
  if (!isObject(frame)) throw invalidField([], 'must be an object');
  const { fields, decoyMode, decoys, ...unknown } = frame;
  checkKnown(unknown);
  if (!isObject(fields)) throw invalidField(['fields'], 'must be an object');
  const mode = MODES.find((name) => name === decoyMode);
  if (decoyMode !== undefined && !mode) throw invalidField(['decoyMode'], `must be one of ${MODES.join(', ')}`);
  if (decoys !== undefined && typeof decoys !== 'number') throw invalidField(['decoys'], 'must be a whole number');
  const entries = Object.entries(fields).map(([name, field]): [string, DisclosureFrame['fields'][string]] => [
    name,
    at(['fields', name], () => readField(field, depth)),
  ]);
  return { fields: Object.fromEntries(entries), decoyMode: mode, decoys };
}

function readField(field: unknown, depth: number): DisclosureFrame['fields'][string] {
  if (!isObject(field)) throw invalidField([], 'must be an object');
  const { sd, children, ...unknown } = field;
  checkKnown(unknown);
  if (typeof sd !== 'boolean') throw invalidField(['sd'], 'must be true or false');
  return children === undefined
    ? { sd }
    : { sd, children: at(['children'], () => readDisclosure(children, depth + 1)) };
}

function checkKnown(unknown: JsonObject): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw invalidField([name], 'is not known here');
}
