import { cborDecode, type DataItem } from '@owf/mdoc';
import { expect } from 'chai';
import fc from 'fast-check';
import { isDomainError } from '../../domain/foundation/errors.ts';
import type { CredentialContent } from '../../ports/credential-formats.ts';
import type { KeyType } from '../../ports/key-service.ts';
import { testMdocs } from '../support/credentials/formats.ts';
import {
  deviceKey,
  documentSignerChain,
  issueMdoc,
  issueWith,
  MDL,
  mdocContent,
  mdocSigner,
} from '../support/credentials/mdoc-issuer.ts';
import { localKeys } from '../support/keys/local-keys.ts';
import { DAY, makeCertificate, testKeys } from '../support/trust/certificates.ts';

const NO_KEYS = {
  dids: { key: () => Promise.reject(new Error('an mdoc names no DID')) },
  issuers: { keys: async () => [] },
};
const HOUR = 3_600_000;

/** What the decoder of the library sees in an mdoc. */
function decoded(text: string) {
  const issuerSigned = cborDecode(Buffer.from(text, 'base64url')) as Map<string, unknown>;
  const [, unprotectedHeader, payload] = issuerSigned.get('issuerAuth') as [unknown, Map<number, unknown>, Uint8Array];
  const object = cborDecode(payload) as Map<string, unknown>;
  const namespaces = issuerSigned.get('nameSpaces') as Map<string, DataItem<Map<string, unknown>>[]>;
  return { unprotectedHeader, object, namespaces };
}

/** The refusal of a content: its code, message and fields. */
const refusalOf = (changes: Partial<CredentialContent>, keyType?: KeyType) =>
  issueMdoc(changes, keyType).then(
    () => expect.fail('it was issued'),
    (error) => {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return { message: error.message, paths: error.details?.map(({ path }) => path.join('/')) };
    },
  );

/** The CBOR of the value of one element, in hexadecimal: what follows its name in the item. */
function cborOf(text: string, namespace: string): string {
  const [item] = decoded(text).namespaces.get(namespace) ?? [];
  const bytes = Buffer.from(item?.buffer ?? []);
  return bytes.subarray(bytes.indexOf('elementValue') + 'elementValue'.length).toString('hex');
}

describe('issuing mdocs', () => {
  it('what is parsed is exactly what was issued, for any JSON', async () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== '__proto__');
    const value = fc
      .jsonValue({ maxDepth: 4 })
      .map((json) => JSON.parse(JSON.stringify(json).replaceAll('__proto__', 'proto')));
    const elements = fc.dictionary(name, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true });
    const document = fc.dictionary(name, elements, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
    const curve = fc.constantFrom('P-256', 'P-384', 'P-521', 'Ed25519');
    await fc.assert(
      fc.asyncProperty(document, curve, name, async (issued, crv, type) => {
        const jwk = deviceKey(crv as 'P-256');
        const parsed = await testMdocs.parse(await issueMdoc({ document: issued, holder: { jwk }, type }));
        expect(parsed.claims).to.deep.equal(issued);
        expect(parsed.holder?.jwk).to.deep.include({ crv, x: jwk.x });
        expect(parsed).to.include({ type, format: 'mso_mdoc', alg: 'ES256' });
        expect(await parsed.verifyIssuer(NO_KEYS)).to.deep.equal({ valid: true });
      }),
      { numRuns: 60 },
    );
  });

  it('integers stay integers, of any size', async () => {
    for (const [number, hex] of [
      [4_294_967_296, '1b0000000100000000'],
      [-4_294_967_296, '3b00000000ffffffff'],
      [9_007_199_254_740_991, '1b001fffffffffffff'],
    ] as const) {
      const text = await issueMdoc({ document: { a: { n: number } } });
      expect(cborOf(text, 'a')).to.equal(hex);
      expect((await testMdocs.parse(text)).claims).to.deep.equal({ a: { n: number } });
    }
  });

  it('dates and byte strings of the namespaces of standards have their CBOR types', async () => {
    const { namespace } = MDL;
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
    const rows: [string, unknown, string, unknown][] = [
      ['birth_date', '1980-01-31', 'd903ec6a313938302d30312d3331', '1980-01-31'],
      [
        'issue_date',
        '2026-01-02T03:04:05Z',
        `c074${Buffer.from('2026-01-02T03:04:05Z').toString('hex')}`,
        '2026-01-02T03:04:05Z',
      ],
      [
        'expiry_date',
        '2026-01-02T03:04:05.678+01:00',
        `c074${Buffer.from('2026-01-02T02:04:05Z').toString('hex')}`,
        '2026-01-02T02:04:05Z',
      ],
      ['portrait', bytes.toString('base64url'), '44ffd8ffe0', bytes.toString('base64url')],
      ['portrait', bytes.toString('base64'), '44ffd8ffe0', bytes.toString('base64url')],
      [
        'signature_usual_mark',
        `data:image/jpeg;base64,${bytes.toString('base64')}`,
        '44ffd8ffe0',
        bytes.toString('base64url'),
      ],
      ['document_number', '1980-01-31', '6a313938302d30312d3331', '1980-01-31'],
    ];
    for (const [element, given, hex, shown] of rows) {
      const text = await issueMdoc({ document: { [namespace]: { [element]: given } } });
      expect(cborOf(text, namespace), element).to.equal(hex);
      expect((await testMdocs.parse(text)).claims, element).to.deep.equal({ [namespace]: { [element]: shown } });
    }
    const privileges = [{ vehicle_category_code: 'A', issue_date: '2018-08-09' }];
    const nested = await issueMdoc({ document: { [namespace]: { driving_privileges: privileges } } });
    expect(cborOf(nested, namespace)).to.include('d903ec6a323031382d30382d3039');
  });

  it('names the element that cannot be written', async () => {
    const { namespace } = MDL;
    for (const element of [{ portrait: 'not bytes!' }, { birth_date: '31.01.1980' }, { family_name: '\ud800' }]) {
      const [name] = Object.keys(element);
      const { paths } = await refusalOf({ document: { [namespace]: element } });
      expect(paths).to.deep.equal([`document/${namespace}/${name}`]);
    }
    for (const [document, path] of [
      [{}, 'document'],
      [{ a: {} }, 'document/a'],
      [{ a: 'b' }, 'document/a'],
      [{ a: { b: 'x'.repeat(262_144) } }, 'document'],
    ] as const)
      expect((await refusalOf({ document })).paths, path).to.deep.equal([path]);
  });

  it('digest ids and salts are random, each once in its namespace, and long enough', async () => {
    const elements = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`e${index}`, index]));
    const texts = [await issueMdoc({ document: { a: elements } }), await issueMdoc({ document: { a: elements } })];
    const drawn = texts.flatMap((text) => decoded(text).namespaces.get('a') ?? []).map(({ data }) => data);
    const ids = drawn.map((item) => Number(item.get('digestID')));
    const salts = drawn.map((item) => Buffer.from(item.get('random') as Uint8Array).toString('hex'));
    expect(new Set(ids.slice(0, 40))).to.have.property('size', 40);
    expect(ids.slice(0, 40)).to.not.deep.equal(ids.slice(40));
    expect(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 2 ** 31)).to.equal(true);
    expect(new Set(salts)).to.have.property('size', 80);
    expect(salts.every((salt) => salt.length >= 32)).to.equal(true);
  });

  it('is valid for the given days, 365 by default, and never longer than the certificate', async () => {
    const signer = await mdocSigner();
    const issuedAt = Date.parse('2026-05-06T07:08:09.999Z');
    const notBefore = new Date(issuedAt - DAY);
    const validity = async (changes: Partial<CredentialContent>, notAfter = new Date(issuedAt + 4000 * DAY)) => {
      const x5c = documentSignerChain(signer, { notBefore, notAfter });
      const text = await issueMdoc({ issuedAt, x5c, ...changes });
      const { validity } = await testMdocs.parse(text);
      return { ...Object.fromEntries([...validity.starts, ...validity.ends].map(({ key, ms }) => [key, ms])), text };
    };
    const start = Date.parse('2026-05-06T07:08:09Z');
    const year = await validity({});
    expect(year).to.include({ signed: start, validFrom: start, validUntil: start + 365 * DAY });
    expect(Buffer.from(year.text, 'base64url').toString('hex')).to.include(
      'c074323032362d30352d30365430373a30383a30395a',
    );
    expect(await validity({ validityDays: 10 })).to.include({ validUntil: start + 10 * DAY });
    const end = Math.floor((issuedAt + 5 * HOUR) / 1000) * 1000;
    expect(await validity({ validityDays: 10 }, new Date(end))).to.include({ validUntil: end });
    for (const validityDays of [0, -1, 1.5, Number.NaN, 1e300])
      expect((await refusalOf({ validityDays })).paths, String(validityDays)).to.deep.equal(['validityDays']);
    for (const bounds of [{ notAfter: new Date(issuedAt - 1000) }, { notBefore: new Date(issuedAt + DAY) }]) {
      const x5c = documentSignerChain(signer, { notBefore, ...bounds });
      expect((await refusalOf({ issuedAt, x5c })).paths).to.deep.equal(['x5c/0']);
    }
  });

  it('names its issuer by the certificates of the signing key, without the anchor', async () => {
    const signer = await mdocSigner();
    const [leaf = '', anchor = ''] = documentSignerChain(signer);
    const der = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));
    const text = await issueMdoc({ x5c: [leaf, anchor] });
    expect(decoded(text).unprotectedHeader.get(33)).to.deep.equal(der(leaf));
    const { issuer } = await testMdocs.parse(text);
    expect(issuer).to.deep.equal({ kind: 'certificates', id: 'CN=Utopia Document Signer, C=UT', chain: [der(leaf)] });
    const other = documentSignerChain(await mdocSigner('secp384r1'));
    expect((await refusalOf({ x5c: undefined })).paths).to.deep.equal(['x5c']);
    expect((await refusalOf({ x5c: other })).paths).to.deep.equal(['x5c/0']);
    expect((await refusalOf({ x5c: ['%'] })).paths).to.deep.equal(['x5c/0']);
    expect((await refusalOf({ x5c: Array(11).fill(leaf) })).message).to.include('at most 10');
  });

  it('refuses a self-signed certificate, which names no authority', async () => {
    const keys = testKeys('P-256', 60);
    const jwk = keys.privateKey.export({ format: 'jwk' });
    const { backends } = localKeys();
    const signer = backends.signer(await backends.read({ type: 'jwk', jwk }));
    const x5c = [Buffer.from(makeCertificate({ subject: 'CN=Alone,C=UT', keys }).der).toString('base64')];
    const error = await issueWith(signer, { x5c }).catch((reason) => reason);
    expect(isDomainError(error, 'BadRequest') && error.details?.[0]?.path).to.deep.equal(['x5c', 0]);
  });

  it('every EC and EdDSA key type signs, RSA and secp256k1 are refused by name', async () => {
    const algorithms = { secp256r1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512', Ed25519: 'EdDSA' } as const;
    for (const [keyType, alg] of Object.entries(algorithms)) {
      const signer = await mdocSigner(keyType as KeyType);
      const text = await testMdocs.issue(mdocContent(signer), signer);
      const parsed = await testMdocs.parse(text);
      expect(parsed.alg).to.equal(alg);
      expect(await parsed.verifyIssuer(NO_KEYS), alg).to.deep.equal({ valid: true });
    }
    for (const keyType of ['RSA', 'secp256k1'] as const) {
      const signer = await mdocSigner(keyType);
      const { message } = await refusalOf(mdocContent(signer, { x5c: [] }), keyType);
      expect(message).to.include(`an issuer key of the type ${keyType}`);
    }
  });

  it('is bound to the key of the holder, which must be one that a device signs with', async () => {
    const rsa = (await mdocSigner('RSA')).publicJwk;
    const secp256k1 = (await mdocSigner('secp256k1')).publicJwk;
    for (const jwk of [rsa, secp256k1])
      expect((await refusalOf({ holder: { jwk } })).message).to.include('cannot be bound to a key');
    expect((await refusalOf({ holder: { did: 'did:example:holder' } })).paths).to.deep.equal(['holder']);
    expect((await refusalOf({ type: undefined })).paths).to.deep.equal(['type']);
  });

  it('authorizes the key for the hash of each type of transaction data', async () => {
    const authorizations = (text: string) =>
      (decoded(text).object.get('deviceKeyInfo') as Map<string, unknown>).get('keyAuthorizations');
    const text = await issueMdoc({ transactionDataTypes: ['urn:eudi:sca:payment:1'] });
    const elements = ['transaction_data_hash', 'transaction_data_hash_alg'];
    expect(authorizations(text)).to.deep.equal(
      new Map([['dataElements', new Map([['urn:eudi:sca:payment:1', elements]])]]),
    );
    for (const transactionDataTypes of [undefined, []])
      expect(authorizations(await issueMdoc({ transactionDataTypes }))).to.equal(undefined);
  });

  it('states its status in the signed object', async () => {
    const uri = 'https://status.example/lists/1';
    const bytes = Buffer.from('0a0b0c', 'hex');
    const list = { idx: 4_294_967_295, uri };
    const statusOf = async (status: unknown) => (await testMdocs.parse(await issueMdoc({ status }))).status;
    expect(await statusOf(undefined)).to.deep.equal([]);
    expect(await statusOf({ status_list: list })).to.deep.equal([{ kind: 'status_list', value: list }]);
    const certificate = bytes.toString('base64url');
    const read = [{ kind: 'identifier_list', value: { id: certificate, uri, certificate } }];
    for (const id of ['0a0b0c', '0x0A0B0C', bytes.toString('base64url')])
      expect(await statusOf({ identifier_list: { id, uri, certificate: '0a0b0c' } }), id).to.deep.equal(read);
  });

  it('refuses a status that is none or several, naming the member', async () => {
    const uri = 'https://status.example/lists/1';
    const [list, identifiers] = [
      { idx: 1, uri },
      { id: '0a', uri },
    ];
    const rows: [unknown, string][] = [
      [{}, 'status'],
      ['https://status.example', 'status'],
      [{ status_list: list, identifier_list: identifiers }, 'status'],
      [{ status_list: list, other: 1 }, 'status'],
      [{ status_list: 1 }, 'status/status_list'],
      [{ status_list: { ...list, id: '0a' } }, 'status/status_list'],
      [{ status_list: { ...list, idx: -1 } }, 'status/status_list/idx'],
      [{ status_list: { ...list, idx: 4_294_967_296 } }, 'status/status_list/idx'],
      [{ status_list: { ...list, idx: '1' } }, 'status/status_list/idx'],
      [{ status_list: { ...list, uri: '/lists/1' } }, 'status/status_list/uri'],
      [{ status_list: { ...list, certificate: '%' } }, 'status/status_list/certificate'],
      [{ identifier_list: { ...identifiers, id: '' } }, 'status/identifier_list/id'],
    ];
    for (const [status, path] of rows)
      expect((await refusalOf({ status })).paths, JSON.stringify(status)).to.deep.equal([path]);
  });
});
