import { expect } from 'chai';
import fc from 'fast-check';
import { OwfMdocReader } from '../../adapters/formats/mdoc/mdoc-reader.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { DOCUMENT, encode, issuerSignedOf, tagged } from '../support/credentials/mdocs.ts';

const reader = new OwfMdocReader();
const parse = (bytes: Uint8Array) => reader.parse(bytes);
/** The message of a refusal; any other error fails the test. */
const refusal = (bytes: Uint8Array): Promise<string> =>
  parse(bytes).then(
    (json) => expect.fail(JSON.stringify(json)),
    (error) => {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return error.message;
    },
  );

describe('reading mdocs', () => {
  it('shows a document with its elements and its decoded MobileSecurityObject', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into any part
    const { docType, issuerSigned } = (await parse(DOCUMENT)) as any;
    expect(docType).to.equal('org.iso.18013.5.1.mDL');
    const elements = issuerSigned.nameSpaces['org.iso.18013.5.1'];
    expect(elements[0]).to.deep.equal({
      digestID: 0,
      random: '_OayHZMLW5n600mAqwbI7g',
      elementIdentifier: 'family_name',
      elementValue: 'Doe',
    });
    expect(elements.map((one: { elementValue: unknown }) => one.elementValue)).to.deep.equal([
      'Doe',
      'John',
      '1980-01-01',
    ]);
    const [protectedHeader, unprotectedHeader, mso, signature] = issuerSigned.issuerAuth;
    expect(protectedHeader).to.deep.equal({ 1: -7 });
    expect(Buffer.from(unprotectedHeader[33], 'base64url').subarray(0, 2).toString('hex')).to.equal('3082');
    expect(mso).to.include({ version: '1.0', digestAlgorithm: 'SHA-256', docType });
    expect(mso.validityInfo.validUntil).to.equal('2025-07-25T13:05:31.483Z');
    expect(Buffer.from(signature, 'base64url')).to.have.length(64);
  });

  it('shows an IssuerSigned, a DeviceResponse and a MobileSecurityObject, with and without its tag', async () => {
    const { issuerSigned, mso } = issuerSignedOf(DOCUMENT);
    expect(await parse(issuerSigned)).to.have.keys('nameSpaces', 'issuerAuth');
    expect(await parse(mso)).to.have.property('valueDigests');
    const response = encode({ version: '1.0', documents: [DOCUMENT], status: 0 });
    const { documents } = await parse(response);
    expect(documents).to.deep.equal([await parse(DOCUMENT)]);
    expect(await parse(encode({ version: '1.0', status: 10 }))).to.deep.equal({ version: '1.0', status: 10 });
  });

  it('refuses what is no mdoc, is not well-formed, or has tags that no mdoc has', async () => {
    const texts = [
      '',
      'a0',
      '80',
      '01',
      'f6',
      'ff',
      '9f',
      'a1',
      'a26161',
      '5f4101ff',
      '0102',
      '1c',
      'f8ff',
      'e0',
      'd81c80',
      'd81d00',
      'd9dfff820102',
      'd8408243010203',
      'c249010000000000000000',
      'd81801',
      'd81841ff',
      '9bffffffffffffffff',
      'bb00000001ffffffff',
      '5bffffffffffffffff',
    ];
    for (const text of texts) expect(await refusal(Buffer.from(text, 'hex')), text).to.be.a('string');
    for (const members of [
      { issuerAuth: 1 },
      { issuerSigned: {}, docType: 'a' },
      { version: '1.0', status: 0, documents: [1] },
      { valueDigests: {} },
      { docType: 'a' },
    ])
      expect(await refusal(encode(members))).to.include('is not an IssuerSigned');
  });

  it('refuses more than 256 KiB, 32 levels or 20,000 items, embedded ones included', async () => {
    expect(await refusal(new Uint8Array(256 * 1024 + 1))).to.include('262144 bytes');
    expect(await refusal(Buffer.from(`${'81'.repeat(40)}01`, 'hex'))).to.include('deeper than 32');
    let embedded: Uint8Array = Buffer.from('01', 'hex');
    for (let level = 0; level < 20; level += 1) embedded = tagged(embedded);
    expect(await refusal(embedded)).to.include('deeper than 32');
    const many = Buffer.concat([Buffer.from('994e20', 'hex'), Buffer.alloc(20_000, 1)]);
    expect(await refusal(many)).to.include('20000 items');
  });

  it('refuses texts that are not UTF-8, as names and as values, at any depth', async () => {
    for (const text of ['61ff', 'a161ff01', 'a1616162c328', '816361ed20', 'd8184261ff', '62c080'])
      expect(await refusal(Buffer.from(text, 'hex')), text).to.include('not UTF-8');
    expect(await refusal(Buffer.from('a263efbbbf01616102', 'hex'))).to.not.include('two members');
  });

  it('refuses a map with two members of one name, in any encoding, or with a name that is no text and no integer', async () => {
    for (const members of [
      'a2616101616102',
      'a26161017801' + '6102',
      'bf616101616102ff',
      'a20101180102',
      'a20101613102',
    ])
      expect(await refusal(Buffer.from(members, 'hex')), members).to.include('two members of one name');
    expect(await refusal(Buffer.from('a1f401', 'hex'))).to.include('neither a text nor an integer');
  });

  it('leaves COSE structures inside of COSE structures as bytes, however deep they are', async () => {
    const text = (hex: string) => Buffer.from(hex, 'hex');
    const bytes = (content: Uint8Array) =>
      Buffer.concat([text('5a'), text(content.length.toString(16).padStart(8, '0')), content]);
    let nested: Buffer = text('a0');
    for (let level = 0; level < 300; level += 1)
      nested = Buffer.concat([
        text('a1'),
        Buffer.from(encode('issuerAuth')),
        text('8440a0'),
        bytes(nested),
        text('40'),
      ]);
    const json = await parse(encode({ version: '1.0', status: 0, documents: [], more: nested }));
    let depth = 0;
    for (let part: unknown = json; part && typeof part === 'object'; depth += 1)
      part = Object.values(part).findLast((one) => typeof one === 'object' && JSON.stringify(one).length > 4);
    expect(depth).to.be.at.most(32);
  });

  it('of any change to an mdoc it makes JSON or a refusal, never another error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(DOCUMENT.length - 1),
        fc.integer({ min: 0, max: 255 }),
        fc.boolean(),
        async (at, byte, isCut) => {
          const changed = Buffer.from(DOCUMENT);
          changed[at] = byte;
          const bytes = isCut ? changed.subarray(0, at) : changed;
          const json = await parse(bytes).catch((error) => {
            if (!isDomainError(error, 'BadRequest')) throw error;
          });
          if (json) JSON.stringify(json);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('of any bytes it makes JSON or a refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        await refusal(bytes);
      }),
      { numRuns: 1000 },
    );
  });
});
