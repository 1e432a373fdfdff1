import { IssuedTokens } from '../domain/status/issued-tokens.ts';
import { StatusListSource } from '../domain/status/list-source.ts';
import { RevocationCheck } from '../domain/status/revocation-check.ts';
import type { Platform } from './platform.ts';

/** The status check. */
export function statusServices(platform: Platform): RevocationCheck {
  const { minimumListBits } = platform.settings.status;
  const tokens = new IssuedTokens(platform.dids, platform.signatures);
  const lists = new StatusListSource({ ...platform, tokens });
  return new RevocationCheck({ lists, tokens, minimumListBits });
}
