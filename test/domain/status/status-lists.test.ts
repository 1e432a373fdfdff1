import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { bitstring, encodeList, LIST_BITS, statusEntry } from '../../../demo/actors/status-list.ts';
import { statusReferences } from '../../../domain/credentials/token-facts.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { readStatusEntries } from '../../../domain/status/status-entries.ts';
import {
  type BitstringEntry,
  decodeList,
  readStatusList,
  type StatusList,
  statusAt,
} from '../../../domain/status/status-lists.ts';
import { cpuMs } from '../../support/runs/cpu.ts';
import { credentialWith, listClaims } from '../../support/status/status-lists.ts';

const URL = 'https://lists.example/1';
const code = (expected: string) => (error: Error & { code?: string }) => error.code === expected;
const thrownBy = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
  return 'nothing';
};

/** The entries of a token's claims in lists of the W3C. */
const entriesOf = (claims: JsonObject) => readStatusEntries(statusReferences(claims)) as BitstringEntry[] | undefined;

const list = (set: number[], bits = LIST_BITS): StatusList => ({
  issuer: 'did:example:issuer',
  type: 'StatusList2021Entry',
  purposes: ['revocation'],
  bits: bitstring(set, bits),
});
const entry = (index: number): BitstringEntry => ({
  kind: 'bitstring',
  type: 'StatusList2021Entry',
  purpose: 'revocation',
  list: URL,
  index,
  size: 1,
  messages: new Map(),
});
const anyIndex = fc.integer({ min: 0, max: LIST_BITS - 1 });

describe('statusAt', () => {
  it('is 1 for exactly the entries that are set, counted from the most significant bit', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyIndex, { maxLength: 20 }), anyIndex, (set, index) => {
        const bits = list(set);
        return (
          statusAt(bits, entry(index), LIST_BITS) === (set.includes(index) ? 1 : 0) &&
          set.every((one) => statusAt(bits, entry(one), LIST_BITS) === 1)
        );
      }),
    );
    expect(statusAt({ ...list([]), bits: Uint8Array.of(0x80) }, entry(0), 8)).to.equal(1);
    expect(statusAt({ ...list([]), bits: Uint8Array.of(0x80) }, entry(7), 8)).to.equal(0);
  });

  it('refuses every index beyond the end, however large', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: BigInt(LIST_BITS), max: 10n ** 400n }), (index) => {
        const [read] = entriesOf(credentialWith('i', { ...statusEntry(URL, 0), statusListIndex: `${index}` })) ?? [];
        return read !== undefined && thrownBy(() => statusAt(list([]), read, LIST_BITS)) === 'StatusRange';
      }),
    );
  });

  it('refuses a list that is too short, before the index', () => {
    expect(thrownBy(() => statusAt(list([], LIST_BITS - 8), entry(LIST_BITS), LIST_BITS))).to.equal('StatusListLength');
  });

  it('refuses another purpose and another type', () => {
    const suspension = { ...list([]), purposes: ['suspension'] };
    expect(thrownBy(() => statusAt(suspension, entry(0), LIST_BITS))).to.equal('StatusVerification');
    const bitstringList: StatusList = { ...list([]), type: 'BitstringStatusListEntry' };
    expect(thrownBy(() => statusAt(bitstringList, entry(0), LIST_BITS))).to.equal('StatusVerification');
  });
});

describe('decodeList', () => {
  const decoded = (text: string) => decodeList(text, 'StatusList2021Entry');

  it('gives the bytes back from either alphabet, with and without padding and multibase prefix', () => {
    const spellings: ((data: Buffer) => string)[] = [
      (data) => data.toString('base64'),
      (data) => data.toString('base64').replace(/=+$/, ''),
      (data) => data.toString('base64url'),
      (data) => data.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      (data) => `u${data.toString('base64url')}`,
    ];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.constantFrom(...spellings), (bytes, spell) => {
        expect(Buffer.from(decoded(spell(gzipSync(bytes))))).to.deep.equal(Buffer.from(bytes));
      }),
    );
  });

  it('reads the shortest list of the specification', () => {
    const empty = 'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA';
    expect(decoded(empty)).to.have.length(16_384);
    expect(decoded(`u${empty}`).every((byte) => byte === 0)).to.equal(true);
  });

  it('refuses other text, wrong padding, damaged data and what unpacks to more than 16 MiB', () => {
    const good = encodeList(bitstring([]));
    const bomb = encodeList(new Uint8Array(16 * 1024 * 1024 + 1));
    const bad = [
      '',
      'u',
      '!',
      `${good}=`,
      `${good}====`,
      ` ${good}`,
      `uu${good}`,
      good.slice(0, -8),
      bomb,
      'AAAA',
      'a+b-',
    ];
    for (const text of bad)
      expect(
        thrownBy(() => decoded(text)),
        text.slice(0, 20),
      ).to.equal('MalformedValue');
  });

  it('refuses text over 1 MiB, and no text takes longer for what it repeats', async () => {
    const MIB = 1024 * 1024;
    expect(() => decoded('A'.repeat(MIB + 1))).to.throw('more than 1048576 characters');
    for (const text of ['=', 'A=', '=A', 'u', 'A']) {
      const refuse = () => expect(thrownBy(() => decoded(text.repeat(MIB / text.length)))).to.equal('MalformedValue');
      expect(await cpuMs(refuse), text).to.be.below(500);
    }
  });

  it('refuses a list whose statuses are written as text', () => {
    const written = ['01010101', '0'.repeat(LIST_BITS), '0,1,'.repeat(20_000), `[${'1, '.repeat(9)}0]`, '00000000\n'];
    for (const text of written)
      expect(() => decoded(encodeList(Buffer.from(text))), text.slice(0, 20)).to.throw('as text, not as bits');
    expect(decoded(encodeList(Buffer.from('0101010\0'))), 'one byte is no digit').to.have.length(8);
  });

  it('reads a Bitstring Status List in multibase alone', () => {
    const data = gzipSync(bitstring([3]));
    const wrong = [
      data.toString('base64url'),
      data.toString('base64'),
      `m${data.toString('base64')}`,
      `U${data.toString('base64url')}=`,
      `u${data.toString('base64')}`,
      `u${data.toString('base64url')}=`,
      `uu${data.toString('base64url')}`,
      '',
      'u',
    ];
    for (const text of wrong)
      expect(
        thrownBy(() => decodeList(text, 'BitstringStatusListEntry')),
        text.slice(0, 20),
      ).to.equal('MalformedValue');
    const bits = decodeList(`u${data.toString('base64url')}`, 'BitstringStatusListEntry');
    expect(Buffer.from(bits).equals(Buffer.from(bitstring([3])))).to.equal(true);
  });
});

describe('a status of several bits', () => {
  const messages = (size: number) =>
    Array.from({ length: 2 ** size }, (_, value) => ({ status: `0x${value.toString(16)}`, message: `is ${value}` }));
  const read = (size: number, changes: object = {}) => {
    const more = { type: 'BitstringStatusListEntry', statusSize: size, statusMessage: messages(size), ...changes };
    return entriesOf(credentialWith('did:example:issuer', statusEntry(URL, 0, { ...more, statusPurpose: 'message' })));
  };

  it('is the value that was packed from the most significant bit on, of every size, with its message', () => {
    const sized = fc.integer({ min: 1, max: 8 }).chain((size) =>
      fc.record({
        size: fc.constant(size),
        values: fc.array(fc.integer({ min: 0, max: 2 ** size - 1 }), { minLength: 1, maxLength: 40 }),
      }),
    );
    fc.assert(
      fc.property(sized, ({ size, values }) => {
        const text = values.map((value) => value.toString(2).padStart(size, '0')).join('');
        const bits = Uint8Array.from(text.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
        const found = { ...list([]), type: 'BitstringStatusListEntry', purposes: ['message'], bits } as const;
        const [one] = read(size) ?? [];
        if (!one) throw new Error('There is no entry');
        for (const [index, value] of values.entries()) {
          expect(statusAt({ ...found, purposes: ['message'] }, { ...one, index }, 1)).to.equal(value);
          expect(one.messages.get(value)).to.equal(`is ${value}`);
        }
        const end = Math.floor((bits.length * 8) / size);
        for (const index of [end, end + 1, Number.POSITIVE_INFINITY])
          expect(thrownBy(() => statusAt({ ...found, purposes: ['message'] }, { ...one, index }, 1))).to.equal(
            'StatusRange',
          );
        expect(thrownBy(() => statusAt({ ...found, purposes: ['message'] }, one, end + 1))).to.equal(
          'StatusListLength',
        );
      }),
      { numRuns: 60 },
    );
  });

  it('is refused without a message for each value, and with more than eight bits', () => {
    const [first, ...others] = messages(2);
    for (const statusMessage of [undefined, others, [...messages(2), first], [first, first, ...others.slice(1)]])
      expect(thrownBy(() => read(2, { statusMessage }))).to.equal('MalformedValue');
    for (const statusSize of [0, 9, 1.5, '2'])
      expect(thrownBy(() => read(2, { statusSize }))).to.equal('MalformedValue');
    expect(thrownBy(() => read(2, { type: 'StatusList2021Entry' }))).to.equal('MalformedValue');
  });
});

describe('Revocation List 2020', () => {
  const named = { type: 'RevocationList2020Status', revocationListCredential: URL };
  const read = (changes: object) => entriesOf(credentialWith('did:example:issuer', { ...named, ...changes }))?.[0];
  const encode = (compress: (bytes: Uint8Array) => Buffer) => compress(bitstring([3])).toString('base64');
  const readList = (encodedList: string, subject: object = {}) =>
    readStatusList({
      claims: {
        type: ['VerifiableCredential', 'RevocationList2020Credential'],
        credentialSubject: { type: 'RevocationList2020', encodedList, ...subject },
      },
      issuer: 'did:example:issuer',
      url: URL,
    });

  it('names its entry by its own members or by those of its successors', () => {
    for (const revocationListIndex of [7, '7']) {
      const found = read({ revocationListIndex });
      expect(found).to.include({
        type: 'RevocationList2020Status',
        purpose: 'revocation',
        list: URL,
        index: 7,
        size: 1,
      });
    }
    const later = { statusListIndex: '7', statusListCredential: URL, statusPurpose: 'revocation' };
    expect(read({ revocationListCredential: undefined, ...later })).to.include({ index: 7, list: URL });
  });

  it('is refused when its members contradict each other or are none', () => {
    for (const changes of [
      { revocationListIndex: 7, statusListIndex: '8' },
      { revocationListIndex: 7, statusListCredential: 'https://lists.example/2' },
      { revocationListIndex: 7, statusPurpose: 'suspension' },
      { revocationListIndex: 7.5 },
      { revocationListIndex: -1 },
      { revocationListIndex: '07' },
      {},
    ])
      expect(
        thrownBy(() => read(changes)),
        JSON.stringify(changes),
      ).to.equal('MalformedValue');
  });

  it('has its bits compressed as zlib in base64, and as nothing else', () => {
    const found = readList(encode(deflateSync));
    expect(found).to.deep.include({ type: 'RevocationList2020Status', purposes: ['revocation'] });
    const at = (index: number) => statusAt(found, { ...entry(index), type: 'RevocationList2020Status' }, LIST_BITS);
    expect([at(3), at(4)]).to.deep.equal([1, 0]);
    for (const wrong of [encode(gzipSync), encode(deflateRawSync), `u${encode(deflateSync)}`, bitstring([]).toString()])
      expect(thrownBy(() => readList(wrong))).to.equal('MalformedValue');
    expect(readList(encode(deflateSync), { statusPurpose: 'suspension' }).purposes).to.deep.equal(['suspension']);
  });
});

describe('readStatusEntries', () => {
  const read = (credentialStatus: unknown) => entriesOf(credentialWith('did:example:issuer', credentialStatus));

  it('finds none where there is none', () => {
    expect(read(undefined)).to.equal(undefined);
    expect(entriesOf({})).to.equal(undefined);
  });

  it('finds those of the document and those of the claims around it', () => {
    const [one, two] = [statusEntry(URL, 1), statusEntry(URL, 2)];
    const both = entriesOf({ vc: { credentialStatus: one }, credentialStatus: [two] });
    expect(both?.map(({ index }) => index)).to.have.members([1, 2]);
  });

  it('reads the purpose without regard to case', () => {
    expect(read(statusEntry(URL, 1, { statusPurpose: 'Revocation' }))?.[0]?.purpose).to.equal('revocation');
  });

  it('accepts only canonical digits for an index', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9+\-. ex]{1,6}$/)), (statusListIndex) => {
        const outcome = thrownBy(() => read(statusEntry(URL, 0, { statusListIndex })));
        return outcome === (/^(0|[1-9][0-9]*)$/.test(statusListIndex) ? 'nothing' : 'MalformedValue');
      }),
    );
  });

  it('rejects every status that cannot be checked', () => {
    const bad: unknown[] = [
      null,
      [],
      'text',
      7,
      [null],
      [statusEntry(URL, 1), 'x'],
      {},
      new Array(11).fill(statusEntry(URL, 1)),
    ];
    const members: Record<string, unknown[]> = {
      type: [undefined, 'RevocationList2020', 'constructor', ['StatusList2021Entry'], 1],
      statusPurpose: [undefined, '', 1, ['revocation']],
      statusListIndex: [undefined, 1, '01', '-1', '1.0', '1e2', '', ' 1', '0x1', '١'],
      statusListCredential: [
        undefined,
        '',
        'ftp://a.example',
        '/lists/1',
        'http://a b',
        `https://a.example/${'x'.repeat(2048)}`,
      ],
      statusSize: [0, 2, '1', null],
    };
    for (const [name, values] of Object.entries(members))
      bad.push(...values.map((value) => statusEntry(URL, 1, { [name]: value })));
    for (const status of bad)
      expect(() => read(status), JSON.stringify(status))
        .to.throw()
        .satisfy(code('MalformedValue'));
    for (const value of [{ id: 'AA' }, { uri: URL }, { id: 'A', uri: URL }, { id: 'A'.repeat(172), uri: URL }, 'x'])
      expect(() => readStatusEntries([{ kind: 'identifier_list', value }]))
        .to.throw()
        .satisfy(code('MalformedValue'));
    for (const id of [undefined, 'x', 'file:///etc/passwd'])
      expect(() => read({ type: 'SimpleCredentialStatus2022', id }))
        .to.throw()
        .satisfy(code('MalformedValue'));
  });
});

describe('readStatusList', () => {
  const did = 'did:example:issuer';
  const read = (options: Partial<Parameters<typeof listClaims>[0]> = {}) =>
    readStatusList({ claims: listClaims({ did, ...options }), issuer: did, url: URL });

  it('reads lists of both specifications', () => {
    expect(read({ vc: { id: URL } })).to.include({ type: 'StatusList2021Entry', issuer: did });
    const claims = {
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      credentialSubject: {
        type: 'BitstringStatusList',
        statusPurpose: ['Suspension', 'revocation'],
        encodedList: `u${encodeList(bitstring([3]))}`,
        ttl: 1000,
      },
    };
    const found = readStatusList({ claims, issuer: did, url: URL });
    expect(found).to.deep.include({ purposes: ['suspension', 'revocation'], ttlMs: 1000 });
  });

  it('refuses a list that names another URL as its own, but lets other identifiers be', () => {
    expect(thrownBy(() => read({ vc: { id: 'https://lists.example/2' } }))).to.equal('StatusVerification');
    expect(read({ vc: { id: 'urn:uuid:1' } })).to.have.property('issuer', did);
  });

  it('refuses what is no status list', () => {
    const type = ['VerifiableCredential'];
    expect(thrownBy(() => read({ vc: { type } }))).to.equal('StatusVerification');
    expect(thrownBy(() => read({ subject: { type: 'BitstringStatusList' } }))).to.equal('StatusVerification');
    for (const credentialSubject of [undefined, null, [], 'x'])
      expect(thrownBy(() => read({ vc: { credentialSubject } }))).to.equal('MalformedValue');
    for (const encodedList of [undefined, 1, '', 'x'])
      expect(thrownBy(() => read({ subject: { encodedList } }))).to.equal('MalformedValue');
    for (const ttl of ['1', -1, null]) expect(thrownBy(() => read({ subject: { ttl } }))).to.equal('MalformedValue');
  });
});
