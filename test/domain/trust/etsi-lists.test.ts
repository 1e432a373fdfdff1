import { sign } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { SignedXml } from 'xml-crypto';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { EtsiLists } from '../../../adapters/trust-lists/etsi-lists.ts';
import { DAY, testKeys } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import {
  CA_QC,
  GRANTED,
  jsonList,
  listSigner,
  PID_ISSUANCE,
  rsaListSigner,
  signJson,
  signXml,
  xmlList,
} from '../../support/trust/trust-list-makers.ts';
import { testTrustLists } from '../../support/trust/trust-lists.ts';

const lists = testTrustLists();
const root = iaca();
const services = [{ certificate: root }, { certificate: iaca(1) }];
const [rsa, ec] = [rsaListSigner(), listSigner()];

const read = (source: string, signers: string[] | undefined) =>
  lists.read({ kind: 'etsi', source, signers, isUnsigned: signers === undefined });

async function refusal(source: string, signers: string[] | undefined = [rsa.pem, ec.pem]): Promise<string> {
  try {
    await read(source, signers);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

const WITH_STATUS = /(<ServiceStatus>[^<]*\/)granted/;

const ECDSA = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';

/** ECDSA for signing, which the library lacks. */
class EcdsaSha256 {
  getAlgorithmName = () => ECDSA;
  getSignature = (text: unknown, key: unknown) =>
    sign('sha256', Buffer.from(String(text)), { key: String(key), dsaEncoding: 'ieee-p1363' }).toString('base64');
  verifySignature = () => false;
}

function signEcdsa(text: string): string {
  const signature = new SignedXml({
    privateKey: ec.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicCert: ec.pem,
    signatureAlgorithm: ECDSA,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.SignatureAlgorithms[ECDSA] = EcdsaSha256;
  signature.addReference({
    xpath: '/*',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    isEmptyUri: true,
  });
  signature.computeSignature(text);
  return signature.getSignedXml();
}

describe('trust lists in XML (ETSI TS 119 612)', () => {
  const signed = signXml(xmlList({ services }), { signer: rsa });

  it('are read with the type, the status and the dates of each service', async () => {
    const since = new Date(Math.floor(Date.now() / 1000) * 1000 - DAY);
    const list = await read(signXml(xmlList({ services: [{ certificate: root, since }] })), [rsa.pem]);
    expect(list.type).to.match(/EUgeneric$/);
    expect(list.nextUpdate).to.be.within(Date.now(), Date.now() + 2 * DAY);
    const [anchor, ...others] = list.anchors;
    expect(others).to.deep.equal([]);
    expect(anchor).to.deep.include({ serviceType: CA_QC, status: GRANTED, statusSince: since.getTime() });
    expect(anchor?.certificate.subject.rdns).to.have.length(3);
  });

  it('are accepted with RSA and ECDSA, with or without the certificate, and without an end date', async () => {
    for (const text of [
      signed,
      signEcdsa(xmlList({ services })),
      signXml(xmlList({ nextUpdate: null })),
      signXml(xmlList(), { isBare: true }),
    ])
      expect(await refusal(text)).to.equal('accepted');
  });

  it('are refused without a signature, from another signer and with another key', async () => {
    expect(await refusal(xmlList({ services }))).to.match(/not signed by a trusted signer/);
    expect(await refusal(signXml(xmlList(), { signer: rsaListSigner(1) }))).to.match(/not issued by a trusted/);
    const other = { ...rsa, keys: testKeys('RSA', 51) };
    expect(await refusal(signXml(xmlList(), { signer: other }))).to.match(/signature is not valid/);
    expect(await refusal(signed, [])).to.match(/there is no trust anchor/);
  });

  it('property: no changed character of what is signed is accepted as another list', async () => {
    const { anchors, issuedAt, nextUpdate, type } = await read(signed, [rsa.pem]);
    const shown = (one: typeof anchors) => one.map(({ certificate, ...facts }) => [certificate.fingerprint, facts]);
    const genuine = JSON.stringify([shown(anchors), issuedAt, nextUpdate, type]);
    await fc.assert(
      fc.asyncProperty(fc.nat(signed.length - 1), fc.constantFrom('A', '0', '<', ' ', '"'), async (place, letter) => {
        const changed = signed.slice(0, place) + letter + signed.slice(place + 1);
        const found = await read(changed, [rsa.pem]).catch(() => undefined);
        if (found)
          expect(JSON.stringify([shown(found.anchors), found.issuedAt, found.nextUpdate, found.type])).to.equal(
            genuine,
          );
      }),
      { numRuns: 120 },
    );
  });

  describe('of more than 64 KiB, which a thread reads', () => {
    const large = Array.from({ length: 70 }, () => services).flat();
    const text = signXml(xmlList({ services: large }), { signer: rsa });

    it('say the same as others, and are refused for the same reasons', async () => {
      expect(text.length).to.be.above(64 * 1024);
      const { anchors } = await read(text, [rsa.pem]);
      expect(anchors).to.have.length(140);
      const [first] = (await read(signed, [rsa.pem])).anchors;
      expect(anchors[138]).to.deep.include({ serviceType: first?.serviceType, status: first?.status });
      expect(anchors[138]?.certificate.fingerprint).to.equal(first?.certificate.fingerprint);
      const forged = text.replace(WITH_STATUS, '$1withdrawn');
      expect(await refusal(forged)).to.match(/signature is not valid/);
      expect(await refusal(text.replace('</TSPServices>', '</Other>'))).to.match(/^The trust list .*not well-formed/);
      expect(await refusal(text, [ec.pem])).to.match(/not issued by a trusted/);
    });

    it('are refused when the thread ends without an answer, and when 16 of them wait', async () => {
      const signatures = new NodeSignatures(new PrometheusMetrics());
      const reader = new EtsiLists({ signatures, script: new URL('file:///no-such-script.js') });
      const outcomes = await Promise.allSettled(Array.from({ length: 18 }, () => reader.parse(Buffer.from(text))));
      const codes = outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'read'));
      expect(codes).to.deep.equal([...Array(16).fill('BadRequest'), 'Overloaded', 'Overloaded']);
      const [again] = await Promise.allSettled([reader.parse(Buffer.from(text))]);
      expect(again?.status === 'rejected' && again.reason.message).to.match(/could not be read/);
    });
  });

  it('are refused when a part is signed and the rest is wrapped around it', async () => {
    const partly = signXml(xmlList({ services }), { xpath: "//*[local-name(.)='SchemeInformation']" });
    expect(await refusal(partly)).to.match(/not of the whole list|cannot be verified/);
    const forged = xmlList({ services: [{ certificate: iaca(9) }] });
    const inner = signed.replace(/^<\?xml[^>]*>\s*/, '');
    const around = (place: string) => forged.replace(place, `<Wrapped>${inner}</Wrapped>${place}`);
    for (const wrapped of [around('</SchemeInformation>'), around('</TrustServiceStatusList>')])
      expect(await refusal(wrapped)).to.match(/in another place/);
    const [signature = ''] = /<Signature[\s\S]*<\/Signature>/.exec(signed) ?? [];
    const moved = forged.replace('</TrustServiceStatusList>', `${signature}</TrustServiceStatusList>`);
    expect(await refusal(moved)).to.match(/signature is not valid/);
    const twice = signed.replace('</TrustServiceStatusList>', `${signature}</TrustServiceStatusList>`);
    expect(await refusal(twice)).to.match(/more than one signature/);
    const unsigned = `<Original xmlns="" Id="list">${inner.replace(signature, '')}</Original>`;
    const original = `<Object xmlns="http://www.w3.org/2000/09/xmldsig#">${unsigned}</Object></Signature>`;
    expect(
      await refusal(
        forged.replace(
          '</TrustServiceStatusList>',
          `${signature.replace('</Signature>', original)}</TrustServiceStatusList>`,
        ),
      ),
    ).to.match(/signature is not valid/);
  });

  it('are refused when a signature leaves out more than itself, or has a weak or unknown algorithm', async () => {
    const withoutEnveloped = { transforms: ['http://www.w3.org/2001/10/xml-exc-c14n#'] };
    expect(await refusal(signXml(xmlList(), withoutEnveloped))).to.not.equal('accepted');
    const weak = [
      { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
      { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' },
      {
        transforms: [
          'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
          'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
        ],
      },
    ];
    for (const signing of weak) expect(await refusal(signXml(xmlList(), signing))).to.match(/cannot be verified/);
  });

  it('are refused with a document type, entities, too deep, too many tags or too long ones', async () => {
    const bomb = `<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>`;
    const cases: [string, RegExp][] = [
      [xmlList().replace('\n', `\n${bomb}`), /has a document type/],
      [xmlList({}, '<X>&b;</X>'), /not well-formed/],
      [xmlList({}, '<a>'.repeat(70) + '</a>'.repeat(70)), /nested deeper than 64/],
      [xmlList({}, '<a/>'.repeat(100_001)), /more than 100000 tags/],
      [xmlList({}, `<a ${'b="1" '.repeat(1000)}/>`), /tag of more than 4096 characters/],
      [xmlList().slice(0, -9), /not well-formed|tag of more/],
      ['<a/>', /not a TrustServiceStatusList/],
      ['<', /tag of more/],
      [`<a>${'x'.repeat(2 * 1024 * 1024)}</a>`, /at most 2097152 bytes/],
    ];
    for (const [text, expected] of cases) expect(await refusal(text)).to.match(expected);
  });

  it('are refused with a malformed date or certificate, or a critical extension', async () => {
    const critical = '<SchemeExtensions><Extension Critical="true"><X/></Extension></SchemeExtensions>';
    const text = xmlList({ services });
    const cases: [string, RegExp][] = [
      [xmlList({}, critical), /critical extension/],
      [text.replace(/<ListIssueDateTime>[^<]*/, '<ListIssueDateTime>soon'), /no date as ListIssueDateTime/],
      [text.replace(/<dateTime>[^<]*/, '<dateTime>soon'), /no date as NextUpdate/],
      [text.replace(/<StatusStartingTime>[^<]*/, '<StatusStartingTime>soon'), /no date as StatusStartingTime/],
      [text.replace(/<X509Certificate>[^<]*/, '<X509Certificate>?'), /not base64/],
      [text.replace(/<SchemeInformation>[\s\S]*<\/SchemeInformation>/, ''), /no SchemeInformation/],
    ];
    for (const [changed, expected] of cases) expect(await refusal(changed, undefined)).to.match(expected);
  });

  it('are read without a look at the signature only where that is asked for', async () => {
    expect((await read(xmlList({ services }), undefined)).anchors).to.have.length(2);
  });
});

describe('trust lists in JSON (ETSI TS 119 602)', () => {
  const signed = signJson(jsonList({ services }), ec);

  it('are read with the type, the status and the dates of each service', async () => {
    const list = await read(signed, [ec.pem]);
    expect(list.type).to.match(/EUPIDProvidersList$/);
    expect(list.anchors).to.have.length(2);
    expect(list.anchors[0]).to.include({ serviceType: PID_ISSUANCE }).and.not.have.property('status');
    const { LoTE: bare } = jsonList({ services });
    expect((await read(signJson(bare), [ec.pem])).anchors).to.have.length(2);
  });

  it('are refused unsigned, from another signer, and with another key', async () => {
    expect(await refusal(JSON.stringify(jsonList()))).to.match(/not signed by a trusted signer/);
    expect(await refusal(signJson(jsonList(), listSigner(1)))).to.match(/not issued by a trusted/);
    expect(await refusal(signJson(jsonList(), { ...ec, keys: testKeys('P-256', 399) }))).to.match(
      /signature is not valid/,
    );
    expect(await refusal(signJson(jsonList(), ec, { x5c: undefined }))).to.equal('accepted');
    expect(await refusal(signJson(jsonList(), ec, { alg: 'none' }))).to.not.equal('accepted');
    expect(await refusal(signJson(jsonList(), ec, { crit: ['b64'] }))).to.match(/crit/);
  });

  it('property: no changed character of the signed text is accepted', async () => {
    const dots = [...signed.matchAll(/\./g)].map(({ index }) => index);
    await fc.assert(
      fc.asyncProperty(fc.nat(signed.length - 1), async (place) => {
        fc.pre(!dots.includes(place));
        const letter = signed[place] === 'A' ? 'B' : 'A';
        const changed = signed.slice(0, place) + letter + signed.slice(place + 1);
        expect(await refusal(changed, [ec.pem])).to.not.equal('accepted');
      }),
      { numRuns: 100 },
    );
  });

  it('are refused when a member is malformed', async () => {
    const broken = (change: (list: Record<string, never>) => void): string => {
      const list = JSON.parse(JSON.stringify(jsonList({ services })));
      change(list.LoTE);
      return JSON.stringify(list);
    };
    const cases: [string, RegExp][] = [
      ['{}', /no ListAndSchemeInformation/],
      [broken((list) => Object.assign(list, { TrustedEntitiesList: 7 })), /as TrustedEntitiesList/],
      [
        broken((list) => Object.assign(list, { TrustedEntitiesList: [{ TrustedEntityServices: [{}] }] })),
        /without ServiceInformation/,
      ],
      [
        broken((list) => Object.assign(list.ListAndSchemeInformation ?? {}, { NextUpdate: 'x' })),
        /no date as NextUpdate/,
      ],
      [
        broken((list) =>
          Object.assign(list.ListAndSchemeInformation ?? {}, { SchemeExtensions: [{ critical: true }] }),
        ),
        /critical/,
      ],
      ['plain text', /not a compact JWS/],
    ];
    for (const [text, expected] of cases) expect(await refusal(text, undefined)).to.match(expected);
  });
});
