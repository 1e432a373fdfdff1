import type { PageQuery } from '../../limits/pagination.ts';
import type { Rights } from '../access/permissions.ts';
import type { Target } from '../access/targets.ts';
import type { ResourceQuery } from './resource-repository.ts';

/** The parameters of a list, as texts: those of its page, and which of its elements are wanted. */
type ListTexts = PageQuery &
  Readonly<Partial<Record<'reference' | 'recipient' | 'type' | 'state' | 'from' | 'to', string>>>;

/** Which page is requested. */
export interface PageRequest {
  target: Target;
  /** Reads the parameters of the page, after authorization. */
  query<T>(read: (texts: ListTexts) => T): Promise<T>;
}

/** Which page is requested, and what its caller may do. */
export interface ListRequest extends PageRequest {
  rights: Rights;
}

/** A page to read; `type` is that of the resource at the target. */
export type ListQuery = ResourceQuery & { type: string };
