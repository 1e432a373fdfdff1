import { cborDecode, cborEncode, DataItem } from '@owf/mdoc';
import { expect } from 'chai';
import fc from 'fast-check';
import { digest } from '../../domain/foundation/bytes.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import type { Handover, ParsedPresentation } from '../../ports/credential-formats.ts';
import { testMdocs } from '../support/credentials/formats.ts';
import { deviceKey, issueMdoc, MDL } from '../support/credentials/mdoc-issuer.ts';
import {
  type DeviceCurve,
  deviceSigner,
  HANDOVER,
  HANDOVERS,
  presentMdocs,
} from '../support/credentials/mdoc-presenter.ts';

const KEYS = {
  dids: { key: () => Promise.reject(new Error('an mdoc names no DID')) },
  issuers: { keys: async () => [] },
};
const { namespace } = MDL;

const challenge = (handover?: Handover) => ({ ...KEYS, nonce: '', audience: '', now: 0, maxAgeMs: 300_000, handover });

const isHeld = async (presented: ParsedPresentation, handover: Handover | undefined = HANDOVER): Promise<boolean> =>
  (await presented.verifyHolder(challenge(handover))).valid;

type Members = Map<string, unknown>;

/** A response after a change of its decoded members. */
function changed(text: string, change: (response: Members, document: Members) => void): string {
  const response = cborDecode(Buffer.from(text, 'base64url')) as Members;
  change(response, (response.get('documents') as Members[])[0] ?? new Map());
  return Buffer.from(cborEncode(response)).toString('base64url');
}

const inner = (members: Members, name: string): Members => members.get(name) as Members;

const refusal = (text: string): Promise<string> =>
  testMdocs.parsePresentation(text).then(
    (parsed) => expect.fail(JSON.stringify(parsed)),
    (error) => {
      if (!isDomainError(error, 'BadRequest')) throw error;
      expect(error.message).to.include('vp_token: The presentation is not an acceptable mdoc response');
      return error.message;
    },
  );

/** The refusal of a response to present. */
const notPresented = (presenting: Promise<string>): Promise<string> =>
  presenting.then(
    () => expect.fail('was presented'),
    (error) => {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return error.message;
    },
  );

describe('presenting mdocs', () => {
  it('shows the chosen elements of each document, signed with the key of the device for one exchange', async () => {
    const document = { [namespace]: { family_name: 'Doe', age_over_18: true }, 'org.iso.18013.5.1.aamva': { sex: 1 } };
    for (const curve of ['P-256', 'P-384', 'P-521', 'Ed25519'] satisfies DeviceCurve[]) {
      const mdoc = await issueMdoc({ document, holder: { jwk: deviceKey(curve) } });
      const credentials = [{ document: mdoc, disclosed: [[namespace, 'age_over_18']] }, { document: mdoc }];
      const text = await presentMdocs([], { credentials }, deviceSigner(curve));
      const presented = await testMdocs.parsePresentation(text);
      expect(presented.credentials.map(({ claims }) => claims)).to.deep.equal([
        { [namespace]: { age_over_18: true } },
        document,
      ]);
      expect(presented).to.deep.include({ format: 'mso_mdoc', binding: { kind: 'transcript' } });
      expect(await isHeld(presented), curve).to.equal(true);
      for (const { verifyIssuer } of presented.credentials)
        expect(await verifyIssuer(KEYS)).to.include({ valid: true });
      expect(testMdocs.isPresentation(text)).to.equal(true);
    }
  });

  it('what may be withheld is each element; whole namespaces and parts of an element name the elements they touch', async () => {
    const document = { [namespace]: { driving_privileges: [{ code: 'B' }], height: 180 }, other: { a: 1, b: 2 } };
    const mdoc = await issueMdoc({ document });
    expect((await testMdocs.parse(mdoc)).withholdable).to.deep.equal([
      [namespace, 'driving_privileges'],
      [namespace, 'height'],
      ['other', 'a'],
      ['other', 'b'],
    ]);
    const shown = async (disclosed: (string | number)[][]) => {
      const text = await presentMdocs([], { credentials: [{ document: mdoc, disclosed }] });
      const presented = await testMdocs.parsePresentation(text);
      expect(await isHeld(presented)).to.equal(true);
      expect(await presented.credentials[0]?.verifyIssuer(KEYS)).to.deep.equal({ valid: true });
      return presented.credentials[0]?.claims;
    };
    expect(await shown([['other'], [namespace, 'driving_privileges', 0, 'code']])).to.deep.equal({
      [namespace]: { driving_privileges: [{ code: 'B' }] },
      other: { a: 1, b: 2 },
    });
    expect(await shown([])).to.deep.equal({});
    expect(await shown([['absent', 'a']])).to.deep.equal({});
  });

  it('invalid-session-transcript: a response is that of its own exchange alone', async () => {
    const mdoc = await issueMdoc();
    for (const handover of HANDOVERS) {
      const presented = await testMdocs.parsePresentation(await presentMdocs([mdoc], { handover }));
      expect(await isHeld(presented, handover), handover.kind).to.equal(true);
      const members = Object.keys(handover).filter((name) => name !== 'kind');
      const others: Handover[] = [
        ...HANDOVERS.filter(({ kind }) => kind !== handover.kind),
        ...members.map((name): Handover => ({ ...handover, [name]: name === 'encryptionKey' ? undefined : 'other' })),
      ];
      for (const other of others) expect(await isHeld(presented, other), JSON.stringify(other)).to.equal(false);
      expect(await presented.verifyHolder(challenge())).to.deep.equal({ valid: false, refusal: 'no-exchange' });
    }
  });

  it('refuses a key that the mdoc is not bound to, and exchanges without a transcript', async () => {
    const mdoc = await issueMdoc();
    expect(await notPresented(presentMdocs([mdoc], {}, deviceSigner('P-384')))).to.include('bound to another key');
    expect(await notPresented(presentMdocs([mdoc], { handover: undefined }))).to.include('session transcript');
    const secp256k1 = { ...deviceSigner(), keyType: 'secp256k1' as const };
    expect(await notPresented(presentMdocs([mdoc], {}, secp256k1))).to.include('signs no mdoc');
    expect(await notPresented(presentMdocs(['oA']))).to.include('COSE_Sign1');
  });
});

describe('parsing responses with mdocs', () => {
  it('every document must be signed by its own device', async () => {
    const [mine, other] = [await issueMdoc(), await issueMdoc({ holder: { jwk: deviceKey('P-384') } })];
    const [text, others] = [await presentMdocs([mine]), await presentMdocs([other], {}, deviceSigner('P-384'))];
    const documentOf = (one: string) =>
      ((cborDecode(Buffer.from(one, 'base64url')) as Members).get('documents') as Members[])[0] as Members;
    const both = changed(text, (response, document) => response.set('documents', [document, documentOf(others)]));
    expect(await isHeld(await testMdocs.parsePresentation(both))).to.equal(true);
    const swapped = changed(text, (response, document) => {
      const stolen = new Map([...documentOf(others), ['deviceSigned', document.get('deviceSigned')]]);
      response.set('documents', [document, stolen]);
    });
    expect(await isHeld(await testMdocs.parsePresentation(swapped))).to.equal(false);
  });

  it('refuses other versions, errors, unknown members and responses without documents', async () => {
    const text = await presentMdocs([await issueMdoc()]);
    const set = (name: string, value: unknown) => changed(text, (response) => response.set(name, value));
    expect(await refusal(set('version', '1.1'))).to.include('version');
    expect(await refusal(set('status', 10))).to.include('its status is 10');
    expect(await refusal(set('documents', []))).to.include('1 to 32 documents');
    expect(await refusal(set('documents', Array(33).fill(new Map())))).to.include('1 to 32 documents');
    expect(await refusal(set('zkDocuments', []))).to.include('DeviceResponse');
    expect(await refusal(set('documentErrors', [new Map([['doc', 'x']])]))).to.include('documentErrors');
    const missing = set('documentErrors', [new Map([['org.iso.23220.photoid.1', 0]])]);
    expect((await testMdocs.parsePresentation(missing)).document).to.deep.include({
      documentErrors: [{ 'org.iso.23220.photoid.1': 0 }],
    });
    for (const other of ['', 'oA', 'e30', await issueMdoc(), `${text}=`, 'gmVkY2FwaQ']) await refusal(other);
  });

  it('refuses documents that contradict themselves', async () => {
    const text = await presentMdocs([await issueMdoc()]);
    const set = (name: string, value: unknown) => changed(text, (_, document) => document.set(name, value));
    expect(await refusal(set('docType', 'org.iso.23220.photoid.1'))).to.include('not that of its signed object');
    const codes = (element: string, code: unknown) => new Map([[namespace, new Map([[element, code]])]]);
    expect(await refusal(set('errors', codes('family_name', 0)))).to.include('both a value and an error');
    expect(await refusal(set('errors', codes('height', 'none')))).to.include('error codes');
    const withErrors = await testMdocs.parsePresentation(set('errors', codes('height', 0)));
    expect(withErrors.document)
      .to.have.nested.property(`documents[0].errors`)
      .deep.equal({ [namespace]: { height: 0 } });
    const deviceSigned = (nameSpaces: unknown, auth: Members) =>
      set(
        'deviceSigned',
        new Map<string, unknown>([
          ['nameSpaces', nameSpaces],
          ['deviceAuth', auth],
        ]),
      );
    const empty = DataItem.fromData(new Map());
    const mac = [cborEncode(new Map([[1, 5]])), new Map(), null, new Uint8Array(32)];
    expect(await refusal(deviceSigned(empty, new Map([['deviceMac', mac]])))).to.include('deviceMac needs a key');
    expect(await refusal(deviceSigned(empty, new Map()))).to.include('COSE_Sign1');
    expect(await refusal(deviceSigned(new Map(), new Map()))).to.include('DeviceNameSpacesBytes');
    const attached = [cborEncode(new Map([[1, -7]])), new Map(), new Uint8Array(1), new Uint8Array(64)];
    expect(await refusal(deviceSigned(empty, new Map([['deviceSignature', attached]])))).to.include('detached payload');
  });

  it('elements that the device signs are shown apart, and only when its issuer authorized them', async () => {
    const transactionDataTypes = ['payment', 'login'];
    const mdoc = await issueMdoc({ transactionDataTypes });
    const hash = Buffer.from(digest('sha256', 'transaction')).toString('base64url');
    const transactionData = { hashes: [hash, hash], types: transactionDataTypes, algorithm: 'sha-256' };
    const text = await presentMdocs([mdoc], { transactionData });
    const presented = await testMdocs.parsePresentation(text);
    expect(await isHeld(presented)).to.equal(true);
    expect(presented.transactionData).to.deep.equal(transactionData);
    const signed = { transaction_data_hash: hash, transaction_data_hash_alg: 'sha-256' };
    expect(presented.document).to.have.nested.property('documents[0].deviceSigned.nameSpaces').deep.equal({
      payment: signed,
      login: signed,
    });
    expect(presented.credentials[0]?.claims).to.not.have.any.keys('payment', 'login');
    const unnamed = await presentMdocs([mdoc], { transactionData: { hashes: [hash], types: ['login'] } });
    expect((await testMdocs.parsePresentation(unnamed)).transactionData).to.deep.equal({
      hashes: [hash],
      types: ['login'],
      algorithm: undefined,
    });
    const plain = await issueMdoc();
    expect(await notPresented(presentMdocs([plain], { transactionData }))).to.include(
      'lets the device not sign payment',
    );
    const twice = { hashes: [hash, hash], types: ['login', 'login'] };
    expect(await notPresented(presentMdocs([mdoc], { transactionData: twice }))).to.include('of each type');
    const ownAge = changed(text, (_, document) => {
      const own = DataItem.fromData(new Map([[namespace, new Map([['age_over_18', true]])]]));
      inner(document, 'deviceSigned').set('nameSpaces', own);
    });
    expect(await refusal(ownAge)).to.include(`lets the device not sign ${namespace} age_over_18`);
    const changedHash = changed(text, (_, document) => {
      const own = DataItem.fromData(new Map([['login', new Map([['transaction_data_hash', new Uint8Array(32)]])]]));
      inner(document, 'deviceSigned').set('nameSpaces', own);
    });
    expect(await isHeld(await testMdocs.parsePresentation(changedHash))).to.equal(false);
  });

  it('refuses what a decoder should not see: size, depth, indefinite lengths and members of one name', async () => {
    const big = Buffer.alloc(256 * 1024 + 1, 0xa0).toString('base64url');
    expect(await refusal(big)).to.include('at most 262144 bytes');
    const hexed = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
    expect(await refusal(hexed(`a1${'81'.repeat(40)}01`))).to.include('deeper than 32');
    expect(await refusal(hexed('a16461616161'.concat('9b7fffffffffffffff')))).to.include('well-formed CBOR');
    expect(await refusal(hexed('bf6776657273696f6e63312e30ff'))).to.include('indefinite length');
    expect(await refusal(hexed('a16776657273696f6e9f01ff'))).to.include('indefinite length');
    expect(await refusal(hexed('a26673746174757300667374617475730a'))).to.include('two members of one name');
    const text = await presentMdocs([await issueMdoc()]);
    const indefinite = changed(text, (_, document) => {
      inner(document, 'deviceSigned').set('nameSpaces', DataItem.fromBuffer(Uint8Array.of(0xbf, 0xff)));
    });
    expect(await refusal(indefinite)).to.include('indefinite length');
  });

  it('of any change to a byte it makes a refusal, or a response that is not signed unless it shows the same', async () => {
    const mdoc = await issueMdoc({ transactionDataTypes: ['login'] });
    const hash = Buffer.alloc(32, 7).toString('base64url');
    const text = await presentMdocs([mdoc], { transactionData: { hashes: [hash], types: ['login'] } });
    const bytes = Buffer.from(text, 'base64url');
    const { document, transactionData } = await testMdocs.parsePresentation(text);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ mask;
        const parsed = await testMdocs.parsePresentation(other.toString('base64url')).catch((error) => {
          if (!isDomainError(error, 'BadRequest')) throw error;
        });
        if (!parsed || !(await isHeld(parsed))) return;
        const [credential] = parsed.credentials;
        if (!credential || !(await credential.verifyIssuer(KEYS)).valid) return;
        expect(parsed).to.deep.include({ document, transactionData });
      }),
      { numRuns: 400 },
    );
  });
});
