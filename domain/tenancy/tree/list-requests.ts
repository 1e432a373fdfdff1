import type { PageQuery } from '../../limits/pagination.ts';
import type { Target } from '../access/targets.ts';
import type { ResourceQuery } from './resource-repository.ts';

/** Who requests which page. */
export interface ListRequest {
  caller: string;
  target: Target;
  /** Reads the parameters of the page, after authorization. */
  query<T>(read: (query: PageQuery) => T): Promise<T>;
}

/** A page to read; `type` is that of the resource at the target. */
export type ListQuery = ResourceQuery & { type: string };
