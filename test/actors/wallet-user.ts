import { randomUUID } from 'node:crypto';
import { WalletUser as ServiceUser } from '../../demo/actors/wallet-user.ts';
import type { Answer, Call, TestServer } from '../support/servers/server.ts';

/** A user of a test server. */
export type WalletUser = ServiceUser<Answer, Call>;

/** Registers and logs in a new user; `call` adds the wallet and the token. */
export async function newWalletUser(server: TestServer): Promise<WalletUser> {
  const credentials = { type: 'email', email: `${randomUUID()}@example.org`, password: 'a long enough password' };
  await server.call('registerAccount', { json: { ...credentials, name: 'Ada' } });
  const { token } = (await server.call('loginAccount', { json: credentials })).body;
  return ServiceUser.open<Answer, Call>(server, token);
}

/** Resets a wallet to its first key and DID and no credentials. */
export async function resetWallet({ did, call }: WalletUser): Promise<void> {
  const query = { showDeleted: 'true', showPending: 'true' };
  for (const { id: credentialId } of (await call('listWalletCredentials', { query })).body)
    await call('deleteWalletCredential', { path: { credentialId }, query: { permanent: 'true' } });
  const dids: { did: string; keyId: string }[] = (await call('listWalletDids')).body;
  for (const other of dids) if (other.did !== did) await call('deleteWalletDid', { path: { did: other.did } });
  const first = dids.find((entry) => entry.did === did)?.keyId;
  for (const { keyId } of (await call('listWalletKeys')).body)
    if (keyId.id !== first) await call('deleteWalletKey', { path: { keyId: keyId.id } });
  await call('setDefaultWalletDid', { query: { did } });
}
