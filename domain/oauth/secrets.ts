import type { Random } from '../../ports/system.ts';
import { base64url, fingerprint } from '../foundation/bytes.ts';

/** 256 random bits as base64url: codes, access tokens and nonces. */
export const newSecret = (random: Random): string => base64url(random.bytes(32));

/** The id of a secret's record: a SHA-256, so no store has the secret, and that of another issuer differs. */
export const secretId = (issuerId: string, secret: string): string => fingerprint(`${issuerId}\n${secret}`);
