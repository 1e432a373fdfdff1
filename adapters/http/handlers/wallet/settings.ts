import { at } from '../../../../domain/foundation/errors.ts';
import { REJECTION_REASONS } from '../../../../domain/holdings/rejection-reasons.ts';
import { done, type Handlers, reply } from '../../messages/operations.ts';
import type { WalletRecordServices } from './records.ts';

/** What front ends store, and what they let a user choose from. */
export const settingHandlers = ({ settings }: WalletRecordServices) =>
  ({
    getWalletSettings: reply(200, async ({ walletId }) => ({ settings: await settings.get(walletId) })),
    setWalletSettings: done(202, ({ walletId, body }) => at(['body'], () => settings.replace(walletId, body))),
    listRejectionReasons: reply(200, () => [...REJECTION_REASONS]),
  }) satisfies Partial<Handlers<'wallet-activity'>>;
