import { expect } from 'chai';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { type Call, useServer } from '../../support/servers/server.ts';

interface Event {
  id: string;
  event: string;
  action: string;
  timestamp: string;
  data: Record<string, unknown>;
}

describe('the event log over HTTP', () => {
  const server = useServer();
  let user: WalletUser;
  before(async () => {
    user = await newWalletUser(server);
  });

  const list = async (query?: Call['query']) => (await user.call('listWalletEvents', { query })).body;
  const names = (items: Event[]) => items.map(({ event, action }) => `${event} ${action}`);

  describe('listWalletEvents', () => {
    it('200: lists the registration and the login with account, wallet and tenant', async () => {
      const { items, count, ...rest } = await list({ filter: 'event=Account' });
      expect([names(items), count, rest]).to.deep.equal([['Account Create', 'Account Login'], 2, {}]);
      const { id, timestamp, account, ...login } = items[1];
      expect(login).to.deep.equal({
        event: 'Account',
        action: 'Login',
        tenant: '',
        originator: 'wallet',
        wallet: user.wallet,
        data: { accountId: account, walletId: user.wallet },
      });
      expect(id).to.match(/^[0-9a-f-]{36}$/);
      expect(Date.parse(timestamp)).to.be.within(server.clock.now() - 60_000, server.clock.now() + 60_000);
    });

    it('200: pages by cursor, forwards and backwards, and echoes where a page starts', async () => {
      const { items } = await list();
      for (const sortOrder of ['asc', 'DESC']) {
        const found: Event[] = [];
        let query: Record<string, string> = { limit: '1', sortOrder, startingAfter: '-1' };
        for (;;) {
          const page = await list(query);
          expect(page.currentStartingAfter).to.equal(query.startingAfter === '-1' ? undefined : query.startingAfter);
          found.push(...page.items);
          if (page.nextStartingAfter === undefined) break;
          query = { ...query, startingAfter: page.nextStartingAfter };
        }
        expect(found).to.deep.equal(sortOrder === 'asc' ? items : items.reverse());
      }
    });

    it('200: an index is the number of the last event that the caller has', async () => {
      const { items } = await list();
      const page = await list({ limit: '1', startingAfter: '0' });
      expect(page.items).to.deep.equal(items.slice(1, 2));
      expect(page.currentStartingAfter).to.equal('0');
    });

    it('200: repeated filters with one key are alternatives, and different keys all have to match', async () => {
      const filter = ['action=Create', 'action=Login', 'event=Account'];
      expect(names((await list({ filter })).items)).to.deep.equal(['Account Create', 'Account Login']);
      const today = new Date(server.clock.now()).toISOString().slice(0, 10);
      const both = await list({ filter: ['action=Login', 'tenant=', 'originator=wallet', `timestamp=${today}`] });
      expect(names(both.items)).to.deep.equal(['Account Login']);
      expect((await list({ filter: 'timestamp=2020-02-29' })).items).to.deep.equal([]);
    });

    it('400: names each parameter that is wrong', async () => {
      const wrong: [Record<string, string | string[]>, string[]][] = [
        [{ limit: '0' }, ['/query/limit']],
        [{ limit: '1e2' }, ['/query/limit']],
        [{ limit: '1001' }, ['/query/limit']],
        [{ limit: ['1', '2'] }, ['/query/limit']],
        [{ filter: ['event=Key', 'colour=red'] }, ['/query/filter/1']],
        [{ filter: 'createdOn=today' }, ['/query/filter/0']],
        [{ filter: Array.from({ length: 33 }, () => 'event=Key') }, ['/query/filter']],
        [{ sortBy: 'data', sortOrder: 'up' }, ['/query/sortBy', '/query/sortOrder']],
        [{ startingAfter: 'next' }, ['/query/startingAfter']],
        [{ startingAfter: '' }, ['/query/startingAfter']],
      ];
      for (const [query, paths] of wrong) {
        const answer = await user.call('listWalletEvents', { query });
        expect(answer.status, JSON.stringify(query)).to.equal(400);
        expect(answer.body.details.map(({ path }: { path: string }) => path)).to.deep.equal(paths);
      }
    });

    it('200: lists nothing of other wallets', async () => {
      const other = await newWalletUser(server);
      const ids = new Set((await list()).items.map(({ id }: Event) => id));
      const others: Event[] = (await other.call('listWalletEvents')).body.items;
      expect(others.filter(({ id }) => ids.has(id))).to.deep.equal([]);
      expect(others.length).to.be.at.least(2);
    });
  });

  describe('deleteWalletEvent', () => {
    it('202: deletes an event of the wallet, once', async () => {
      const { id } = (await list()).items[0];
      const other = await newWalletUser(server);
      const answers = [];
      for (const caller of [other, user, user]) answers.push(await caller.call('deleteWalletEvent', { path: { id } }));
      expect(answers.map(({ status, body }) => [status, body])).to.deep.equal([
        [202, 0],
        [202, 1],
        [202, 0],
      ]);
      expect((await list()).items.map((event: Event) => event.id)).to.not.include(id);
    });

    it('400: refuses an id that is too long', async () => {
      const answer = await user.call('deleteWalletEvent', { path: { id: 'x'.repeat(65) } });
      expect([answer.status, answer.body.details[0].path]).to.deep.equal([400, '/path/id']);
    });
  });

  describe('listWalletHistory', () => {
    it('200: lists the last ten operations, the newest first', async () => {
      const quiet = await newWalletUser(server);
      const credentials = { type: 'email', email: 'history@example.org', password: 'a long enough password' };
      await server.call('registerAccount', { json: credentials });
      const { token } = (await server.call('loginAccount', { json: credentials })).body;
      for (let count = 0; count < 11; count += 1) await server.call('loginAccount', { json: credentials });
      const wallet = (await server.call('listAccountWallets', { token })).body.wallets[0].id;
      const { status, body } = await server.call('listWalletHistory', { token, path: { wallet } });
      expect([status, body.length]).to.deep.equal([200, 10]);
      const { items } = (
        await server.call('listWalletEvents', { token, path: { wallet }, query: { sortOrder: 'desc' } })
      ).body;
      const expected = items
        .slice(0, 10)
        .map(({ event, action, originator, ...rest }: Event & { originator: string }) => ({
          ...rest,
          operation: `${event} ${action}`,
        }));
      expect(body).to.deep.equal(expected);
      expect(body[0].operation).to.equal('Account Login');
      const operations = (await quiet.call('listWalletHistory')).body.map(
        (one: { operation: string }) => one.operation,
      );
      expect(operations.slice(0, 2)).to.deep.equal(['Account Login', 'Account Create']);
    });
  });
});
