import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import { type LoggedActivity, readActivityQuery } from '../../../../domain/holdings/activity-query.ts';
import { readPage } from '../../../../domain/limits/pagination.ts';
import { type Handlers, reply } from '../../messages/operations.ts';
import { credentialView } from './credentials.ts';
import type { WalletInput } from './input.ts';
import type { WalletServices } from './services.ts';

/** How many events are on a page. */
const PAGES = { defaultLimit: 100, maxLimit: 1000, sortable: false };
const HISTORY = 10;
/** How many credentials a report has. */
const REPORTS = { defaultLimit: 10, maxLimit: 100, sortable: false };

/** What happened in wallets. */
export const activityHandlers = ({ activity, credentials }: Pick<WalletServices, 'activity' | 'credentials'>) =>
  ({
    listWalletEvents: async (input) => {
      const { walletId } = input;
      const { limit } = await input.query(({ limit }) => readPage({ limit }, PAGES));
      const texts = await input.query();
      const query = at(['query'], () => readActivityQuery(texts));
      const { items, next } = await activity.page(walletId, { ...query, limit });
      const isStart = query.skip === 0 && query.after === undefined;
      return {
        status: 200,
        body: {
          items: items.map((item) => eventView(item, input)),
          count: items.length,
          ...(!isStart && { currentStartingAfter: texts.startingAfter }),
          ...(next !== undefined && { nextStartingAfter: next }),
        },
      };
    },
    deleteWalletEvent: reply(202, async ({ walletId, path }) =>
      (await activity.remove(walletId, path.id.toLowerCase())) ? 1 : 0,
    ),
    listWalletHistory: reply(200, async (input) =>
      (await activity.latest(input.walletId, HISTORY)).map((item) => operationView(item, input)),
    ),
    listFrequentCredentials: async ({ walletId, query }) => {
      const { limit } = await query(({ limit }) => readPage({ limit }, REPORTS));
      const usable = new Map((await credentials.usable(walletId)).map((credential) => [credential.id, credential]));
      const presented = await activity.presentedMost(walletId);
      const frequent = presented.flatMap((id) => usable.get(id) ?? []).slice(0, limit);
      return { status: 200, body: frequent.map((credential) => credentialView(walletId, credential)) };
    },
  }) satisfies Partial<Handlers<'wallet-activity'>>;

/** An event as existing clients read it; its account is that of the wallet. */
const eventView = (
  { at: time, credentialId, note, ...activity }: LoggedActivity,
  { caller, walletId }: WalletInput,
) => ({
  ...activity,
  timestamp: isoMillis(time),
  tenant: '' as const,
  account: caller.accountId,
  wallet: walletId,
  ...(credentialId !== undefined && { credentialId }),
  ...(note !== undefined && { note }),
});

const operationView = ({ id, at: time, event, action, data }: LoggedActivity, { caller, walletId }: WalletInput) => ({
  tenant: '' as const,
  id,
  account: caller.accountId,
  wallet: walletId,
  timestamp: isoMillis(time),
  operation: `${event} ${action}`,
  data,
});
