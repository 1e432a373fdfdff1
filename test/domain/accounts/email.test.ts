import { expect } from 'chai';
import fc from 'fast-check';
import { ScryptPasswords } from '../../../adapters/crypto/passwords.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import { Accounts } from '../../../domain/accounts/accounts.ts';
import { Identities } from '../../../domain/accounts/identities.ts';
import { type EmailCredentials, PasswordLogin } from '../../../domain/accounts/password-login.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';

const turn = { source: '192.0.2.1' };
const emptyWallets = { provision: async () => {}, discard: async () => {} };

const newLogin = () => {
  const store = new MemoryStore(systemClock);
  const identities = new Identities(store);
  const accounts = new Accounts({
    store,
    identities,
    activity: silentActivity,
    wallets: emptyWallets,
    clock: systemClock,
    ids: systemIds,
  });
  const hashes = new ScryptPasswords({ logN: 4, blockSize: 1, parallelism: 1 });
  const passwords = new PasswordLogin({ identities, passwords: hashes, realm: 'wallet' });
  return {
    identities,
    hashes,
    login: (credentials: EmailCredentials) => passwords.login(credentials),
    register: (credentials: EmailCredentials) =>
      passwords.register(credentials, ({ identity, address }) => accounts.create({ identity, email: address })),
  };
};

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof DomainError ? { code: error.code, message: error.message } : error),
  );

describe('PasswordLogin', () => {
  it('knows an address in any spelling of its letters', () =>
    fc.assert(
      fc.asyncProperty(
        fc.emailAddress(),
        fc.string({ minLength: 1 }).map((text) => `x${text}`),
        async (email, password) => {
          const login = newLogin();
          const account = await login.register({ email, password, turn });
          for (const spelling of [email.toUpperCase(), email.toLowerCase(), ` ${email}\n`])
            expect(await login.login({ email: spelling, password, turn })).to.equal(account.id);
          expect(await failure(login.register({ email: email.toUpperCase(), password, turn }))).to.have.property(
            'code',
            'Conflict',
          );
        },
      ),
      { numRuns: 25 },
    ));

  it('answers an unknown address and a wrong password in the same words', async () => {
    const login = newLogin();
    await login.register({ email: 'ada@example.org', password: 'right', turn });
    const wrong = await failure(login.login({ email: 'ada@example.org', password: 'wrong', turn }));
    expect(wrong).to.have.property('code', 'LoginRequired');
    expect(await failure(login.login({ email: 'eve@example.org', password: 'wrong', turn }))).to.deep.equal(wrong);
  });

  it('rejects malformed addresses and blank passwords, naming the field', async () => {
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
        login.register({ email, password: 'x', turn }),
        login.login({ email, password: 'x', turn }),
      ])
        expect(await failure(attempt), email).to.deep.equal({
          code: 'BadRequest',
          message: 'email: must be an e-mail address',
        });
    for (const password of ['', '   ', '\t'])
      expect(await failure(login.register({ email: 'ada@example.org', password, turn }))).to.deep.equal({
        code: 'BadRequest',
        message: 'password: must not be blank',
      });
  });

  it('finds an address in its own realm only', () =>
    fc.assert(
      fc.asyncProperty(fc.emailAddress(), async (email) => {
        const { identities, hashes, register, login } = newLogin();
        const administrators = new PasswordLogin({ identities, passwords: hashes, realm: 'enterprise' });
        const { id } = await register({ email, password: 'x', turn });
        const attempt = { email, password: 'x', turn };
        expect(await failure(administrators.login(attempt))).to.have.property('code', 'LoginRequired');
        expect(await failure(administrators.register(attempt, async () => 'created'))).to.equal(undefined);
        expect(await login(attempt)).to.equal(id);
      }),
      { numRuns: 10 },
    ));

  it('creates the account with the address as it is stored: trimmed, in the case of the caller', async () => {
    const account = await newLogin().register({ email: ' Ada@Example.org ', password: 'x', turn });
    expect(account).to.include({ email: 'Ada@Example.org' });
  });
});
