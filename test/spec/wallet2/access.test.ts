import { expect } from 'chai';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { newWallet2User, type Wallet2Caller, WITHOUT_ACCOUNTS } from '../../actors/wallet2.ts';
import { contract, operationOf } from '../../support/documents/contract.ts';
import { documentedCall } from '../../support/documents/operation-calls.ts';
import { type Call, useServer } from '../../support/servers/server.ts';

const NO_WALLET = '00000000-0000-4000-8000-000000000000';

/** Every operation of wallet API 2, by who may call it. */
const OPERATIONS: Record<string, 'of a wallet' | 'of an account' | 'open' | 'of the operator'> = {
  createWallet: 'of an account',
  listWallets: 'of an account',
  describeWallet: 'of a wallet',
  deleteWallet: 'of a wallet',
  listNamedStores: 'of the operator',
  createNamedStore: 'of the operator',
  listWallet2Keys: 'of a wallet',
  generateWallet2Key: 'of a wallet',
  importWallet2Key: 'of a wallet',
  getWallet2Key: 'of a wallet',
  deleteWallet2Key: 'of a wallet',
  setDefaultWallet2Key: 'of a wallet',
  listWallet2Dids: 'of a wallet',
  createWallet2Did: 'of a wallet',
  importWallet2Did: 'of a wallet',
  getWallet2Did: 'of a wallet',
  deleteWallet2Did: 'of a wallet',
  setDefaultWallet2Did: 'of a wallet',
  listWallet2Credentials: 'of a wallet',
  importWallet2Credential: 'of a wallet',
  getWallet2Credential: 'of a wallet',
  deleteWallet2Credential: 'of a wallet',
  receiveCredentials: 'of a wallet',
  resolveOffer: 'of a wallet',
  resolveOfferBatch: 'of a wallet',
  listPendingCredentials: 'of a wallet',
  resumePendingCredential: 'of a wallet',
  requestToken: 'of a wallet',
  requestNonce: 'of a wallet',
  signProof: 'of a wallet',
  fetchCredential: 'of a wallet',
  collectDeferred: 'of a wallet',
  createAuthorizationUrl: 'of a wallet',
  createAuthorizationUrlBatch: 'of a wallet',
  exchangeCode: 'of a wallet',
  receiveAuthorized: 'of a wallet',
  receiveAuthorizedBatch: 'of a wallet',
  presentToVerifier: 'of a wallet',
  presentGivenCredentials: 'of a wallet',
  resolveRequest: 'of a wallet',
  matchGivenCredentials: 'of a wallet',
  matchStoredCredentials: 'of a wallet',
  previewRequest: 'of a wallet',
  buildVpToken: 'of a wallet',
  sendResponse: 'of a wallet',
  rejectRequest: 'of a wallet',
  registerWallet2Account: 'open',
  loginWallet2Account: 'open',
  logoutWallet2Account: 'open',
  getWallet2Account: 'of an account',
  listWallet2AccountWallets: 'of an account',
  linkWallet2AccountWallet: 'of an account',
};

describe('who may call wallet API 2', () => {
  const server = useServer();
  const open = useServer({ settings: WITHOUT_ACCOUNTS });
  let ada: Wallet2Caller;
  let bob: Wallet2Caller;
  let own: string;
  let user: WalletUser;
  before(async () => {
    [ada, bob] = [await newWallet2User(server), await newWallet2User(server)];
    own = (await ada.create()).walletId;
    user = await newWalletUser(open);
  });

  it('is decided for each of its operations', async () => {
    const ids = (await contract).operations.filter(({ document }) => document.startsWith('wallet2'));
    expect(Object.keys(OPERATIONS)).to.have.members(ids.map(({ operationId }) => operationId));
  });

  for (const [operationId, access] of Object.entries(OPERATIONS))
    describe(operationId, () => {
      let operation: Operation;
      before(async () => {
        operation = await operationOf(operationId);
      });
      const callOn = (wallet: string): Call => documentedCall(operation, { wallet });
      const on = access === 'of the operator' ? open : server;
      const call = (more: Call) => on.call(operationId, { token: ada.token, ...callOn(own), ...more });

      if (access === 'of a wallet' || access === 'of an account')
        it('401: refuses a caller without a login', async () => {
          const answer = await server.call(operationId, callOn(own));
          expect([answer.status, answer.body.id]).to.deep.equal([401, 'LoginRequired']);
        });

      if (access === 'of a wallet') {
        it('403: the answers for a wallet of another account and one that does not exist are the same', async () => {
          const answers = [];
          for (const wallet of [own, NO_WALLET]) answers.push(await bob.call(operationId, callOn(wallet)));
          const [foreign, unknown] = answers.map(({ body: { requestId: _, ...body } }) => body);
          expect([foreign.id, unknown]).to.deep.equal(['Forbidden', foreign]);
        });

        it('404: without accounts a wallet that does not exist, or is of an account, is not found', async () => {
          for (const wallet of [NO_WALLET, user.wallet])
            expect((await open.call(operationId, callOn(wallet))).status).to.equal(404);
        });
      }

      it('400: refuses an unknown query parameter', async () => {
        const answer = await call({ query: { colour: 'red' } });
        expect([answer.status, answer.body.details[0].path]).to.deep.equal([400, '/query/colour']);
      });

      it('403: refuses the cookie of a browser that another page uses, where it changes something', async () => {
        if (operation.method === 'GET' || (access === 'open' && operation.authentication === 'none')) return;
        const headers = { ...callOn(own).headers, origin: 'https://elsewhere.example' };
        const cookie = access === 'of the operator' ? undefined : `login=${ada.token}`;
        expect((await call({ headers, cookie, token: undefined })).status).to.equal(403);
      });

      it('400, 413, 415: refuses what is no JSON, has more than 1 MiB, is of another type or has other members', async () => {
        if (!operation.requestBody) return;
        const { json: _, ...bare } = callOn(own);
        const send = async (text: string, contentType = 'application/json') =>
          (await on.call(operationId, { token: ada.token, ...bare, text, contentType })).status;
        expect(await send('{"')).to.equal(400);
        expect(await send('{"colour":"red"}')).to.equal(400);
        expect(await send('{"__proto__":{}}')).to.equal(400);
        expect(await send(`"${'x'.repeat(1024 * 1024)}"`)).to.equal(413);
        expect(await send('{}', 'text/csv')).to.equal(415);
      });
    });
});
