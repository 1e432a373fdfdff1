import type { EntryState } from '../../credentials/status-entries.ts';
import type { OfferFile } from '../sessions/managed-session.ts';

/** The record of what a session issued: no data of the credential, and neither its holder nor its keys. */
export interface IssuedRecord extends OfferFile {
  sessionId: string;
  profileId?: string;
  configurationId: string;
  /** The version of the credential type that the offer was made in. */
  typeVersion?: number;
  format: string;
  /** How many credentials were made, one for each key. */
  credentials: number;
  /** What the status lists of its entries belong to; absent when the credentials have none. */
  statusLists?: string;
  /** That of its entries together; `valid` without any. */
  state: EntryState;
}
