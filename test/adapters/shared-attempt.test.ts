import { expect } from 'chai';
import { SharedAttempt } from '../../adapters/kms/remote/shared-attempt.ts';

describe('SharedAttempt', () => {
  it('makes one attempt for all callers at the same time', async () => {
    const shared = new SharedAttempt<number>();
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      await Promise.resolve();
      return attempts;
    };
    expect(await Promise.all([1, 2, 3].map(() => shared.run(work)))).to.deep.equal([1, 1, 1]);
    expect(await shared.run(work)).to.equal(2);
  });

  it('makes one more for those that waited for an attempt that failed', async () => {
    const shared = new SharedAttempt<number>();
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      const own = attempts;
      await Promise.resolve();
      if (own === 1) throw new Error('hung');
      return own;
    };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => shared.run(work)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled']);
    expect(attempts).to.equal(2);
  });
});
