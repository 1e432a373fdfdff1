import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { readTransactionData } from '../../../domain/presentation/transaction-data.ts';
import { transactionProblems } from '../../../domain/verifier/verification/transaction-checks.ts';

interface Asked {
  ids: string[];
  algorithms?: string[];
}

const rawOf = ({ ids, algorithms }: Asked, place: number): string =>
  Buffer.from(
    JSON.stringify({
      ...{ type: 'payment', place, credential_ids: ids },
      ...(algorithms && { transaction_data_hashes_alg: algorithms }),
    }),
  ).toString('base64url');

const sha = (raw: string, bits = 256): string => createHash(`sha${bits}`).update(raw).digest('base64url');

const presented = (queryId: string, hashes?: unknown, algorithm?: unknown) => ({
  queryIds: [queryId],
  parsed: hashes === undefined ? {} : { transactionData: { hashes, algorithm } },
});

describe('transaction data', () => {
  const asked = fc.array(fc.record({ ids: fc.subarray(['a', 'b', 'c'], { minLength: 1 }) }), {
    minLength: 1,
    maxLength: 6,
  });

  it('property: every transaction authorized in the order of the request, by one of the credentials it names, is enough', () => {
    fc.assert(
      fc.property(asked, fc.infiniteStream(fc.nat()), (list, choices) => {
        const raws = list.map(rawOf);
        const by = new Map<string, string[]>([
          ['a', []],
          ['b', []],
          ['c', []],
        ]);
        for (const [place, { ids }] of list.entries()) {
          const id = ids[(choices.next().value ?? 0) % ids.length] ?? '';
          by.get(id)?.push(sha(raws[place] ?? ''));
        }
        const presentations = [...by].map(([id, hashes]) => presented(id, hashes.length > 0 ? hashes : undefined));
        expect(transactionProblems(readTransactionData(raws), presentations)).to.deep.equal([
          undefined,
          undefined,
          undefined,
        ]);
      }),
    );
  });

  it('property: a hash left out, changed, repeated, or in another order is a problem', () => {
    const sabotage = fc.constantFrom('drop', 'change', 'repeat', 'turn');
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.nat(), sabotage, (count, at, kind) => {
        const raws = Array.from({ length: count }, (_, place) => rawOf({ ids: ['a'] }, place));
        const hashes = raws.map((raw) => sha(raw));
        const place = at % count;
        if (kind === 'drop') hashes.splice(place, 1);
        if (kind === 'change') hashes[place] = sha('another');
        if (kind === 'repeat') hashes.splice(place, 0, hashes[place] ?? '');
        if (kind === 'turn') hashes.reverse();
        const [problem] = transactionProblems(readTransactionData(raws), [presented('a', hashes)]);
        expect(problem).to.be.a('string');
      }),
    );
  });

  it('none may be signed where none was requested, not even an empty list', () => {
    for (const hashes of [[], [sha('x')], null, 'x'])
      expect(transactionProblems([], [presented('a', hashes)])[0], String(hashes)).to.match(/not requested/);
    expect(transactionProblems([], [presented('a')])).to.deep.equal([undefined]);
    const forOther = readTransactionData([rawOf({ ids: ['b'] }, 0)]);
    const [own] = transactionProblems(forOther, [presented('a', [sha('x')]), presented('b')]);
    expect(own).to.match(/not requested/);
  });

  it('an algorithm that the request names must be stated, and no other is accepted', () => {
    const plain = rawOf({ ids: ['a'] }, 0);
    const named = rawOf({ ids: ['a'], algorithms: ['sha-512', 'sha-384'] }, 0);
    const check = (raw: string, bits: number, algorithm?: unknown) =>
      transactionProblems(readTransactionData([raw]), [presented('a', [sha(raw, bits)], algorithm)])[0];
    expect(check(plain, 256)).to.equal(undefined);
    expect(check(plain, 256, 'sha-256')).to.equal(undefined);
    expect(check(plain, 512, 'sha-512')).to.be.a('string');
    expect(check(named, 512, 'sha-512')).to.equal(undefined);
    expect(check(named, 384, 'sha-384')).to.equal(undefined);
    expect(check(named, 512)).to.be.a('string');
    expect(check(named, 256, 'sha-256')).to.be.a('string');
    expect(check(named, 384, 'sha-512')).to.be.a('string');
    const explicit = rawOf({ ids: ['a'], algorithms: ['sha-256'] }, 0);
    expect([check(explicit, 256, 'sha-256'), check(explicit, 256)]).to.deep.equal([
      undefined,
      'A hash is not that of transaction data of the request, in its order',
    ]);
  });

  it('by type, their order means nothing, but each hash is that of its type', () => {
    const typed = (type: string) => Buffer.from(JSON.stringify({ type, credential_ids: ['a'] })).toString('base64url');
    const raws = [typed('t:1'), typed('t:2')];
    const check = (hashes: unknown[], types: string[]) =>
      transactionProblems(readTransactionData(raws), [
        { queryIds: ['a'], parsed: { transactionData: { hashes, types, algorithm: undefined } } },
      ])[0];
    const [one, two] = [sha(raws[0] ?? ''), sha(raws[1] ?? '')];
    expect(check([two, one], ['t:2', 't:1'])).to.equal(undefined);
    expect(check([two, one], ['t:1', 't:2'])).to.match(/is not that/);
    expect(check([one, one], ['t:1', 't:1'])).to.match(/is not that/);
    expect(check([one], ['t:1'])).to.match(/not authorized/);
  });

  it('one whose query was not answered is missed', () => {
    const requested = readTransactionData([rawOf({ ids: ['b'] }, 0)]);
    expect(transactionProblems(requested, [presented('a')])[0]).to.match(/not authorized/);
  });

  it('a malformed request names its member', () => {
    const raw = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
    const good = { type: 'payment', credential_ids: ['a'] };
    const cases: [unknown, string][] = [
      ['x', ''],
      [[], ''],
      [Array(17).fill(raw(good)), ''],
      [[7], '[0]'],
      [['x'.repeat(16_385)], '[0]'],
      [['=='], '[0]'],
      [[raw([])], '[0]'],
      [[raw({ ...good, type: '' })], '[0].type'],
      [[raw({ ...good, credential_ids: [] })], '[0].credential_ids'],
      [[raw({ ...good, credential_ids: ['a', 'a'] })], '[0].credential_ids'],
      [[raw({ ...good, credential_ids: ['a b'] })], '[0].credential_ids[0]'],
      [[raw({ ...good, transaction_data_hashes_alg: ['md5'] })], '[0].transaction_data_hashes_alg'],
    ];
    for (const [value, path] of cases)
      expect(() => readTransactionData(value), path).to.throw(path === '' ? /must be a list/ : `${path}: `);
  });
});
