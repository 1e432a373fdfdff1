import { at } from '../../../../domain/foundation/errors.ts';
import { REJECTION_REASONS } from '../../../../domain/holdings/rejection-reasons.ts';
import type { Handlers } from '../../messages/operations.ts';
import type { WalletRecordServices } from './records.ts';

/** What front ends store, and what they let a user choose from. */
export const settingHandlers = ({ settings }: WalletRecordServices) =>
  ({
    getWalletSettings: async (input) => {
      const { walletId } = input;
      return { status: 200, body: { settings: await settings.get(walletId) } };
    },
    setWalletSettings: async (input) => {
      const { walletId } = input;
      await at(['body'], () => settings.replace(walletId, input.body));
      return { status: 202 };
    },
    listRejectionReasons: async () => ({ status: 200, body: [...REJECTION_REASONS] }),
  }) satisfies Partial<Handlers<'wallet-activity'>>;
