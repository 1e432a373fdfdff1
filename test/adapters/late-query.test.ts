import { expect } from 'chai';
import { lateQuery } from '../../adapters/http/messages/request.ts';
import { DomainError, type ErrorDetail, fieldErrors } from '../../domain/foundation/errors.ts';
import { jsonPointer } from '../../domain/foundation/field-paths.ts';

const refuse = (...names: string[]): ErrorDetail[] =>
  names.map((name) => ({ path: ['query', name], message: 'by the document' }));
const accept = (): ErrorDetail[] => [];

/** The refused fields with their messages, in order. */
const refusals = async (work: Promise<unknown>): Promise<string[]> => {
  const error = await work.then(
    () => undefined,
    (error) => error,
  );
  if (!(error instanceof DomainError)) throw new Error('nothing was refused');
  return (error.details ?? []).map(({ path, message }) => `${jsonPointer(path)} ${message}`);
};

describe('a query that the handler asks for', () => {
  it('is not validated before', () => {
    lateQuery({}, () => {
      throw new Error('too early');
    });
  });

  it('is given as the document validated it, or as the reader reads its texts', async () => {
    expect(await lateQuery({ limit: 5 }, accept)()).to.deep.equal({ limit: 5 });
    expect(await lateQuery({ limit: '5' }, accept)(({ limit }) => Number(limit))).to.equal(5);
  });

  it('shows a repeated parameter to the reader with a comma', async () => {
    expect(await lateQuery({ a: ['1', '2'] }, accept)(({ a }) => a)).to.equal('1,2');
  });

  it('names what the reader and the document refuse, a field that both refuse in the words of the reader', async () => {
    const read = () => {
      throw fieldErrors([{ path: ['limit'], message: 'by the reader' }]);
    };
    const query = lateQuery({}, () => refuse('limit', 'other'));
    expect(await refusals(query(read))).to.deep.equal(['/query/limit by the reader', '/query/other by the document']);
    expect(await refusals(query())).to.deep.equal(['/query/limit by the document', '/query/other by the document']);
    expect(await refusals(query(() => 1))).to.have.length(2);
  });

  it('lets errors of other kinds through', async () => {
    const read = () => {
      throw new DomainError('Busy', 'later');
    };
    const error = await lateQuery({}, () => refuse('other'))(read).catch((error) => error);
    expect(error).to.have.property('code', 'Busy');
  });
});
