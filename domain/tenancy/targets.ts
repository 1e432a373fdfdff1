import { DomainError, invalidField } from '../foundation/errors.ts';

const SEGMENT = /^[A-Za-z0-9_-]{1,128}$/;
const MAX_SEGMENTS = 16;
const MAX_LENGTH = 1024;

/** The path of something in the tree `organization.tenant(.tenant)*.service.child`; checked (decisions §8). */
export type Target = string;

/** Whether a text is a target. */
export const isTarget = (text: string): boolean => isPath(text, (segment) => SEGMENT.test(segment));

/** Whether a text is a target in which `*` may stand for any one segment. */
export const isTargetPattern = (text: string): boolean =>
  isPath(text, (segment) => segment === '*' || SEGMENT.test(segment));

function isPath(text: string, fits: (segment: string) => boolean): boolean {
  const segments = segmentsOf(text);
  return text.length <= MAX_LENGTH && segments.length <= MAX_SEGMENTS && segments.every(fits);
}

/** @throws DomainError `BadRequest` naming the target */
export function readTarget(text: string, path = '/path/target'): Target {
  if (!isTarget(text))
    throw invalidField(path, `must be at most ${MAX_SEGMENTS} names of A-Z, a-z, 0-9, - and _ joined by dots`);
  return text;
}

export const segmentsOf = (target: Target): string[] => target.split('.');

/** The target above; '' above an organization. */
export const parentOf = (target: Target): Target => target.slice(0, Math.max(0, target.lastIndexOf('.')));

/** The last segment. */
export const nameOf = (target: Target): string => target.slice(target.lastIndexOf('.') + 1);

/** The target of a child; organizations are the children of ''. */
export const childOf = (parent: Target, name: string): Target => (parent === '' ? name : `${parent}.${name}`);

/** The one answer for what does not exist, is of another kind, or is not for the caller to know of. */
export const nothingAt = (target: Target): DomainError =>
  new DomainError('NotFound', `There is nothing of this kind at ${target.slice(0, 200)}, or it is not yours to see`);
