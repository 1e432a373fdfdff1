import type { VicalCheck } from '../../../domain/trust/vical-check.ts';
import { type Handlers, replyToBody } from '../messages/operations.ts';

/** The operations on VICALs. */
export const vicalHandlers = (check: VicalCheck): Handlers<'vical'> => ({
  fetchVical: replyToBody(200, async ({ body }) => ({ vicalBase64: await check.fetch(body.vicalUrl) })),
  validateVical: replyToBody(200, ({ body }) => check.validate(body)),
});
