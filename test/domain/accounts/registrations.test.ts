import { expect } from 'chai';
import { Registrations } from '../../../domain/accounts/registrations.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';

describe('Registrations', () => {
  const failing = () => Promise.reject(new DomainError('StoreUnavailable', 'The store is down'));
  const outcomes = async (all: Promise<unknown>[]): Promise<unknown[]> =>
    (await Promise.allSettled(all)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code));

  it('do the work once for many at once of one identity; those that waited are conflicts', async () => {
    const registrations = new Registrations();
    let done = 0;
    const register = async (): Promise<number> => {
      done += 1;
      return done;
    };
    const all = ['a', 'a', 'b', 'a'].map((identity) => registrations.run(identity, register));
    expect(await outcomes(all)).to.deep.equal([1, 'Conflict', 2, 'Conflict']);
    expect(done).to.equal(2);
  });

  it('fail together with the first, and the next one does the work again', async () => {
    const registrations = new Registrations();
    const all = [registrations.run('a', failing), registrations.run('a', async () => 'made')];
    expect(await outcomes(all)).to.deep.equal(['StoreUnavailable', 'StoreUnavailable']);
    expect(await registrations.run('a', async () => 'made')).to.equal('made');
  });

  it('go on with the next one when the client of the first has left', async () => {
    const registrations = new Registrations();
    const left = AbortSignal.abort();
    const all = [
      registrations.run('a', failing, left),
      ...['first', 'second'].map((text) => registrations.run('a', async () => text)),
    ];
    expect(await outcomes(all)).to.deep.equal(['StoreUnavailable', 'first', 'Conflict']);
  });
});
