import type { Codec } from '../../domain/foundation/bodies.ts';
import type { Clock } from '../../ports/system.ts';
import type { Keys } from './keys.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Dependencies of a collection. */
export interface CollectionParts<T> {
  name: string;
  link: RedisConnection;
  keys: Keys;
  clock: Clock;
  codec: Codec<T>;
}
