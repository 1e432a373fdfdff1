import { fingerprint } from '../../foundation/bytes.ts';
import type { IssuanceSession } from './issuance-session.ts';

/** The largest time in an id, in milliseconds since the epoch: the year 2286. */
const LAST = 9_999_999_999_999;

const timeIn = (ms: number): string => String(Math.min(Math.max(LAST - ms, 0), LAST)).padStart(13, '0');

/**
 * The id of the record of what a session issued, once a wallet asked for its credential: the same for each attempt, another one for a
 * later session with the same id. Ids in their order begin with the latest.
 */
export const recordIdOf = ({ id, requestedAt = 0 }: Pick<IssuanceSession, 'id' | 'requestedAt'>): string =>
  `${timeIn(requestedAt)}-${fingerprint(id).slice(0, 16)}`;

/** When the credential of a record was asked for, in milliseconds since the epoch. */
export const issuedAt = (id: string): number => LAST - Number(id.slice(0, 13));

/** What follows all ids of this time, and precedes those of earlier ones. */
export const behind = (ms: number): string => `${timeIn(ms)}~`;
