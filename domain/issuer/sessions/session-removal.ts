import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceContents } from './issuance-contents.ts';
import { countContents } from './item-plan.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';

interface SessionRemovalParts {
  sessions: IssuanceSessionRepository;
  contents: IssuanceContents;
}

/** Removes the sessions of an issuer that does not exist any more, with the data of the credentials that they offer. */
export class SessionRemoval {
  readonly #parts: SessionRemovalParts;

  constructor(parts: SessionRemovalParts) {
    this.#parts = parts;
  }

  /** Codes and tokens of the sessions lead nowhere then, and expire. */
  removeAll(issuer: Pick<CredentialIssuer, 'target' | 'version'>): Promise<void> {
    const { sessions, contents } = this.#parts;
    return sessions.removeAll(issuer, ({ id, contentsId = id, plan }) =>
      contents.remove(contentsId, [...Array(countContents(plan)).keys()]),
    );
  }
}
