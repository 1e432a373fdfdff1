import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds, systemTurns } from '../../../adapters/system/system.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { ownStores, WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import { MAX_STORES, NamedStores } from '../../../domain/wallet/wallets/named-stores.ts';
import { MAX_OPERATOR_WALLETS, OperatorWallets } from '../../../domain/wallet/wallets/operator-wallets.ts';
import { OPERATOR } from '../../../domain/wallet/wallets/wallet-owners.ts';

const codeOf = ({ code }: DomainError): string => code;

describe('the wallets of the operator', () => {
  const open = () => {
    const clock = { time: 1_000_000, now: () => clock.time };
    const store = new MemoryStore(clock);
    const wallets = new OperatorWallets({ store });
    const stores = new WalletStores({ store, clock: systemClock });
    return {
      clock,
      wallets,
      named: new NamedStores({ store, stores, wallets, clock, ids: systemIds, turns: systemTurns }),
    };
  };

  it('are as many as may be, and one again when one is removed; so are their stores of a kind', async () => {
    const { wallets, named } = open();
    for (let n = 0; n < MAX_OPERATOR_WALLETS; n += 1) await wallets.addWallet(OPERATOR, `${n}`);
    expect(await wallets.addWallet(OPERATOR, 'more').catch(codeOf)).to.equal('Conflict');
    await wallets.beginRemoval(OPERATOR, '7');
    await wallets.endRemoval(OPERATOR, '7');
    await wallets.addWallet(OPERATOR, 'more');
    for (let n = 0; n < MAX_STORES; n += 1) await named.create('dids', `${n}`);
    expect(await named.create('dids', 'more').catch(codeOf)).to.equal('Conflict');
    await named.create('keys', 'more');
  });

  it('have a store for themselves that other wallets may have too, for as long as one has it', async () => {
    const { wallets, named } = open();
    const first = systemIds.uuid();
    await wallets.addWallet(OPERATOR, first);
    const [own] = ownStores(first).keys;
    const [attached] = await named.attach('keys', [own?.id ?? ''], 'second');
    expect(attached).to.deep.equal(own);
    await wallets.addWallet(OPERATOR, 'second');
    expect(await named.create('keys', own?.id ?? '').catch(codeOf)).to.equal('Conflict');
    if (!own) throw new Error('A wallet has a store of keys');
    expect(await named.detach('keys', own, { walletId: first })).to.equal(false);
    expect(await named.list('keys')).to.include(own.id);
    expect(await named.detach('keys', own, { walletId: 'second' })).to.equal(true);
  });

  it('do not keep a store alive whose creation never ended, after a minute', async () => {
    const { clock, wallets, named } = open();
    await named.create('keys', 'shared');
    await named.attach('keys', ['shared'], 'interrupted');
    await named.attach('keys', ['shared'], 'made');
    await wallets.addWallet(OPERATOR, 'made');
    clock.time += 61_000;
    const [store] = await named.attach('keys', ['shared'], 'other');
    await wallets.addWallet(OPERATOR, 'other');
    if (!store) throw new Error('The store exists');
    expect(await named.detach('keys', store, { walletId: 'made' })).to.equal(false);
    expect(await named.detach('keys', store, { walletId: 'other' })).to.equal(true);
    expect(await named.list('keys')).to.not.include('shared');
  });
});
