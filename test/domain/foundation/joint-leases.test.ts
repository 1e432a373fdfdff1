import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { JointLeases, MAX_JOINT_LEASES } from '../../../domain/foundation/joint-leases.ts';

describe('joint leases', () => {
  it('as many requests as the bound work at once; one more is Busy, and has its turn when one has ended', async () => {
    let owners = 0;
    const clock = { now: () => 0 };
    const records = new MemoryStore(clock).collection<never>({
      name: 'leases',
      listed: false,
      sealed: false,
      afterRestore: 'void',
    });
    const timers = { every: () => () => undefined } as never;
    const ids = { uuid: () => `request-${owners++}` } as never;
    const leases = new JointLeases(records, { clock, timers, ids });
    const ends: (() => void)[] = [];
    const begin = () =>
      leases.run({
        id: 'acme',
        claim: { work: 'the same', names: ['issuer'] },
        work: () => new Promise<void>((resolve) => ends.push(resolve)),
      });
    const begun = Array.from({ length: MAX_JOINT_LEASES }, begin);
    while (ends.length < MAX_JOINT_LEASES) await setImmediate();
    const refusal = await begin().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DomainError).with.property('code', 'Busy');
    ends[0]?.();
    await begun[0];
    const next = begin();
    while (ends.length <= MAX_JOINT_LEASES) await setImmediate();
    for (const end of ends) end();
    await Promise.all([...begun, next]);
  });
});
