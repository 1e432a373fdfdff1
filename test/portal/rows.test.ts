import { expect } from 'chai';
import fc from 'fast-check';
import { offerAll, type Sent, type Wanted } from '../../portal/areas/issue/bulk.ts';
import type { BulkAnswer } from '../../portal/areas/issue/values.ts';
import { columnsOf, placesOf, readRow, unreachable } from '../../portal/forms/rows.ts';
import { csvLine } from '../../portal/parts/csv.ts';

const CLAIMS = [
  { path: ['name'], type: 'text', mandatory: true },
  { path: ['born'], type: 'date' },
  { path: ['height'], type: 'number' },
  { path: ['member'], type: 'boolean' },
  { path: ['address'], type: 'object' },
  { path: ['address', 'city'], type: 'text', mandatory: true },
  { path: ['address', 'zip'], type: 'text' },
  { path: ['languages'], type: 'list', items: 'text' },
  { path: ['visits'], type: 'list', items: 'object' },
  { path: ['visits', null, 'day'], type: 'date' },
] as const;
const COLUMNS = columnsOf(CLAIMS);
const PLACES = Object.fromEntries(COLUMNS.map(({ id }, at) => [id, at]));

const read = (cells: Record<string, string>) =>
  readRow(
    COLUMNS.map(({ id }) => cells[id] ?? ''),
    COLUMNS,
    PLACES,
  );

describe('a row of a table', () => {
  it('has columns for the claims whose values fit into a cell', () => {
    expect(COLUMNS.map(({ id }) => id)).to.deep.equal(
      'name born height member address.city address.zip languages'.split(' '),
    );
    expect(unreachable([...CLAIMS, { path: ['keys'], type: 'list', items: 'object', mandatory: true }])).to.have.length(
      1,
    );
  });

  it('gives the data that was written into its cells, all or some of them', () => {
    const word = fc.stringMatching(/^[a-z]([a-z ]{0,8}[a-z])?$/);
    const row = fc.record(
      {
        name: word,
        born: fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        // Without -0, which is written as 0.
        height: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        member: fc.boolean(),
        city: word,
        languages: fc.array(word, { minLength: 1, maxLength: 4 }),
      },
      { requiredKeys: ['name'] },
    );
    fc.assert(
      fc.property(row, ({ name, born, height, member, city, languages }) => {
        const day = born?.toISOString().slice(0, 10);
        const { data, faults } = read({
          name,
          born: day?.split('-').toReversed().join('.') ?? '',
          height: height === undefined ? '' : String(height).replace('.', ','),
          member: member === undefined ? '' : member ? 'ja' : 'No',
          'address.city': city ?? '',
          languages: languages?.join(' | ') ?? '',
        });
        expect(faults).to.deep.equal([]);
        expect(data).to.deep.equal({
          name,
          ...(day !== undefined && { born: day }),
          ...(height !== undefined && { height }),
          ...(member !== undefined && { member }),
          ...(city !== undefined && { address: { city } }),
          ...(languages !== undefined && { languages }),
        });
      }),
    );
  });

  it('names what is missing and what is no value of its kind; what an absent group needs is not missing', () => {
    const faultsOf = (cells: Record<string, string>) =>
      read(cells).faults.map(({ column, fault }) => `${column} ${fault}`);
    expect(faultsOf({ born: '2026-02-31', height: 'tall', member: 'perhaps' })).to.deep.equal([
      'name missing',
      'born date',
      'height number',
      'member boolean',
    ]);
    expect(faultsOf({ name: 'Ada', 'address.zip': '1010' })).to.deep.equal(['address.city missing']);
    expect(faultsOf({ name: 'Ada', born: '1.2.1990' })).to.deep.equal([]);
  });

  it('finds columns by what their heads say in any language, each once', () => {
    const names = { name: ['Name', 'Nachname'], born: ['Date of birth'], other: ['name'] };
    expect(placesOf(['DATE_OF_BIRTH', 'nachname ', 'x'], names)).to.deep.equal({ name: 1, born: 0 });
    expect(placesOf(['Name'], names)).to.deep.equal({ name: 0 });
  });

  it('is written so that spreadsheets take it for text, and read back by its rules', () => {
    expect(csvLine(['a', 'b"c', 'd,e', '=1+1', undefined])).to.equal(`a,"b""c","d,e",'=1+1,\r\n`);
  });
});

/** A server that takes a batch, and keeps what it made by session. */
class Issuing {
  readonly made = new Map<string, number>();
  calls = 0;

  /** Breaks off in the call `brokenIn`, after the server did the whole batch; refuses for now in the call `fullIn`. */
  constructor(
    readonly brokenIn: number,
    readonly fullIn: number,
  ) {}

  readonly send = async (requests: readonly object[]): Promise<Sent<string>> => {
    this.calls += 1;
    const answers = (requests as Wanted['request'][]).map(({ sessionId, reference }, at): BulkAnswer => {
      if (this.calls === this.fullIn && at > 3) return { line: at + 1, status: 429, retryAfterSeconds: 0.01 };
      if (reference === 'bad') {
        const error = { message: 'no', details: [{ path: '/body/reference', message: 'is wrong' }] };
        return { line: at + 1, status: 400, error } as unknown as BulkAnswer;
      }
      if (!this.made.has(sessionId)) this.made.set(sessionId, this.made.size);
      return { line: at + 1, status: 201, offer: { offerId: sessionId } } as unknown as BulkAnswer;
    });
    if (this.calls !== this.brokenIn) return { answers };
    return { answers: answers.slice(0, 7), failure: 'cut' };
  };
}

describe('offers in bulk', () => {
  const wanted = (count: number): Wanted[] =>
    Array.from({ length: count }, (_, at) => ({
      line: at + 2,
      request: {
        profileId: 'card',
        authMethod: 'PRE_AUTHORIZED',
        sessionId: `s${at}`,
        ...(at === 5 && { reference: 'bad' }),
      },
    }));
  const options = { changed: () => undefined, signal: new AbortController().signal };

  it('O4: of 10,000, with the connection cut at 6,000 and continued, each is made once; what is refused says why', async () => {
    const server = new Issuing(30, 40);
    const all = wanted(10_000);
    expect(await offerAll(all, server.send, options)).to.equal('cut');
    expect(all.filter(({ offer }) => offer)).to.have.length(29 * 200 + 7 - 1);
    expect(await offerAll(all, server.send, options)).to.equal(undefined);
    expect(server.made.size).to.equal(9999);
    expect(
      all.filter(({ refused }) => refused !== undefined).map(({ line, refused }) => [line, refused]),
    ).to.deep.equal([[7, '/reference: is wrong']]);
    expect(new Set(all.map(({ offer }) => offer?.offerId)).size).to.equal(10_000);
  });

  it('ends when the reader leaves', async () => {
    const leaving = new AbortController();
    const server = new Issuing(0, 0);
    const changed = () => leaving.abort();
    expect(await offerAll(wanted(500), server.send, { changed, signal: leaving.signal })).to.equal(undefined);
    expect(server.calls).to.equal(1);
  });
});
