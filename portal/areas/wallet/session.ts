import { api, ask, type Outcome, wasLoggedIn } from '../../shell/api.ts';

/** The wallet of the account that is logged in; the cookie says who that is. */
async function walletId(): Promise<Outcome<string>> {
  const listed = await ask(api.GET('/wallet-api/wallet/accounts/wallets'));
  if (!listed.ok) return listed;
  wasLoggedIn.wallet.value = true;
  const [first] = listed.data.wallets;
  return first ? { ok: true, data: first.id } : { ok: false, failure: { kind: 'refused', status: 404 } };
}

/** A call that needs the wallet. */
export async function inWallet<T>(call: (wallet: string) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const wallet = await walletId();
  return wallet.ok ? call(wallet.data) : wallet;
}

/** How links of offers and requests are posted. */
export const LINK_BODY = {
  headers: { 'content-type': 'text/plain' },
  bodySerializer: (link: string) => link,
};

export const readDids = () =>
  inWallet((wallet) => ask(api.GET('/wallet-api/wallet/{wallet}/dids', { params: { path: { wallet } } })));
