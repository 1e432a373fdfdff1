import { expect } from 'chai';
import fc from 'fast-check';
import { ScryptPasswords } from '../../adapters/crypto/passwords.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { systemClock, systemIds } from '../../adapters/system/system.ts';
import { Accounts } from '../../domain/accounts/accounts.ts';
import { EmailLogin } from '../../domain/accounts/email-login.ts';
import { DomainError } from '../../domain/foundation/errors.ts';

const source = '192.0.2.1';
const emptyWallets = { provision: async () => {}, discard: async () => {} };

const newLogin = (): EmailLogin => {
  const accounts = new Accounts(new MemoryStore(systemClock), emptyWallets, systemClock, systemIds);
  return new EmailLogin(accounts, new ScryptPasswords({ logN: 4, blockSize: 1, parallelism: 1 }));
};

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof DomainError ? { code: error.code, message: error.message } : error),
  );

describe('EmailLogin', () => {
  it('knows an address in any spelling of its letters', () =>
    fc.assert(
      fc.asyncProperty(
        fc.emailAddress(),
        fc.string({ minLength: 1 }).map((text) => `x${text}`),
        async (email, password) => {
          const login = newLogin();
          const account = await login.register({ email, password, source });
          for (const spelling of [email.toUpperCase(), email.toLowerCase(), ` ${email}\n`])
            expect((await login.login({ email: spelling, password, source })).id).to.equal(account.id);
          expect(await failure(login.register({ email: email.toUpperCase(), password, source }))).to.have.property(
            'code',
            'Conflict',
          );
        },
      ),
      { numRuns: 25 },
    ));

  it('tells an unknown address and a wrong password apart in no way', async () => {
    const login = newLogin();
    await login.register({ email: 'ada@example.org', password: 'right', source });
    const wrong = await failure(login.login({ email: 'ada@example.org', password: 'wrong', source }));
    expect(wrong).to.have.property('code', 'LoginRequired');
    expect(await failure(login.login({ email: 'eve@example.org', password: 'wrong', source }))).to.deep.equal(wrong);
  });

  it('refuses what is no address or no password, naming the field', async () => {
    const login = newLogin();
    const addresses = [
      '',
      '  ',
      'ada',
      '@example.org',
      'ada@',
      'a b@example.org',
      'a@b@c',
      'ada@exam\u0000ple.org',
      'a\ud800@b.c',
    ];
    for (const email of addresses)
      for (const attempt of [
        login.register({ email, password: 'x', source }),
        login.login({ email, password: 'x', source }),
      ])
        expect(await failure(attempt), email).to.deep.equal({
          code: 'BadRequest',
          message: '/body/email: must be an e-mail address',
        });
    for (const password of ['', '   ', '\t'])
      expect(await failure(login.register({ email: 'ada@example.org', password, source }))).to.deep.equal({
        code: 'BadRequest',
        message: '/body/password: must not be blank',
      });
  });

  it('keeps name and address with the account and names the wallet after it', async () => {
    const account = await newLogin().register({ email: 'Ada@Example.org', password: 'x', name: ' Ada ', source });
    expect(account).to.include({ name: 'Ada', email: 'Ada@Example.org' });
    expect(account.wallets[0]?.name).to.equal('Wallet of Ada');
  });
});
