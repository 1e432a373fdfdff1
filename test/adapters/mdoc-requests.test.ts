import { verify, X509Certificate } from 'node:crypto';
import { cborDecode, cborEncode, DataItem } from '@owf/mdoc';
import { expect } from 'chai';
import fc from 'fast-check';
import { hpke } from '../../adapters/crypto/hpke.ts';
import { OwfMdocRequests } from '../../adapters/formats/mdoc/mdoc-requests.ts';
import { sessionTranscript } from '../../adapters/formats/mdoc/session-transcript.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import type { MdocExchange, RequestedDocument } from '../../ports/codecs/mdoc-requests.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { testMdocs } from '../support/credentials/formats.ts';
import { seal } from '../support/credentials/hpke-seal.ts';
import { IsoDcApiWallet } from '../support/credentials/iso-dc-api-wallet.ts';
import { documentSignerChain, issueMdoc, MDL, mdocSigner } from '../support/credentials/mdoc-issuer.ts';
import { testKeys } from '../support/trust/certificates.ts';

const requests = new OwfMdocRequests({ hpke });
const { docType, namespace } = MDL;
const PHOTO_ID = 'org.iso.23220.photoid.1';
const ORIGIN = 'https://shop.example';
const ASKED: RequestedDocument[] = [
  { docType, elements: { [namespace]: ['family_name', 'age_over_18'] } },
  { docType: PHOTO_ID, elements: { 'org.iso.23220.1': ['family_name'] } },
];

const KEYS = { dids: { key: () => Promise.reject(new Error('none')) }, issuers: { keys: async () => [] } };
const { publicKey, privateKey } = testKeys('P-256', 44);
const KEY = privateKey.export({ format: 'jwk' });
const jwk = publicKey.export({ format: 'jwk' }) as PublicJwk;

async function exchanged() {
  const encryptionInfo = await requests.encryptionInfo({ nonce: Buffer.alloc(32, 5), jwk });
  const exchange: MdocExchange = { kind: 'iso-dc-api', origin: ORIGIN, encryptionInfo };
  const request = { deviceRequest: await requests.deviceRequest(ASKED), encryptionInfo };
  const licence = await issueMdoc();
  const elements = { 'org.iso.23220.1': { family_name: 'Roe', sex: 1 } };
  const photoId = await issueMdoc({ type: PHOTO_ID, document: elements });
  const wallet = new IsoDcApiWallet({ [docType]: licence, [PHOTO_ID]: photoId });
  return { exchange, request, wallet };
}

const refusal = (opening: Promise<unknown>): Promise<string> =>
  opening.then(
    (opened) => expect.fail(JSON.stringify(opened)),
    (error) => {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return error.message;
    },
  );

describe('HPKE', () => {
  it('the judge of these tests makes the example of RFC 9180 A.3.1', () => {
    const hex = (text: string) => Buffer.from(text, 'hex');
    const { enc, ciphertext } = seal(hex('4265617574792069732074727574682c20747275746820626561757479'), {
      receiver: hex(
        '04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0',
      ),
      info: hex('4f6465206f6e2061204772656369616e2055726e'),
      ephemeral: hex('4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb'),
      aad: hex('436f756e742d30'),
    });
    expect(enc.toString('hex')).to.equal(
      '04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4',
    );
    expect(ciphertext.toString('hex')).to.equal(
      '5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434',
    );
  });

  it('what the judge encrypts is decrypted with its key and info, and refused after any change', async () => {
    const { x = '', y = '' } = jwk as { x?: string; y?: string };
    const receiver = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(bytes, bytes, fc.nat(), async (plaintext, info, place) => {
        const message = { ...seal(plaintext, { receiver, info }), info };
        expect(Buffer.from(await hpke.open(message, KEY))).to.deep.equal(Buffer.from(plaintext));
        for (const member of ['enc', 'ciphertext', 'info'] as const) {
          const changed = Uint8Array.from(message[member]);
          changed[place % changed.length] = (changed[place % changed.length] ?? 0) ^ 1;
          await refusal(hpke.open({ ...message, [member]: changed }, KEY));
        }
      }),
      { numRuns: 15 },
    );
    const message = { ...seal(Buffer.of(1), { receiver, info: Buffer.of(1) }), info: Buffer.of(1) };
    await refusal(hpke.open({ ...message, enc: message.enc.subarray(1) }, KEY));
    await refusal(hpke.open({ ...message, ciphertext: Buffer.of(1) }, KEY));
    await refusal(hpke.open(message, testKeys('P-256', 45).privateKey.export({ format: 'jwk' })));
  });
});

describe('requests for mdocs over the Digital Credentials API', () => {
  it('ask for elements of documents, without a word on keeping them', async () => {
    const { request, wallet } = await exchanged();
    expect([...wallet.asked(request)]).to.deep.equal([
      [
        docType,
        [
          [namespace, 'family_name'],
          [namespace, 'age_over_18'],
        ],
      ],
      [PHOTO_ID, [['org.iso.23220.1', 'family_name']]],
    ]);
    const decoded = cborDecode(Buffer.from(request.deviceRequest, 'base64url')) as Map<string, unknown>;
    expect([...decoded.keys()]).to.deep.equal(['version', 'docRequests']);
    expect(decoded.get('version')).to.equal('1.0');
    const [first] = decoded.get('docRequests') as Map<string, DataItem<Map<string, Map<string, unknown>>>>[];
    expect(first?.get('itemsRequest')?.data.get('nameSpaces')?.get(namespace)).to.deep.equal(
      new Map([
        ['family_name', false],
        ['age_over_18', false],
      ]),
    );
  });

  it('signed by a reader, each document and all of them are bound to the exchange', async () => {
    const { exchange } = await exchanged();
    const signer = await mdocSigner();
    const chain = documentSignerChain(signer).map((text) => Uint8Array.from(Buffer.from(text, 'base64')));
    for (const certificates of [chain, chain.slice(0, 1)]) {
      const text = await requests.deviceRequest(ASKED, { reader: { signer, chain: certificates }, exchange });
      const decoded = cborDecode(Buffer.from(text, 'base64url')) as Map<string, unknown>;
      expect(decoded.get('version')).to.equal('1.1');
      const docRequests = decoded.get('docRequests') as Map<string, unknown>[];
      const items = docRequests.map((one) => one.get('itemsRequest'));
      const transcript = sessionTranscript(exchange, { cborEncode });
      const isSigned = (auth: unknown, ...signed: unknown[]) => {
        const [header, unprotected, payload, signature] = auth as [Uint8Array, Map<number, unknown>, null, Uint8Array];
        expect([payload, header]).to.deep.equal([null, cborEncode(new Map([[1, -7]]))]);
        const [leaf] = [unprotected.get(33)].flat() as [Uint8Array];
        expect([unprotected.get(33)].flat()).to.have.length(certificates.length);
        const data = cborEncode(DataItem.fromData(signed));
        const input = cborEncode(['Signature1', header, new Uint8Array(), data]);
        const key = new X509Certificate(leaf).publicKey;
        return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);
      };
      for (const [index, one] of docRequests.entries())
        expect(isSigned(one.get('readerAuth'), 'ReaderAuthentication', transcript, items[index])).to.equal(true);
      const [all] = decoded.get('readerAuthAll') as [unknown];
      expect(isSigned(all, 'ReaderAuthenticationAll', transcript, items, null)).to.equal(true);
      const others = sessionTranscript({ ...exchange, origin: 'https://other.example' }, { cborEncode });
      expect(isSigned(all, 'ReaderAuthenticationAll', others, items, null)).to.equal(false);
    }
    const reader = { signer: { ...signer, keyType: 'RSA' as const }, chain };
    expect(await refusal(requests.deviceRequest(ASKED, { reader, exchange }))).to.include('RSA');
  });

  it('are answered by a response to one exchange, which becomes a presentation of each document', async () => {
    const { exchange, request, wallet } = await exchanged();
    const opened = await requests.open(await wallet.answer(request, ORIGIN), { exchange, key: KEY });
    expect(opened.map((one) => one.docType)).to.deep.equal([docType, PHOTO_ID]);
    const shown = [];
    for (const { presentation } of opened) {
      const presented = await testMdocs.parsePresentation(presentation);
      const challenge = { ...KEYS, nonce: '', audience: '', now: 0, maxAgeMs: 300_000 };
      expect(await presented.verifyHolder({ ...challenge, handover: exchange })).to.deep.equal({ valid: true });
      const handover = { ...exchange, origin: 'https://other.example' };
      expect(await presented.verifyHolder({ ...challenge, handover })).to.include({ valid: false });
      for (const credential of presented.credentials) {
        expect(await credential.verifyIssuer(KEYS)).to.deep.equal({ valid: true });
        shown.push(credential.claims);
      }
    }
    expect(shown).to.deep.equal([
      { [namespace]: { family_name: 'Doe', age_over_18: true } },
      { 'org.iso.23220.1': { family_name: 'Roe' } },
    ]);
  });

  it('a response to another page, another request or another key is refused', async () => {
    const { exchange, request, wallet } = await exchanged();
    const answer = await wallet.answer(request, ORIGIN);
    const open = (changes: Partial<MdocExchange>, key: object = KEY) =>
      refusal(requests.open(answer, { exchange: { ...exchange, ...changes }, key: { ...key } }));
    const other = await requests.encryptionInfo({ nonce: Buffer.alloc(32, 6), jwk });
    expect(await open({ origin: 'https://other.example' })).to.include('not one that this server can decrypt');
    expect(await open({ encryptionInfo: other })).to.include('not one that this server can decrypt');
    expect(await open({}, testKeys('P-256', 45).privateKey.export({ format: 'jwk' }))).to.include('decrypt');
  });

  it('refuses what is no encrypted response, and what holds no documents', async () => {
    const { exchange, request, wallet } = await exchanged();
    const open = (text: string) => refusal(requests.open(text, { exchange, key: KEY }));
    const encoded = (value: unknown) => Buffer.from(cborEncode(value)).toString('base64url');
    const data = (enc: unknown, cipherText: unknown) =>
      new Map([
        ['enc', enc],
        ['cipherText', cipherText],
      ]);
    expect(await open('%')).to.include('base64url');
    expect(await open('gQ')).to.include('well-formed CBOR');
    expect(await open('n_8')).to.include('indefinite length');
    expect(await open(encoded(['other', data(new Uint8Array(65), new Uint8Array(20))]))).to.include('dcapi');
    expect(await open(encoded(['dcapi', data(1, new Uint8Array(20))]))).to.include('byte strings');
    expect(await open(encoded(['dcapi', new Map([['enc', new Uint8Array(65)]])]))).to.include('byte strings');
    expect(await open(encoded(['dcapi', data(new Uint8Array(65), new Uint8Array(20))]))).to.include('decrypt');
    const sealed = (value: unknown) => open(wallet.encrypt(encoded(value), request, ORIGIN));
    expect(await sealed([1])).to.include('DeviceResponse with documents');
    expect(await sealed(new Map([['documents', []]]))).to.include('DeviceResponse with documents');
    expect(await sealed(new Map([['documents', [1]]]))).to.include('no docType');
    const undated = Buffer.from('a169646f63756d656e747381a167646f6354797065c06178', 'hex').toString('base64url');
    expect(await open(wallet.encrypt(undated, request, ORIGIN))).to.include('no docType');
  });
});
