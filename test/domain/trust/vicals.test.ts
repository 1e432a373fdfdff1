import { cborDecode, cborEncode } from '@owf/mdoc';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { DAY, makeCertificate, testKeys } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { listSigner, MDL, makeVical } from '../../support/trust/trust-list-makers.ts';
import { testTrustLists } from '../../support/trust/trust-lists.ts';

const lists = testTrustLists();
const root = iaca();
const signer = listSigner();
const entries = [{ certificate: root }, { certificate: iaca(1), docType: [MDL, 'org.example'] }];
const read = (source: Uint8Array, signers = [signer.pem]) => lists.read({ kind: 'vical', source, signers });

async function refusal(source: Uint8Array, signers?: string[]): Promise<string> {
  try {
    await read(source, signers);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('VICALs', () => {
  it('are read with the authorities of each entry, their document types and the dates', async () => {
    const list = await read(makeVical({ entries }));
    expect(list.type).to.equal('Example provider');
    expect(list.anchors.map(({ docTypes }) => docTypes)).to.deep.equal([[MDL], [MDL, 'org.example']]);
    expect(list.anchors[0]?.certificate.der).to.deep.equal(new NodeCertificates().parse(root.der).der);
    expect(list.nextUpdate).to.be.within(Date.now(), Date.now() + 2 * DAY);
    expect((await read(makeVical({ members: { nextUpdate: undefined } }))).nextUpdate).to.equal(undefined);
  });

  it('are read with the tag of a COSE_Sign1, and the earlier of nextUpdate and notAfter counts', async () => {
    const notAfter = new Date(Math.floor(Date.now() / 1000) * 1000 + 1000);
    const vical = makeVical({ members: { notAfter } });
    const list = await read(Buffer.concat([Uint8Array.of(0xd2), vical]));
    expect(list.nextUpdate).to.equal(notAfter.getTime());
  });

  it('are accepted from a signer, from below an authority, and without a chain by the key of a signer', async () => {
    const authority = makeCertificate({ subject: 'CN=Root of lists', ca: true, keys: testKeys('P-256', 310) });
    const below = makeCertificate({ subject: 'CN=Below', issuer: authority, keys: testKeys('P-256', 311) });
    expect(await refusal(makeVical({ chain: [below, authority] }), [authority.pem])).to.equal('accepted');
    expect(await refusal(makeVical({ chain: [below] }), [authority.pem])).to.equal('accepted');
    expect(await refusal(makeVical({ chain: [], key: signer.keys.privateKey }))).to.equal('accepted');
    const der = Buffer.from(signer.der).toString('base64');
    expect(await refusal(makeVical(), [der])).to.equal('accepted');
  });

  it('are refused from any other signer', async () => {
    const other = listSigner(2);
    const old = makeCertificate({ keys: testKeys('P-256', 312), notAfter: new Date(Date.now() - DAY) });
    const cases: [string, Buffer, string[], RegExp][] = [
      ['another signer', makeVical({ chain: [other] }), [signer.pem], /not issued by a trusted/],
      ['the key of another', makeVical({ key: other.keys.privateKey }), [signer.pem], /signature is not valid/],
      ['no chain, another key', makeVical({ chain: [], key: other.keys.privateKey }), [signer.pem], /signature is not/],
      ['an expired signer', makeVical({ chain: [old] }), [old.pem], /has expired/],
      ['no signer at all', makeVical(), [], /there is no trust anchor/],
    ];
    for (const [name, vical, signers, expected] of cases)
      expect(await refusal(vical, signers), name).to.match(expected);
  });

  it('property: no changed bit of a signed VICAL is accepted as another list', async () => {
    const vical = makeVical({ entries });
    const { issuedAt, anchors } = await read(vical);
    const genuine = JSON.stringify([issuedAt, anchors.map(({ certificate }) => certificate.fingerprint)]);
    await fc.assert(
      fc.asyncProperty(fc.nat(vical.length - 1), fc.nat(7), async (place, bit) => {
        const changed = Uint8Array.from(vical);
        changed[place] = (changed[place] ?? 0) ^ (1 << bit);
        const found = await read(changed).catch(() => undefined);
        if (!found) return;
        const same = [found.issuedAt, found.anchors.map(({ certificate }) => certificate.fingerprint)];
        expect(JSON.stringify(same)).to.equal(genuine);
      }),
      { numRuns: 150 },
    );
  });

  it('are refused when a member is malformed, naming it', async () => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ version: '2.0' }, /version is not 1\.x/],
      [{ vicalProvider: 7 }, /names no vicalProvider/],
      [{ date: 'yesterday' }, /date is not a date/],
      [{ date: undefined }, /date/],
      [{ nextUpdate: 5 }, /nextUpdate is not a date/],
      [{ certificateInfos: 'none' }, /certificateInfos are not a list/],
      [{ certificateInfos: [7] }, /certificateInfos\[0\] is not a map/],
      [{ certificateInfos: [new Map([['docType', [MDL]]])] }, /certificateInfos\[0\] has no certificate/],
    ];
    for (const [members, expected] of cases) expect(await refusal(makeVical({ members }))).to.match(expected);
    for (const docType of [[], [7], 'x', null])
      expect(await refusal(makeVical({ entries: [{ certificate: root, docType }] }))).to.match(
        /list of document types/,
      );
  });

  it('are refused when they are no COSE_Sign1, of another algorithm, with crit, or too large', async () => {
    expect(await refusal(Buffer.from('not CBOR'))).to.match(/VICAL is not acceptable/);
    expect(await refusal(Buffer.from(cborEncode(new Map())))).to.match(/no COSE_Sign1/);
    expect(await refusal(makeVical({ header: new Map([[1, 5]]) }))).to.match(/alg must be one of/);
    const critical = new Map<number, unknown>([
      [1, -7],
      [2, [99]],
    ]);
    expect(await refusal(makeVical({ header: critical }))).to.match(/crit is not supported/);
    expect(await refusal(new Uint8Array(2 * 1024 * 1024 + 1))).to.match(/at most 2097152 bytes/);
    const bomb = Buffer.concat([Buffer.alloc(100_000, 0x81), Uint8Array.of(0)]);
    expect(await refusal(bomb)).to.match(/nested deeper/);
    const twice = cborDecode<unknown[]>(makeVical());
    expect(await refusal(Buffer.from(cborEncode([...twice, 1])))).to.match(/no COSE_Sign1/);
  });

  it('are read up to 2,000 authorities, each for up to 50 document types, and refused beyond', async () => {
    const docType = Array.from({ length: 50 }, (_, n) => `org.example.${n}`);
    const info = new Map<string, unknown>(Object.entries({ certificate: Uint8Array.of(1), docType }));
    const withEntries = (count: number) => makeVical({ members: { certificateInfos: Array(count).fill(info) } });
    expect(withEntries(2000).length).to.be.lessThan(2 * 1024 * 1024);
    expect((await read(withEntries(2000))).anchors).to.deep.equal([]);
    expect(await refusal(withEntries(2001))).to.match(/more than 2000 certificateInfos/);
  });

  it('are read up to 2 MiB, and refused beyond', async () => {
    const most = 2 * 1024 * 1024;
    const sized = (bytes: number) => makeVical({ members: { filler: new Uint8Array(bytes) } });
    const rest = sized(100_000).length - 100_000;
    const [largest, larger] = [sized(most - rest), sized(most - rest + 1)];
    expect([largest.length, larger.length]).to.deep.equal([most, most + 1]);
    expect(await refusal(largest)).to.equal('accepted');
    expect(await refusal(larger)).to.match(/at most 2097152 bytes/);
  });

  it('an entry that is no readable certificate is no anchor, and the others are', async () => {
    const info = (certificate: Uint8Array) => new Map<string, unknown>(Object.entries({ certificate, docType: [MDL] }));
    const certificateInfos = [info(Uint8Array.of(1, 2, 3)), info(root.der)];
    expect((await read(makeVical({ members: { certificateInfos } }))).anchors).to.have.length(1);
  });
});
