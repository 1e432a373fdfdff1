import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import { KmsFailure } from '../../adapters/kms/remote/kms.ts';
import { type VaultAuth, VaultToken } from '../../adapters/kms/vault/vault-token.ts';

const ROLE = { roleId: 'role', secretId: 'secret' };
const OWN = { accessKey: 'own' };
const SECONDS = 1000;

/** A token with a clock that only the test moves, and a Vault that counts its calls. */
function vaultToken(auth: VaultAuth, { seconds = SECONDS, renewable = true } = {}) {
  const calls: string[] = [];
  const under = { time: 0, failure: undefined as KmsFailure | undefined };
  const call = async (path: string, { token }: { token?: string }) => {
    calls.push(path);
    if (under.failure) throw under.failure;
    const client_token = token ?? `token-${calls.length}`;
    return { auth: { client_token, lease_duration: seconds, renewable } };
  };
  const vault = new VaultToken({ auth, call, clock: { now: () => under.time } });
  /** Moves the clock, uses the token, and returns the calls that follow. */
  const usedAfter = async (moved: number): Promise<string[]> => {
    under.time += moved * 1000;
    await vault.get();
    await settled();
    return calls.splice(0);
  };
  return { vault, under, usedAfter };
}

describe('the token of HashiCorp Vault', () => {
  const [login, renewal] = ['auth/approle/login', 'auth/token/renew-self'];

  it('of a login is used until shortly before its end, and renewed in the second half of its time', async () => {
    const { usedAfter } = vaultToken(ROLE);
    expect(await usedAfter(0)).to.deep.equal([login]);
    expect(await usedAfter(499)).to.deep.equal([]);
    expect(await usedAfter(1)).to.deep.equal([renewal]);
    expect(await usedAfter(469), 'beyond its first end').to.deep.equal([]);
    expect(await usedAfter(502), 'shortly before its end').to.deep.equal([login]);
  });

  it('of a caller is renewed at once, then in half of its time, and never replaced', async () => {
    const { vault, usedAfter } = vaultToken(OWN);
    expect(await usedAfter(0)).to.deep.equal([renewal]);
    expect(await usedAfter(499)).to.deep.equal([]);
    expect(await usedAfter(1)).to.deep.equal([renewal]);
    expect(await usedAfter(5000)).to.deep.equal([renewal]);
    expect(await vault.replace('own')).to.equal(undefined);
    expect(await vault.get()).to.equal('own');
  });

  it('that cannot be renewed is used as it is; after an outage its renewal is tried again', async () => {
    const { under, usedAfter } = vaultToken(OWN);
    under.failure = new KmsFailure('unavailable', 'sealed');
    expect(await usedAfter(0)).to.deep.equal([renewal]);
    expect(await usedAfter(29)).to.deep.equal([]);
    expect(await usedAfter(1)).to.deep.equal([renewal]);
    under.failure = new KmsFailure('credentials', 'lease is not renewable');
    expect(await usedAfter(30)).to.deep.equal([renewal]);
    expect(await usedAfter(5000)).to.deep.equal([]);
    const fixed = vaultToken(ROLE, { renewable: false });
    await fixed.usedAfter(0);
    expect(await fixed.usedAfter(900)).to.deep.equal([]);
  });

  it('without an end is never renewed; a clock that was set back leads to another login', async () => {
    const { usedAfter } = vaultToken(ROLE, { seconds: 0 });
    expect(await usedAfter(0)).to.deep.equal([login]);
    expect(await usedAfter(1e9)).to.deep.equal([]);
    expect(await usedAfter(-1e9 - 1)).to.deep.equal([login]);
  });

  it('is asked for once by all that need it, also instead of one that Vault refused', async () => {
    const { vault } = vaultToken(ROLE);
    const all = (work: () => Promise<unknown>) => Promise.all([work(), work(), work()]);
    expect(await all(() => vault.get())).to.deep.equal(['token-1', 'token-1', 'token-1']);
    expect(await all(() => vault.replace('token-1'))).to.deep.equal(['token-2', 'token-2', 'token-2']);
  });
});
