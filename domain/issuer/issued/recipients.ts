import { DomainError, ignoring } from '../../foundation/errors.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { recordIdOf } from '../sessions/record-id.ts';
import type { IssuanceSessionRepository } from '../sessions/session-repository.ts';
import type { IssuedRecords } from './issued-records.ts';

type Issuer = Pick<CredentialIssuer, 'id' | 'target' | 'version'>;

/**
 * Forgets for whom credentials are, in sessions and in records of what was issued. A session forgets first, and not while a
 * wallet gets its credential: no record is written with the recipient after that.
 */
export class Recipients {
  constructor(
    private readonly parts: {
      sessions: Pick<IssuanceSessionRepository, 'get' | 'removeRecipient'>;
      issuedRecords: Pick<IssuedRecords, 'get' | 'removeRecipient'>;
    },
  ) {}

  /** Forgets the recipient of a session. @throws DomainError `NotFound`, `Busy` */
  async ofSession(issuer: Issuer, sessionId: string): Promise<void> {
    const { sessions, issuedRecords } = this.parts;
    const session = await sessions.removeRecipient(issuer, sessionId);
    if (session.requestedAt !== undefined)
      await issuedRecords.removeRecipient({ parent: issuer.id, id: recordIdOf(session) });
  }

  /** Forgets the recipient of a record, whose session may be gone. @throws DomainError `NotFound`, `Busy` */
  async ofRecord(issuer: Issuer, id: string): Promise<void> {
    const { sessions, issuedRecords } = this.parts;
    const key = { parent: issuer.id, id };
    const record = await issuedRecords.get(key);
    if (!record) throw new DomainError('NotFound', 'There is no such entry');
    const { sessionId } = record.value;
    const session = (await sessions.get(issuer, sessionId))?.value;
    if (session && recordIdOf(session) === id)
      await sessions.removeRecipient(issuer, sessionId).catch(ignoring('NotFound'));
    await issuedRecords.removeRecipient(key);
  }
}
