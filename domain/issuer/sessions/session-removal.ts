import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceContents } from './issuance-contents.ts';
import { countContents } from './item-plan.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';

/** Removes the sessions of an issuer that does not exist any more, with the data of the credentials that they offer. */
export class SessionRemoval {
  constructor(
    private readonly parts: {
      sessions: IssuanceSessionRepository;
      contents: IssuanceContents;
    },
  ) {}

  /** Codes and tokens of the sessions lead nowhere then, and expire. */
  removeAll(issuer: Pick<CredentialIssuer, 'target' | 'version'>): Promise<void> {
    const { sessions, contents } = this.parts;
    return sessions.removeAll(issuer, ({ id, contentsId = id, plan }) =>
      contents.remove(contentsId, [...Array(countContents(plan)).keys()]),
    );
  }
}
