import { IssuedStatements } from '../domain/status/issued-statements.ts';
import { StatusListSource } from '../domain/status/list-source.ts';
import { RevocationCheck } from '../domain/status/revocation-check.ts';
import type { Platform } from './platform.ts';

/** The status check. */
export function statusServices(platform: Platform): RevocationCheck {
  const { minimumListBits } = platform.settings.status;
  const statements = new IssuedStatements(platform);
  const lists = new StatusListSource({ ...platform, statements });
  return new RevocationCheck({ lists, statements, minimumListBits });
}
