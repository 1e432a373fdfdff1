import { at } from '../../../domain/foundation/errors.ts';
import type { VicalCheck } from '../../../domain/trust/vical-check.ts';
import type { Handlers } from '../messages/operations.ts';

/** The operations on VICALs. */
export const vicalHandlers = (check: VicalCheck): Handlers<'vical'> => ({
  fetchVical: async ({ body }) => ({
    status: 200,
    body: { vicalBase64: await at(['body'], () => check.fetch(body.vicalUrl)) },
  }),
  validateVical: async ({ body }) => ({ status: 200, body: await at(['body'], () => check.validate(body)) }),
});
