import { randomUUID } from 'node:crypto';
import type { Answer, Call, TestServer } from '../support/servers/server.ts';

/** A logged-in user of the wallet service with one wallet. */
export interface WalletUser {
  wallet: string;
  token: string;
  /** The default DID. */
  did: string;
  call(operationId: string, call?: Call): Promise<Answer>;
}

/** Registers and logs in a new user; `call` adds the wallet and the token. */
export async function newWalletUser(server: TestServer): Promise<WalletUser> {
  const credentials = { type: 'email', email: `${randomUUID()}@example.org`, password: 'a long enough password' };
  await server.call('registerAccount', { json: { ...credentials, name: 'Ada' } });
  const { token } = (await server.call('loginAccount', { json: credentials })).body;
  const wallet: string = (await server.call('listAccountWallets', { token })).body.wallets[0].id;
  const call = (operationId: string, { path, ...rest }: Call = {}): Promise<Answer> =>
    server.call(operationId, { token, ...rest, path: { wallet, ...path } });
  const did: string = (await call('listWalletDids')).body[0].did;
  return { wallet, token, did, call };
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
