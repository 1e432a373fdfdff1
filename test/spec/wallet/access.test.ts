import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { WITHOUT_ACCOUNTS } from '../../actors/wallet2.ts';
import { contract } from '../../support/documents/contract.ts';
import { documentedCall } from '../../support/documents/operation-calls.ts';
import { type Answer, type Call, useServer } from '../../support/servers/server.ts';

/** The rules of both APIs of wallets, for each operation that the documents place below a wallet of an account. */
describe('whose wallet', () => {
  const server = useServer();
  const open = useServer({ settings: WITHOUT_ACCOUNTS });
  let holder: WalletUser;
  let other: WalletUser;
  let unowned: WalletUser;
  let operations: Operation[];
  before(async () => {
    [holder, other] = [await newWalletUser(server), await newWalletUser(server)];
    unowned = await newWalletUser(open);
    operations = (await contract).operations.filter(
      ({ path, realm, mounted }) => path.includes('{wallet}') && realm === 'wallet' && mounted === undefined,
    );
    expect(operations).to.have.length.greaterThan(100);
  });

  /** The answers of all operations on a wallet. */
  async function onAll(call: WalletUser['call'], wallet: string, of = operations): Promise<[string, Answer][]> {
    const answers: [string, Answer][] = [];
    for (const operation of of) {
      const asked: Call = documentedCall(operation, { wallet });
      answers.push([operation.operationId, await call(operation.operationId, asked)]);
    }
    return answers;
  }
  const withoutId = ({ requestId: _, ...body }: Record<string, unknown>) => body;

  it('401: a caller without a login is refused', async () => {
    for (const [operationId, { status, body }] of await onAll((id, call) => server.call(id, call), holder.wallet))
      expect([status, body.id], operationId).to.deep.equal([401, 'LoginRequired']);
  });

  it('403: the answers for a wallet of another account and one that does not exist are the same', async () => {
    const foreign = await onAll(holder.call, other.wallet);
    const unknown = new Map(await onAll(holder.call, randomUUID()));
    for (const [operationId, { status, body }] of foreign) {
      expect([status, body.id], operationId).to.deep.equal([403, 'Forbidden']);
      expect(withoutId(body), operationId).to.deep.equal(withoutId(unknown.get(operationId)?.body));
    }
  });

  it('404: without accounts a wallet that does not exist, or is of an account, is not found', async () => {
    const ofOperator = operations.filter(({ path }) => path.startsWith('/wallet/'));
    for (const wallet of [randomUUID(), unowned.wallet])
      for (const [operationId, { status }] of await onAll((id, call) => open.call(id, call), wallet, ofOperator))
        expect(status, operationId).to.equal(404);
  });

  it('400: a wallet id that is not a UUID is refused', async () => {
    for (const [operationId, { status, body }] of await onAll(holder.call, 'mine'))
      expect([status, body.details[0].path], operationId).to.deep.equal([400, '/path/wallet']);
  });

  describe('listTransactionDataProfiles', () => {
    const transactionDataProfiles = [{ type: 'payment', displayName: 'Payment', fields: ['amount'] }];
    const knowing = useServer({ settings: { wallet: { transactionDataProfiles } } });

    it('200: needs no login; those of wallet-service.conf', async () => {
      for (const [at, profiles] of [
        [server, []],
        [knowing, transactionDataProfiles],
      ] as const) {
        const answer = await at.call('listTransactionDataProfiles');
        expect([answer.status, answer.body]).to.deep.equal([200, profiles]);
      }
    });
  });
});
