import type { Clock } from '../../ports/system.ts';
import type { Keys } from './keys.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Dependencies of a collection. */
export interface CollectionParts {
  name: string;
  link: RedisConnection;
  keys: Keys;
  clock: Clock;
}
