import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import { type Activity, ActivityLog, WALLET_ACTIVITY } from '../../../domain/holdings/activity.ts';
import { silentLog } from '../../support/servers/silent-log.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const signed = (id: string): Activity => ({ event: 'Key', action: 'Sign', data: { id } });

function world(kept?: number) {
  const memory = new MemoryStore(systemClock);
  const faults = new StoreFaults();
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (...line: unknown[]) => void lines.push(line) };
  const activity = new ActivityLog({ store: new FaultyStore(memory, faults), ids: systemIds, log }, kept);
  const list = (parent: string, order: 'created+' | 'created-' = 'created+') =>
    memory.collection(WALLET_ACTIVITY).list({ parent, order, offset: 0, limit: 1000 });
  return { activity, faults, lines, list };
}

describe('the event log of a wallet, as it is written', () => {
  it('a failed write is logged without what it was about, and fails nothing', async () => {
    const { activity, faults, lines, list } = world();
    faults.down = true;
    await activity.record('w', { event: 'Key', action: 'Import', data: { id: 'canary' }, note: 'canary' });
    expect(lines).to.deep.equal([
      ['wallet activity not recorded', { event: 'Key', action: 'Import', reason: 'StoreUnavailable' }],
    ]);
    faults.down = false;
    expect(await list('w')).to.deep.equal([]);
  });

  it('keeps the newest of each wallet, also when many are written at once', async () => {
    const { activity, list } = world(5);
    await activity.record('other', signed('0'));
    for (let count = 1; count <= 12; count += 1) await activity.record('w', signed(`${count}`));
    const ids = async () => (await list('w')).map(({ value }) => value.data.id);
    expect(await ids()).to.deep.equal(['8', '9', '10', '11', '12']);
    await Promise.all(Array.from({ length: 20 }, () => activity.record('w', signed('x'))));
    expect(await ids()).to.deep.equal(['x', 'x', 'x', 'x', 'x']);
    expect(await list('other')).to.have.length(1);
  });

  it('trims a large log with about one write in a hundredth of the bound', async () => {
    const { activity, faults, list } = world(400);
    for (let count = 0; count < 1600; count += 1) await activity.record('w', signed('x'));
    expect((await list('w')).length).to.be.within(400, 480);
    // One insert each, one removal for all but the last 400, and a read for one in four.
    expect(faults.calls).to.be.within(1600 + 1120 + 300, 1600 + 1200 + 500);
  });

  it('leaves out the large members of data that is too large', async () => {
    const { activity, list } = world();
    await activity.record('w', {
      event: 'Did',
      action: 'Import',
      data: { did: 'did:web:a', document: 'x'.repeat(20_000) },
    });
    await activity.record('w', {
      event: 'Did',
      action: 'Import',
      data: { did: 'did:web:b', document: 'x'.repeat(9000) },
    });
    const [large, small] = (await list('w')).map(({ value }) => value.data);
    expect(large).to.deep.equal({ did: 'did:web:a' });
    expect(small?.document).to.have.length(9000);
  });

  it('is removed with its wallet', async () => {
    const { activity, list } = world();
    for (const owner of ['w', 'v']) await activity.record(owner, signed('1'));
    await activity.removeAll('w');
    expect([await list('w'), (await list('v')).length]).to.deep.equal([[], 1]);
  });
});
