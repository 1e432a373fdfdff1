import { at } from '../../domain/foundation/errors.ts';
import type { RevocationCheck } from '../../domain/status/revocation-check.ts';
import type { Handlers } from './operations.ts';

/** The operations of the status check. */
export const statusHandlers = (check: RevocationCheck): Handlers<'status'> => ({
  checkRevocation: async ({ body }) => ({ status: 200, body: await at(['body'], () => check.check(body)) }),
});
