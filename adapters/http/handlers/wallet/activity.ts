import { readMdocText } from '../../../../domain/credentials/mdoc-text.ts';
import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import { type LoggedActivity, readActivityQuery } from '../../../../domain/holdings/activity-query.ts';
import { REJECTION_REASONS } from '../../../../domain/holdings/rejection-reasons.ts';
import { readPage } from '../../../../domain/limits/pagination.ts';
import type { WalletIssuer } from '../../../../domain/wallet/issuance/wallet-issuers.ts';
import { done, type Handlers, reply } from '../../messages/operations.ts';
import { credentialView } from './credentials.ts';
import type { WalletInput } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-activity'>>;

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
  }) satisfies Part;

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

/** What front ends store, and what they let a user choose from. */
export const settingHandlers = ({ settings }: WalletServices) =>
  ({
    getWalletSettings: reply(200, async ({ walletId }) => ({ settings: await settings.get(walletId) })),
    setWalletSettings: done(202, ({ walletId, body }) => at(['body'], () => settings.replace(walletId, body))),
    listRejectionReasons: reply(200, () => [...REJECTION_REASONS]),
  }) satisfies Part;

/** The issuers of wallets, what issuers publish, and how mdocs are shown. */
export const issuerHandlers = ({ walletIssuers: issuers, types, mdocs }: WalletServices) =>
  ({
    listWalletIssuers: reply(200, async ({ walletId }) =>
      (await issuers.list(walletId)).map((issuer) => issuerView(walletId, issuer)),
    ),
    addWalletIssuer: done(201, ({ walletId, body: { uiEndpoint = '', configurationEndpoint = '', ...rest } }) =>
      at(['body'], () => issuers.add(walletId, { ...rest, uiEndpoint, configurationEndpoint })),
    ),
    getWalletIssuer: reply(200, async ({ walletId, path }) =>
      issuerView(walletId, await issuers.get(walletId, path.issuer)),
    ),
    authorizeWalletIssuer: done(202, ({ walletId, path }) => issuers.authorize(walletId, path.issuer)),
    listIssuerCredentials: async ({ walletId, path }) => {
      const { issuer, credentials } = await at(['path', 'issuer'], () => issuers.credentials(walletId, path.issuer));
      return { status: 200, body: { issuer: issuerView(walletId, issuer), credentials } };
    },
    resolveTypeMetadata: async ({ query }) => {
      const { vct, 'vct#integrity': integrity } = query;
      const place = { vct: ['query', 'vct'], integrity: ['query', 'vct#integrity'] };
      return { status: 200, body: await at(place, () => types.resolve({ vct, integrity })) };
    },
    parseMdoc: reply(200, ({ body }) => at(['body'], async () => mdocs.parse(readMdocText(body)))),
  }) satisfies Part;

/** An issuer as existing clients read it: its name is `did`. */
const issuerView = (wallet: string, { name, ...issuer }: WalletIssuer) => ({ wallet, did: name, ...issuer });
