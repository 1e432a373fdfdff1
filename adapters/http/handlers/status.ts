import { at } from '../../../domain/foundation/errors.ts';
import type { CredentialRevocation } from '../../../domain/status/credential-revocation.ts';
import type { RevocationCheck } from '../../../domain/status/revocation-check.ts';
import type { StatusTokens } from '../../../domain/status/status-tokens.ts';
import { type Handlers, replyToBody, replyUncached } from '../messages/operations.ts';
import { publishedList, type StatusListServices } from './status-lists.ts';

/** What the handlers of the document `status` need. */
export interface StatusServices extends StatusListServices {
  check: RevocationCheck;
  revocation: CredentialRevocation;
  tokens: StatusTokens;
}

/** The operations of the status check. */
export const statusHandlers = ({ check, revocation, tokens, ...lists }: StatusServices): Handlers<'status'> => ({
  checkRevocation: replyToBody(200, ({ body }) => check.check(body)),
  revokeCredential: async ({ body }) => {
    await at(['body'], () => revocation.revoke(body));
    return { status: 200, body: '' };
  },
  getStatusCredential: ({ path }) => publishedList(lists, path),
  getStatusToken: replyUncached(200, ({ path }) => tokens.get(path.id)),
});
