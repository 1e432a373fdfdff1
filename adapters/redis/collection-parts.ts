import type { Clock } from '../../ports/system.ts';
import type { Keys } from './keys.ts';
import type { RedisLink } from './redis-link.ts';

/** What a collection needs of its database. */
export interface CollectionParts {
  name: string;
  link: RedisLink;
  keys: Keys;
  clock: Clock;
}
