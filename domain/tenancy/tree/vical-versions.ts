import { childOf, nameOf, parentOf, type Target } from '../access/targets.ts';

/** The segment between a service and its versions in the path of a version (reference: VICAL service). */
const FOLDER = 'versions';

/** The path of a version, by its target. */
export const versionPath = (version: Target): Target => childOf(childOf(parentOf(version), FOLDER), nameOf(version));

/** The target of a version, by its path; undefined for what is no such path. */
export function versionAt(path: Target): Target | undefined {
  const folder = parentOf(path);
  return nameOf(folder) === FOLDER ? childOf(parentOf(folder), nameOf(path)) : undefined;
}
