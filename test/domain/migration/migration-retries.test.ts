import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { retried } from '../../../domain/migration/retries.ts';

const unavailable = new DomainError('StoreUnavailable', 'The store cannot be reached');

/** Work that fails so often before it succeeds, and what became of it. */
async function attempt(failures: number, error: unknown = unavailable) {
  const seen = { tries: 0, pauses: [] as number[], outcome: '' };
  const work = async (): Promise<string> => {
    seen.tries += 1;
    if (seen.tries <= failures) throw error;
    return 'done';
  };
  const pause = async (ms: number): Promise<void> => void seen.pauses.push(ms);
  seen.outcome = await retried(work, pause).catch((reason) => (reason === error ? 'refused' : 'lost'));
  return seen;
}

describe('retried', () => {
  it('tries again after each StoreUnavailable with growing pauses, at most seven times in sixteen seconds', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(20), async (failures) => {
        const { tries, pauses, outcome } = await attempt(failures);
        expect(outcome).to.equal(failures < 7 ? 'done' : 'refused');
        expect(tries).to.equal(Math.min(failures + 1, 7));
        expect(pauses).to.have.length(tries - 1);
        expect(pauses).to.deep.equal([...pauses].sort((one, other) => one - other));
        expect(pauses.reduce((sum, ms) => sum + ms, 0)).to.be.at.most(16_000);
      }),
    ));

  it('does not try again what cannot come right by waiting', async () => {
    for (const error of [new DomainError('Conflict', 'no'), new TypeError('no')])
      expect(await attempt(1, error)).to.deep.equal({ tries: 1, pauses: [], outcome: 'refused' });
  });
});
