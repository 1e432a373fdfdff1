import { DomainError } from '../../foundation/errors.ts';

/** One name of a target. The same rule is a pattern of `Target` in openapi/enterprise.yaml. */
const SEGMENT = /^[A-Za-z0-9_-]{1,128}$/;
const MAX_SEGMENTS = 16;
const MAX_LENGTH = 1024;

/** The path of a resource in the tree `organization.tenant(.tenant)*.service.child` (decisions §8); checked at the edge. */
export type Target = string;

/** Whether a text is a target. */
export const isTarget = (text: string): boolean => isPath(text, (segment) => SEGMENT.test(segment));

/** Whether a text is a target in which `*` may replace any segment. */
export const isTargetPattern = (text: string): boolean =>
  isPath(text, (segment) => segment === '*' || SEGMENT.test(segment));

function isPath(text: string, fits: (segment: string) => boolean): boolean {
  const segments = segmentsOf(text);
  return text.length <= MAX_LENGTH && segments.length <= MAX_SEGMENTS && segments.every(fits);
}

export const segmentsOf = (target: Target): string[] => target.split('.');

/** The target above; '' above an organization. */
export const parentOf = (target: Target): Target => target.slice(0, Math.max(0, target.lastIndexOf('.')));

/** The last segment. */
export const nameOf = (target: Target): string => target.slice(target.lastIndexOf('.') + 1);

/** The target of a child; organizations are the children of ''. */
export const childOf = (parent: Target, name: string): Target => (parent === '' ? name : `${parent}.${name}`);

/** A target and all above it, the nearest first. */
export const lineOf = (target: Target): Target[] => (target === '' ? [] : [target, ...lineOf(parentOf(target))]);

/** Whether a target is `above`, or lies below it. */
export const isAtOrBelow = (target: Target, above: Target): boolean =>
  target === above || target.startsWith(`${above}.`);

/** The key of the record at a target: its parent and its name. */
export const recordKeyOf = (target: Target): { parent: Target; id: string } => ({
  parent: parentOf(target),
  id: nameOf(target),
});

/** The same answer for a target without a resource, with one of another type, and with one that the caller may not see. */
export const nothingAt = (target: Target): DomainError =>
  new DomainError('NotFound', `No resource of this type is visible at ${target.slice(0, 200)}`);
