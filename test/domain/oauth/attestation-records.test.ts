import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { AttestationRecords } from '../../../domain/oauth/attestation/attestation-records.ts';

const DAY = 86_400_000;

describe('the attestations of an attester that have not ended', () => {
  const clock = { time: Date.UTC(2026, 10, 20), now: () => clock.time };
  const signedBy = makeHolderKey().jwk;
  const add = (records: AttestationRecords, parent: string, id: string): Promise<'added' | 'Conflict'> =>
    records
      .add({ parent, id }, { clientId: 'wallet', instanceThumbprint: id, signedBy, endsAt: clock.time + DAY })
      .then(
        () => 'added' as const,
        (error) => {
          if (!isDomainError(error, 'Conflict')) throw error;
          return error.code as 'Conflict';
        },
      );

  it('are at most so many of each attester, also of those made at once, until one of them ends', async () => {
    const records = new AttestationRecords(new MemoryStore(clock), 3);
    expect(await add(records, 'one', 'a')).to.equal('added');
    const raced = await Promise.all(['b', 'c', 'd', 'e'].map((id) => add(records, 'one', id)));
    expect(raced).to.include('Conflict');
    const kept = await records.list({ parent: 'one', order: 'id', offset: 0, limit: 10 });
    expect(kept.length).to.be.at.most(3);
    for (const id of ['f', 'g', 'h']) await add(records, 'one', id);
    expect(await add(records, 'one', 'i')).to.equal('Conflict');
    expect(await records.get({ parent: 'one', id: 'i' })).to.equal(undefined);
    expect(await add(records, 'other', 'a')).to.equal('added');
    clock.time += 2 * DAY;
    expect(await add(records, 'one', 'i')).to.equal('added');
  });
});
