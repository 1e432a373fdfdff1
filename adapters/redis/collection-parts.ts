import type { Clock } from '../../ports/system.ts';
import type { Keys } from './keys.ts';
import type { RedisConnection } from './redis-connection.ts';

/** What a collection needs of its database. */
export interface CollectionParts {
  name: string;
  link: RedisConnection;
  keys: Keys;
  clock: Clock;
}
