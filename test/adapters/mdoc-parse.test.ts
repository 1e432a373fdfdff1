import { cborDecode, cborEncode, DataItem } from '@owf/mdoc';
import { expect } from 'chai';
import fc from 'fast-check';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { testMdocs } from '../support/credentials/formats.ts';
import {
  deviceKey,
  documentSignerChain,
  issueMdoc,
  issueWith,
  MDL,
  mdocSigner,
} from '../support/credentials/mdoc-issuer.ts';
import { DOCUMENT, encode, issuerSignedOf } from '../support/credentials/mdocs.ts';
import { DAY, makeCertificate, testKeys } from '../support/trust/certificates.ts';

const NO_KEYS = {
  dids: { key: () => Promise.reject(new Error('an mdoc names no DID')) },
  issuers: { keys: async () => [] },
};
const { namespace } = MDL;

type Item = DataItem<Map<string, unknown>>;
type Auth = [Uint8Array, Map<number, unknown>, Uint8Array, Uint8Array];
interface Parts {
  nameSpaces: Map<string, Item[]>;
  issuerAuth: Auth;
}

/** An mdoc after a change of its parts. */
function changed(text: string, change: (parts: Parts) => Partial<Record<keyof Parts, unknown>>): string {
  const decoded = cborDecode(Buffer.from(text, 'base64url')) as Map<string, unknown>;
  const parts = Object.fromEntries(decoded) as unknown as Parts;
  return Buffer.from(cborEncode(new Map(Object.entries({ ...parts, ...change(parts) })))).toString('base64url');
}

/** An mdoc whose first element has other members. */
const withItem = (text: string, change: Record<string, unknown>): string =>
  changed(text, ({ nameSpaces }) => {
    const [first, ...others] = nameSpaces.get(namespace) ?? [];
    const item = DataItem.fromData(new Map([...(first?.data ?? []), ...Object.entries(change)]));
    return { nameSpaces: new Map([[namespace, [item, ...others]]]) };
  });

/** An mdoc whose MobileSecurityObject has other members, under the old signature. */
const withObject = (text: string, change: Record<string, unknown>): string =>
  changed(text, ({ issuerAuth: [header, unprotected, payload, signature] }) => {
    const object = new Map([...(cborDecode(payload) as Map<string, unknown>), ...Object.entries(change)]);
    return { issuerAuth: [header, unprotected, cborEncode(DataItem.fromData(object)), signature] };
  });

const refusal = (text: string): Promise<string> =>
  testMdocs.parse(text).then(
    (parsed) => expect.fail(JSON.stringify(parsed)),
    (error) => {
      if (!isDomainError(error, 'BadRequest')) throw error;
      expect(error.message).to.include('not an acceptable mdoc');
      return error.message;
    },
  );

const isValid = async (text: string): Promise<boolean> =>
  (await (await testMdocs.parse(text)).verifyIssuer(NO_KEYS)).valid;

describe('parsing mdocs', () => {
  it('the document of another issuer is verified over its own bytes', async () => {
    const { issuerSigned } = issuerSignedOf(DOCUMENT);
    const text = Buffer.from(issuerSigned).toString('base64url');
    const parsed = await testMdocs.parse(text);
    expect(parsed).to.deep.include({
      format: 'mso_mdoc',
      type: MDL.docType,
      alg: 'ES256',
      claims: { [namespace]: { family_name: 'Doe', given_name: 'John', birth_date: '1980-01-01' } },
      status: [],
    });
    expect(parsed.document).to.deep.include({ docType: MDL.docType, nameSpaces: parsed.claims });
    expect(parsed.issuer).to.include({ kind: 'certificates', id: 'CN=MDOC Test Issuer' });
    expect(parsed.validity.ends).to.deep.equal([
      { key: 'validUntil', ms: Date.parse('2025-07-25T13:05:31.483Z'), toleranceMs: 0 },
    ]);
    expect(parsed.holder?.jwk).to.include({ kty: 'EC', crv: 'P-256' });
    expect(await isValid(text)).to.equal(true);
  });

  it('an element that is withheld leaves the rest valid', async () => {
    const text = changed(await issueMdoc(), ({ nameSpaces }) => ({
      nameSpaces: new Map([...nameSpaces].map(([name, items]) => [name, items.slice(1)])),
    }));
    expect((await testMdocs.parse(text)).claims).to.deep.equal({ [namespace]: { age_over_18: true } });
    expect(await isValid(text)).to.equal(true);
    const nothing = changed(text, () => ({ nameSpaces: new Map() }));
    expect((await testMdocs.parse(nothing)).claims).to.deep.equal({});
    expect(await isValid(nothing)).to.equal(true);
  });

  it('an element with another value, name, salt or digest id is not signed', async () => {
    const text = await issueMdoc();
    for (const change of [
      { elementValue: 'Roe' },
      { elementIdentifier: 'given_name' },
      { random: new Uint8Array(32) },
      { digestID: 7 },
    ])
      expect(await (await testMdocs.parse(withItem(text, change))).verifyIssuer(NO_KEYS)).to.deep.equal({
        valid: false,
        refusal: 'digest',
      });
    const moved = changed(text, ({ nameSpaces }) => ({ nameSpaces: new Map([['other', nameSpaces.get(namespace)]]) }));
    expect(await isValid(moved)).to.equal(false);
    expect(await isValid(text)).to.equal(true);
  });

  it('another document type, device key or status is not signed', async () => {
    const text = await issueMdoc();
    const status = new Map([['status_list', new Map<string, unknown>([['idx', 1]])]]);
    for (const change of [{ docType: 'org.iso.23220.photoid.1' }, { status }, { version: '1.0', more: 1 }])
      expect(await isValid(withObject(text, change)), Object.keys(change).join()).to.equal(false);
    const others = await issueMdoc({ holder: { jwk: deviceKey('P-384') } });
    const swapped = changed(text, ({ nameSpaces }) => ({
      issuerAuth: changedAuth(others),
      nameSpaces,
    }));
    expect(await isValid(swapped)).to.equal(false);
  });

  it('certificates of another key do not make it valid', async () => {
    const text = await issueMdoc();
    const [own = ''] = documentSignerChain(await mdocSigner());
    const other = makeCertificate({ subject: 'CN=Other,C=UT', keys: testKeys('P-256', 42) }).der;
    const rsa = makeCertificate({ subject: 'CN=RSA,C=UT' }).der;
    const chained = (x5chain: unknown) =>
      changed(text, ({ issuerAuth: [header, , payload, signature] }) => ({
        issuerAuth: [header, new Map([[33, x5chain]]), payload, signature],
      }));
    const der = Uint8Array.from(Buffer.from(own, 'base64'));
    expect(await isValid(chained([der, other]))).to.equal(true);
    for (const leaf of [other, rsa, [other, der]]) expect(await isValid(chained(leaf))).to.equal(false);
    expect(await refusal(chained([]))).to.include('no x5chain');
    expect(await refusal(chained([1]))).to.include('not a list of certificates');
    expect(await refusal(chained(der.subarray(1)))).to.include('not a well-formed X.509 certificate');
    expect(await refusal(chained(Array(11).fill(der)))).to.include('at most 10');
  });

  it('is not valid when the certificate of its signer was not valid at the time of signing', async () => {
    const signer = await mdocSigner();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const x5c = documentSignerChain(signer, { notBefore: new Date(now), notAfter: new Date(now + DAY) });
    const text = await issueWith(signer, { issuedAt: now, x5c });
    expect(await isValid(text)).to.equal(true);
    for (const period of [{ notBefore: new Date(now + 1000) }, { notAfter: new Date(now - 1000) }]) {
      const [other = ''] = documentSignerChain(signer, period);
      const chained = changed(text, ({ issuerAuth: [header, , payload, signature] }) => ({
        issuerAuth: [header, new Map([[33, Uint8Array.from(Buffer.from(other, 'base64'))]]), payload, signature],
      }));
      const check = await (await testMdocs.parse(chained)).verifyIssuer(NO_KEYS);
      expect(check).to.deep.equal({ valid: false, refusal: 'certificate-period' });
    }
  });

  it('refuses two elements of one name or one digest id, and short salts', async () => {
    const text = await issueMdoc();
    const twice = (members: Record<string, unknown>) =>
      changed(text, ({ nameSpaces }) => {
        const [first] = nameSpaces.get(namespace) ?? [];
        const second = DataItem.fromData(new Map([...(first?.data ?? []), ...Object.entries(members)]));
        return { nameSpaces: new Map([[namespace, [first, second]]]) };
      });
    expect(await refusal(twice({ digestID: 1 }))).to.include('two elements of one name');
    expect(await refusal(twice({ elementIdentifier: 'other' }))).to.include('two elements of one digestID');
    expect(await refusal(withItem(text, { random: new Uint8Array(15) }))).to.include('fewer than 16 bytes');
    expect(await refusal(withItem(text, { digestID: -1 }))).to.include('not an unsigned integer');
    expect(await refusal(withItem(text, { elementIdentifier: '__proto__' }))).to.include('__proto__');
  });

  it('refuses signatures of other algorithms, critical headers and payloads that are detached', async () => {
    const text = await issueMdoc();
    const signedWith = (header: unknown, payload?: unknown) =>
      changed(text, ({ issuerAuth: [, unprotected, own, signature] }) => ({
        issuerAuth: [header, unprotected, payload === undefined ? own : payload, signature],
      }));
    const header = (...members: [number, unknown][]) => cborEncode(new Map(members));
    expect(await refusal(signedWith(header([1, -257])))).to.include('alg must be one of');
    expect(await refusal(signedWith(header()))).to.include('alg must be one of');
    expect(await refusal(signedWith(header([1, -7], [2, [99]])))).to.include('crit');
    expect(await refusal(signedWith(new Uint8Array()))).to.include('COSE_Sign1');
    expect(await refusal(signedWith(cborEncode(1)))).to.include('not a map');
    expect(await refusal(signedWith(header([1, -7]), null))).to.include('COSE_Sign1');
    expect(await isValid(signedWith(header([1, -35])))).to.equal(false);
    // ESP256 of RFC 9864 is ES256 with its curve; here it is not what was signed.
    expect((await testMdocs.parse(signedWith(header([1, -9])))).alg).to.equal('ES256');
  });

  it('refuses payloads that are deep or malformed before a decoder sees them', async () => {
    const text = await issueMdoc();
    const carrying = (payload: Uint8Array) =>
      changed(text, ({ issuerAuth: [header, unprotected, , signature] }) => ({
        issuerAuth: [header, unprotected, payload, signature],
      }));
    expect(await refusal(carrying(Buffer.from(`${'81'.repeat(20_000)}01`, 'hex')))).to.include('deeper than 32');
    expect(await refusal(carrying(Buffer.from('d818415f', 'hex')))).to.include('well-formed CBOR');
    expect(await refusal(carrying(encode({ version: '1.0' })))).to.include('IssuerSigned');
    expect(await refusal(withObject(text, { digestAlgorithm: 'MD5' }))).to.include('IssuerSigned');
    expect(await refusal(withObject(text, { version: '2.0' }))).to.include('IssuerSigned');
    const validityInfo = new Map([['signed', 1]]);
    expect(await refusal(withObject(text, { validityInfo }))).to.include('IssuerSigned');
    const rsaKey = new Map([['deviceKey', new Map([[1, 3]])]]);
    expect(await refusal(withObject(text, { deviceKeyInfo: rsaKey }))).to.include('mdoc');
  });

  it('refuses what is no IssuerSigned', async () => {
    const hex = Buffer.from(await issueMdoc(), 'base64url').toString('hex');
    for (const text of [
      '',
      'e30',
      '%',
      hex,
      'eyJhbGciOiJFUzI1NiJ9.e30.AA',
      Buffer.from(DOCUMENT).toString('base64url'),
    ])
      await refusal(text);
    expect(await refusal('gQ')).to.include('well-formed CBOR');
    expect(await refusal('AQ')).to.include('IssuerSigned');
  });

  it('a status of no known kind is kept, alone and beside others, so that it is not taken for none', async () => {
    const unknown = { kind: 'unknown', value: 1 };
    const list = { kind: 'status_list', value: 2 };
    for (const [status, expected] of [
      [new Map([['other', 1]]), [unknown]],
      [new Map(Object.entries({ status_list: 2, other: 1 })), [list, unknown]],
      [new Map(), [{ kind: 'unknown', value: {} }]],
      ['x', [{ kind: 'unknown', value: 'x' }]],
    ])
      expect((await testMdocs.parse(withObject(await issueMdoc(), { status }))).status).to.deep.equal(expected);
  });

  it('of any change to a byte it makes a refusal, or an mdoc that is not signed unless it says the same', async () => {
    const bytes = Buffer.from(await issueMdoc(), 'base64url');
    const { claims, type, holder } = await testMdocs.parse(bytes.toString('base64url'));
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ mask;
        const parsed = await testMdocs.parse(other.toString('base64url')).catch((error) => {
          if (!isDomainError(error, 'BadRequest')) throw error;
        });
        if (!parsed || !(await parsed.verifyIssuer(NO_KEYS)).valid) return;
        expect(parsed).to.deep.include({ claims, type, holder });
      }),
      { numRuns: 400 },
    );
  });
});

/** The signature part of another mdoc. */
function changedAuth(text: string): unknown {
  const decoded = cborDecode(Buffer.from(text, 'base64url')) as Map<string, unknown>;
  return decoded.get('issuerAuth');
}
