import { RevocationCheck } from '../domain/status/revocation-check.ts';
import type { Platform } from './platform.ts';

/** The status check. */
export const statusServices = (platform: Platform): RevocationCheck => new RevocationCheck(platform);
