import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { conditionsOf } from '../../../domain/status/status-conditions.ts';
import { readTokenEntry } from '../../../domain/status/status-entries.ts';
import { readTokenList, tokenValue } from '../../../domain/status/token-status-lists.ts';

const URL = 'https://lists.example/1';
const lstOf = (bytes: Uint8Array): string => deflateSync(bytes).toString('base64url');
const list = (bits: unknown, lst: unknown, changes: object = {}) =>
  readTokenList({ sub: URL, iat: 1, status_list: { bits, lst }, ...changes }, URL);
const entry = (index: number) => readTokenEntry({ idx: index, uri: URL });
const entryStatus = (bits: number, lst: string, index: number) => ({
  type: 'TokenStatusList',
  value: tokenValue(list(bits, lst), entry(index)),
  size: bits,
});
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as DomainError).code;
  }
  return 'none';
};

/** The status at each index, as the meanings that are set; `?` for one without a meaning. */
const meanings = (bits: number, lst: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    try {
      const set = conditionsOf(entryStatus(bits, lst, index)).filter(({ isSet }) => isSet);
      return set.map(({ purpose }) => purpose).join() || 'valid';
    } catch (error) {
      return (error as DomainError).code === 'StatusVerification' ? '?' : String(error);
    }
  });

describe('a Token Status List', () => {
  it('is read as in the examples of the specification (§4.1)', () => {
    const [v, r, s] = ['valid', 'revocation', 'suspension'];
    expect(meanings(1, 'eNrbuRgAAhcBXQ', 16)).to.deep.equal([r, v, v, r, r, r, v, r, r, r, v, v, v, r, v, r]);
    expect(meanings(2, 'eNo76fITAAPfAgc', 12)).to.deep.equal([r, s, v, '?', v, r, v, r, r, s, '?', '?']);
  });

  it('has the status of every index that was packed from the least significant bit on, and none beyond', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 4, 8),
        fc.array(fc.constantFrom(0, 1, 2), { minLength: 1, maxLength: 64 }),
        (bits, values) => {
          const statuses = values.map((value) => (bits === 1 ? value & 1 : value));
          const bytes = new Uint8Array(Math.ceil((statuses.length * bits) / 8));
          for (const [index, status] of statuses.entries()) {
            const bit = index * bits;
            bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (status << (bit & 7));
          }
          const names = ['valid', 'revocation', 'suspension'];
          expect(meanings(bits, lstOf(bytes), statuses.length)).to.deep.equal(statuses.map((status) => names[status]));
          const end = (bytes.length * 8) / bits;
          for (const index of [end, end + 1, Number.MAX_SAFE_INTEGER])
            expect(refusal(() => entryStatus(bits, lstOf(bytes), index))).to.equal('StatusRange');
        },
      ),
    );
  });

  it('with one bit says nothing of a suspension', () => {
    const purposes = (bits: number) =>
      conditionsOf(entryStatus(bits, lstOf(Uint8Array.of(0)), 0)).map(({ purpose }) => purpose);
    expect([purposes(1), purposes(2)]).to.deep.equal([['revocation'], ['revocation', 'suspension']]);
  });

  it('states the value itself, also one that only an application understands', () => {
    const value = entryStatus(4, lstOf(Uint8Array.of(0xc3)), 1);
    expect(value).to.deep.equal({ type: 'TokenStatusList', value: 12, size: 4 });
    expect(refusal(() => conditionsOf(value))).to.equal('StatusVerification');
  });

  const good = lstOf(Uint8Array.of(0, 0));
  const refused: [string, () => unknown, string][] = [
    ['without a sub', () => list(1, good, { sub: undefined }), 'StatusVerification'],
    ['of another URL', () => list(1, good, { sub: `${URL}/` }), 'StatusVerification'],
    ['without iat', () => list(1, good, { iat: undefined }), 'MalformedValue'],
    ['with a ttl of 0', () => list(1, good, { ttl: 0 }), 'MalformedValue'],
    ['with a ttl that is a text', () => list(1, good, { ttl: '900' }), 'MalformedValue'],
    ['without status_list', () => list(1, good, { status_list: undefined }), 'MalformedValue'],
    ['of 3 bits', () => list(3, good), 'MalformedValue'],
    ['of 16 bits', () => list(16, good), 'MalformedValue'],
    ['whose bits are a text', () => list('1', good), 'MalformedValue'],
    ['without lst', () => list(1, undefined), 'MalformedValue'],
    ['whose lst has padding', () => list(1, `${good}=`), 'MalformedValue'],
    ['whose lst is gzip', () => list(1, gzipSync(Uint8Array.of(0)).toString('base64url')), 'MalformedValue'],
    ['whose lst is cut off', () => list(1, lstOf(new Uint8Array(5000)).slice(0, -8)), 'MalformedValue'],
    ['of more than 16 MiB', () => list(1, lstOf(new Uint8Array(2 ** 24 + 1))), 'MalformedValue'],
    ['of more than 1 MiB of text', () => list(1, 'A'.repeat(2 ** 20 + 4)), 'MalformedValue'],
  ];
  for (const [title, read, code] of refused)
    it(`${title} is refused`, () => {
      expect(refusal(read)).to.equal(code);
    });

  it('of 16 MiB is read', () => {
    expect(list(1, lstOf(new Uint8Array(2 ** 24))).statuses).to.have.length(2 ** 24);
  });

  it('an entry that cannot be checked is refused', () => {
    for (const value of [undefined, null, 'x', [], { idx: 1 }, { uri: URL }])
      expect(refusal(() => readTokenEntry(value))).to.equal('MalformedValue');
    for (const idx of [-1, 1.5, '1', 2 ** 53, Number.NaN])
      expect(
        refusal(() => readTokenEntry({ idx, uri: URL })),
        String(idx),
      ).to.equal('MalformedValue');
    for (const uri of ['x', 'file:///etc/passwd', 7])
      expect(
        refusal(() => readTokenEntry({ idx: 0, uri })),
        String(uri),
      ).to.equal('MalformedValue');
  });
});
