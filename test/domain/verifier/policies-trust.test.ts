import { expect } from 'chai';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { BelievedList } from '../../../domain/trust/trust-lists.ts';
import type { PolicyResult } from '../../../domain/verifier/policies/policy.ts';
import { readPolicies } from '../../../domain/verifier/policies/read.ts';
import { runPolicies } from '../../../domain/verifier/policies/run.ts';
import type { ParsedCredential } from '../../../ports/credential-formats.ts';
import { policyContext, vcSubject } from '../../support/credentials/policies.ts';
import { DAY, type TestCertificate } from '../../support/trust/certificates.ts';
import { documentSigner, iaca } from '../../support/trust/issuer-chains.ts';
import {
  CA_QC,
  jsonList,
  listSigner,
  MDL,
  makeVical,
  PID_ISSUANCE,
  PID_REVOCATION,
  rsaListSigner,
  signJson,
  signXml,
  WITHDRAWN,
  xmlList,
} from '../../support/trust/trust-list-makers.ts';
import { testTrustLists } from '../../support/trust/trust-lists.ts';

const root = iaca();
const signer = documentSigner(root);
const now = Date.now();

const mdoc = (chain: TestCertificate[] = [signer], members: Partial<ParsedCredential> = {}) =>
  vcSubject({
    format: 'mso_mdoc',
    type: MDL,
    issuer: { kind: 'certificates', id: 'C=ZZ', chain: chain.map(({ der }) => der) },
    ...members,
  });

/** Reads the policy as a new request does, and runs it, for a verifier with these lists of its own. */
async function line(
  policy: object,
  subject = mdoc(),
  trustLists = testTrustLists(),
  ownLists?: BelievedList[],
): Promise<PolicyResult> {
  const context = policyContext({ now, trustLists, ownLists });
  const requests = await readPolicies({ list: [policy], scope: 'vc', ports: context });
  const [result] = await runPolicies({ requests, subject, context });
  if (!result) throw new Error('there is no result');
  return result;
}

const codeOf = async (...args: Parameters<typeof line>): Promise<string> => (await line(...args)).code;

async function refusal(policy: object, trustLists = testTrustLists()): Promise<string> {
  try {
    await readPolicies({ list: [policy], scope: 'vc', ports: policyContext({ trustLists }) });
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('policies: vical', () => {
  const signers = [listSigner().pem];
  const vical = makeVical({ entries: [{ certificate: root }] }).toString('base64');
  const policy = (more: object = {}) => ({ policy: 'vical', vical, ...more });

  it('succeeds for an mdoc below an authority of the list, signed or from the creator of the request', async () => {
    const { is_success, result } = await line(policy());
    expect({ is_success, result }).to.deep.equal({ is_success: true, result: true });
    expect(await codeOf(policy({ trustedSourceSignerCertificates: signers }))).to.equal('passed');
    expect(await codeOf({ policy: 'vical', args: { vical } })).to.equal('passed');
  });

  it('fails for an mdoc of another authority', async () => {
    const { code, reason } = await line(policy(), mdoc([documentSigner(iaca(1))]));
    expect(code).to.equal('issuer-untrusted');
    expect(reason).to.match(/not below an authority of the VICAL: certificate 1/);
  });

  it('demands the type of the document only if asked to', async () => {
    const other = mdoc([signer], { type: 'org.example' });
    expect(await codeOf(policy(), other)).to.equal('passed');
    expect(await codeOf(policy({ enableDocumentTypeValidation: true }), other)).to.equal('issuer-untrusted');
    expect(await codeOf(policy({ enableDocumentTypeValidation: true }))).to.equal('passed');
  });

  it('fails with a list that another signer signed, that is out of date, or from the future', async () => {
    const strangers = [listSigner(1).pem];
    expect(await codeOf(policy({ trustedSourceSignerCertificates: strangers }))).to.equal('list-not-accepted');
    for (const members of [{ nextUpdate: new Date(now - DAY) }, { date: new Date(now + DAY) }]) {
      const dated = makeVical({ entries: [{ certificate: root }], members }).toString('base64');
      expect(await codeOf(policy({ vical: dated }))).to.equal('list-not-accepted');
    }
    expect(await codeOf(policy({ vical: 'AAAA' }))).to.equal('list-not-accepted');
  });

  it('cannot be run on other formats, nor when the list cannot be fetched', async () => {
    const subject = mdoc([signer], { format: 'dc+sd-jwt' });
    expect(await codeOf(policy(), subject)).to.equal('undetermined');
    const gone = testTrustLists({
      outbound: { check: () => {}, send: () => Promise.reject(new DomainError('UpstreamTimeout', 'too late')) },
    });
    const byUrl = { policy: 'vical', vicalUrl: 'https://vical.example', trustedSourceSignerCertificates: signers };
    expect(await codeOf(byUrl, mdoc(), gone)).to.equal('unreachable');
  });

  it('is not run for an mdoc whose signature is not valid', async () => {
    const forged = mdoc([signer], { verifyIssuer: async () => ({ valid: false, refusal: 'signature' }) });
    expect(await codeOf(policy(), forged)).to.equal('not-run');
  });

  it('is refused at creation with a malformed argument, or a URL whose signer is unknown', async () => {
    const url = 'https://vical.example';
    const cases: [object, RegExp][] = [
      [{ policy: 'vical' }, /is required|must be an object/],
      [{ policy: 'vical', args: 7 }, /must be an object/],
      [{ policy: 'vical', vical, vicalUrl: url }, /either vical or vicalUrl/],
      [policy({ vical: '?' }), /vical: must be a VICAL in base64/],
      [policy({ enableRevocation: true }), /enableRevocation: must be false/],
      [policy({ enableDocumentTypeValidation: 'yes' }), /must be a boolean/],
      [policy({ trustedSourceSignerCertificates: ['x y'] }), /Certificates\[0]: must be a certificate/],
      [policy({ trustedSourceSignerCertificates: ['AAAA'] }), /Certificates\[0]: is not an X.509 certificate/],
      [policy({ trustedSourceSignerCertificates: Array(17).fill(signers[0]) }), /at most 16 certificates/],
      [{ policy: 'vical', vicalUrl: 'ftp://x' }, /vicalUrl/],
      [{ policy: 'vical', vicalUrl: url }, /trustedSourceSignerCertificates: is required/],
    ];
    for (const [given, expected] of cases) expect(await refusal(given)).to.match(expected);
    const configured = testTrustLists({ configured: [{ kind: 'vical', url, signers }] });
    expect(await refusal({ policy: 'vical', vicalUrl: url }, configured)).to.equal('accepted');
  });
});

describe('policies: etsi-trust-list', () => {
  const trustedSourceSignerCertificates = [rsaListSigner().pem, listSigner().pem];
  const services = [{ certificate: root }];
  const xml = signXml(xmlList({ services }));
  const json = signJson(jsonList({ services }));
  const policy = (trustLists: string[], more: object = {}) => ({
    policy: 'etsi-trust-list',
    trustLists,
    trustedSourceSignerCertificates,
    ...more,
  });

  it('succeeds for an issuer below a service of a list in XML or JSON, and says which', async () => {
    const { is_success, result } = await line(policy([xml]));
    expect(is_success).to.equal(true);
    expect(result)
      .to.include({ decision: 'TRUSTED', serviceType: CA_QC })
      .and.include.keys('statusSince', 'nextUpdate');
    const inJson = await line(policy([json]), mdoc([signer], { format: 'dc+sd-jwt' }));
    expect(inJson.result).to.include({ serviceType: PID_ISSUANCE });
  });

  it('succeeds for a signer that is itself in the list', async () => {
    const itself = signJson(jsonList({ services: [{ certificate: signer }] }));
    expect(await codeOf(policy([itself]))).to.equal('passed');
    expect(await codeOf(policy([itself]), mdoc([documentSigner(root)]))).to.equal('issuer-untrusted');
  });

  it('fails for another issuer, a withdrawn service, one that does not issue or has not begun', async () => {
    expect(await codeOf(policy([xml]), mdoc([documentSigner(iaca(1))]))).to.equal('issuer-untrusted');
    const later = new Date(now + DAY);
    for (const change of [{ status: WITHDRAWN }, { since: later }, { type: 'http://uri.etsi.org/TrstSvc/Svctype/TSA' }])
      expect(await codeOf(policy([signXml(xmlList({ services: [{ certificate: root, ...change }] }))]))).to.equal(
        'issuer-untrusted',
      );
    const revoking = signJson(jsonList({ services: [{ certificate: root, type: PID_REVOCATION }] }));
    expect(await codeOf(policy([revoking]))).to.equal('issuer-untrusted');
    expect(await codeOf(policy([revoking], { expectedServiceType: PID_REVOCATION }))).to.equal('passed');
  });

  it('demands the expected kinds of service and list', async () => {
    expect(await codeOf(policy([xml], { expectedServiceType: CA_QC }))).to.equal('passed');
    expect(await codeOf(policy([xml], { expectedServiceType: PID_ISSUANCE }))).to.equal('issuer-untrusted');
    for (const expectedEntityType of ['EUPIDProvidersList', 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList'])
      expect(await codeOf(policy([json], { expectedEntityType }))).to.equal('passed');
    expect(await codeOf(policy([json], { expectedEntityType: 'Other' }))).to.equal('issuer-untrusted');
  });

  it('takes words for entities, and services of kinds that ETSI did not register by the type of their list', async () => {
    const listOf = (type: string, kind: string | null = PID_ISSUANCE) =>
      signJson(
        jsonList({ type: `http://uri.etsi.org/19602/LoTEType/${type}`, services: [{ certificate: root, type: kind }] }),
      );
    const entity = (list: string, expectedEntityType: string) => codeOf(policy([list], { expectedEntityType }));
    const words: [string, string][] = [
      ['PID_PROVIDER', 'EUPIDProvidersList'],
      ['ATTESTATION_PROVIDER', 'EUPubEAAProvidersList'],
      ['WALLET_PROVIDER', 'EUWalletProvidersList'],
      ['ACCESS_CERTIFICATE_PROVIDER', 'EUWRPACProvidersList'],
      ['RELYING_PARTY_PROVIDER', 'EUWRPRCProvidersList'],
    ];
    for (const [word] of words)
      for (const [other, type] of words)
        expect(await entity(listOf(type), word), `${word} ${type}`).to.equal(
          word === other ? 'passed' : 'issuer-untrusted',
        );
    expect(await entity(xml, 'TRUST_SERVICE_PROVIDER')).to.equal('passed');
    for (const wrong of ['TRUST_SERVICE_PROVIDER', 'constructor'])
      expect(await entity(json, wrong), wrong).to.equal('issuer-untrusted');
    const own = 'urn:example:mdl-issuer';
    for (const [type, code] of [
      ['EUPIDProvidersList', 'passed'],
      ['EUPubEAAProvidersList', 'passed'],
      ['EUWalletProvidersList', 'issuer-untrusted'],
    ] as const) {
      expect(await codeOf(policy([listOf(type, own)])), type).to.equal(code);
      expect(await codeOf(policy([listOf(type, own)], { expectedServiceType: own })), type).to.equal('passed');
    }
    const other = 'http://uri.etsi.org/19602/SvcType/PID/Other';
    expect(await codeOf(policy([listOf('EUPIDProvidersList', other)]))).to.equal('issuer-untrusted');
  });

  it('asks the lists of the verifier when it names none: its own, or those of the configuration', async () => {
    const url = 'https://lists.example/pid';
    const bare = { policy: 'etsi-trust-list' };
    const signers = trustedSourceSignerCertificates;
    const lists = testTrustLists({
      configured: [{ kind: 'etsi', url, signers }],
      outbound: { check: () => {}, send: async () => ({ status: 200, headers: {}, body: Buffer.from(json) }) },
    });
    const configured = await line(bare, mdoc(), lists);
    expect(configured.result).to.include({ decision: 'TRUSTED', source: url }).and.not.have.property('sourceId');
    const source = JSON.stringify(jsonList({ services }));
    const unsigned = { kind: 'etsi', source, isUnsigned: true, sourceId: 'own', owner: 'acme' } as const;
    const asked = (more: object, ownLists: BelievedList[]) =>
      line({ ...bare, ...more }, mdoc(), lists, ownLists).then(({ code, result }) => ({ code, result }));
    expect((await asked({ expectedEntityType: 'PID_PROVIDER' }, [unsigned])).result).to.include({ sourceId: 'own' });
    expect((await asked({ requireAuthenticated: true }, [unsigned])).code).to.equal('list-not-accepted');
    expect(
      (await asked({ requireAuthenticated: true }, [{ ...unsigned, source: json, isUnsigned: false, signers }])).code,
    ).to.equal('passed');
    const other = JSON.stringify(jsonList({ services: [{ certificate: iaca(1) }] }));
    expect((await asked({}, [{ ...unsigned, source: other }])).code).to.equal('issuer-untrusted');
    const old = { ...unsigned, source: JSON.stringify(jsonList({ services, nextUpdate: new Date(now - DAY) })) };
    expect((await asked({}, [old])).code).to.equal('list-not-accepted');
    expect((await asked({ allowStaleSource: true }, [old])).code).to.equal('passed');
    for (const none of [asked({}, []), line(bare, mdoc(), testTrustLists())])
      expect(await none).to.include({ code: 'list-not-accepted' });
  });

  it('one of several lists is enough, and a list that does not count is the reason otherwise', async () => {
    const other = signXml(xmlList({ services: [{ certificate: iaca(1) }] }));
    expect(await codeOf(policy([other, json]))).to.equal('passed');
    expect(await codeOf(policy([xmlList({ services }), xml]))).to.equal('passed');
    expect(await codeOf(policy([other, xmlList({ services })]))).to.equal('list-not-accepted');
  });

  it('refuses lists without a signature unless asked not to look at it, and lists out of date unless allowed', async () => {
    const unsigned = xmlList({ services });
    expect(await codeOf(policy([unsigned]))).to.equal('list-not-accepted');
    const free = { policy: 'etsi-trust-list', trustLists: [unsigned], validateSignatures: false };
    expect(await codeOf(free)).to.equal('passed');
    const old = signXml(xmlList({ services, nextUpdate: new Date(now - DAY) }));
    const { code, reason } = await line(policy([old]));
    expect(code).to.equal('list-not-accepted');
    expect(reason).to.include('out of date');
    expect(await codeOf(policy([old], { allowStaleSource: true }))).to.equal('passed');
  });

  it('cannot be run for issuers without certificates', async () => {
    expect(await codeOf(policy([xml]), vcSubject())).to.equal('undetermined');
  });

  it('is refused at creation with a malformed argument, or a list whose signer is unknown', async () => {
    const url = 'https://lists.example/pid';
    const cases: [object, RegExp][] = [
      [{ policy: 'etsi-trust-list', args: 7 }, /must be an object/],
      [{ policy: 'etsi-trust-list', validateSignatures: false }, /validateSignatures: goes together with trustLists/],
      [
        { policy: 'etsi-trust-list', trustedSourceSignerCertificates },
        /trustedSourceSignerCertificates: goes together with trustLists/,
      ],
      [policy([]), /must be a list of 1 to 8/],
      [policy(Array(9).fill(url)), /must be a list of 1 to 8/],
      [policy([url], { trustRegistryUrl: url }), /trustRegistryUrl: is not supported/],
      [policy([url], { validateSignatures: 1 }), /validateSignatures: must be a boolean/],
      [policy([url], { expectedServiceType: 7 }), /expectedServiceType: must be a text/],
      [policy([url], { requireAuthenticated: true, validateSignatures: false }), /contradicts validateSignatures/],
      [{ policy: 'etsi-trust-list', trustLists: [url] }, /no signer of trustLists\[0\] is configured/],
    ];
    for (const [given, expected] of cases) expect(await refusal(given)).to.match(expected);
    const configured = testTrustLists({
      configured: [{ kind: 'etsi', url, signers: trustedSourceSignerCertificates }],
    });
    expect(await refusal({ policy: 'etsi-trust-list', trustLists: [url] }, configured)).to.equal('accepted');
  });
});
