import { at } from '../../../domain/foundation/errors.ts';
import type { CredentialRevocation } from '../../../domain/status/credential-revocation.ts';
import type { RevocationCheck } from '../../../domain/status/revocation-check.ts';
import type { StatusTokens } from '../../../domain/status/status-tokens.ts';
import { type Handlers, NO_STORE } from '../messages/operations.ts';
import { publishedList, type StatusListServices } from './status-lists.ts';

/** What the handlers of the document `status` need. */
export interface StatusServices extends StatusListServices {
  check: RevocationCheck;
  revocation: CredentialRevocation;
  tokens: StatusTokens;
}

/** The operations of the status check. */
export const statusHandlers = ({ check, revocation, tokens, ...lists }: StatusServices): Handlers<'status'> => ({
  checkRevocation: async ({ body }) => ({ status: 200, body: await at(['body'], () => check.check(body)) }),
  revokeCredential: async ({ body }) => {
    await at(['body'], () => revocation.revoke(body));
    return { status: 200, body: '' };
  },
  getStatusCredential: ({ path }) => publishedList(lists, path),
  getStatusToken: async ({ path }) => ({ status: 200, headers: NO_STORE, body: await tokens.get(path.id) }),
});
