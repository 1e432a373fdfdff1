import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import type { TestServer } from '../servers/server.ts';
import type { PortalPage } from './browser.ts';

/** Logs a new user of the wallet in on a page, and opens another page of the portal there. */
export async function holderOn(page: PortalPage, server: TestServer, path = '/wallet'): Promise<WalletUser> {
  const holder = await newWalletUser(server);
  await page.context().addCookies([{ name: 'login', value: holder.token, url: server.url, httpOnly: true }]);
  await page.goto(`${server.url}/#${path}`);
  return holder;
}

/** The page that receives an offer, or answers a request. */
export const receiving = (offer: string): string => `/wallet/receive?${new URLSearchParams({ offer })}`;
export const presenting = (request: string): string => `/wallet/present?${new URLSearchParams({ request })}`;
