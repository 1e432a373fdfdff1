import { sign } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { StatusListCwt } from '../../../adapters/formats/token-status-list/status-list-cwt.ts';
import { type Iaca, makeIaca, SIGNER_DATA, signerRequest } from '../../../demo/actors/authority.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import { derOfPem } from '../../../domain/x509/pem.ts';
import type { PublicJwk, Signer } from '../../../ports/key-service.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { issueOf, presentOf, requestedOf, responseOf } from '../../actors/presenters.ts';
import { readRequest } from '../../actors/wallet.ts';
import { localKeys } from '../../support/keys/local-keys.ts';
import { useServer } from '../../support/servers/server.ts';
import { isRevoked, refused } from '../../support/status/status-checks.ts';
import { makeCertificate, pemOf, type TestCertificate, testKeys } from '../../support/trust/certificates.ts';
import { iaca as authorityOf, documentSigner } from '../../support/trust/issuer-chains.ts';
import { jsonList, listSigner, PID_ISSUANCE, PID_REVOCATION, signJson } from '../../support/trust/trust-list-makers.ts';

type Json = Record<string, unknown>;

/** A key with its certificates, as document signers are answered. */
interface DocumentSigner {
  documentSignerKey: Json;
  x5Chain: string[];
}

const { backends } = localKeys();
const der = (pem: string): string => Buffer.from(derOfPem(pem) ?? []).toString('base64');

/** The formats of credentials with what their issuers and lists are made with. */
const CARDS = {
  'vc+sd-jwt': { purpose: 'sd-jwt-vc', list: 'JWT' },
  'dc+sd-jwt': { purpose: 'sd-jwt-vc', list: 'JWT' },
  mso_mdoc: { purpose: 'mdoc', list: 'CWT' },
} as const;
type Format = keyof typeof CARDS;

describe('checkRevocation of a list under another certificate than that of the credential', () => {
  const server = useServer();
  let [iaca, other]: Iaca[] = [];
  before(async () => {
    [iaca, other] = [await makeIaca(server), await makeIaca(server, undefined, { commonName: 'Other' })];
  });
  const authority = (one: Iaca | undefined): Iaca => one ?? expect.fail('no authority');

  async function signer(purpose: string, by = authority(iaca)): Promise<DocumentSigner> {
    const subjectAlternativeName = { uri: 'https://issuer.example.org' };
    const certificateData = { ...SIGNER_DATA, ...(purpose !== 'mdoc' && { subjectAlternativeName }) };
    const { body } = await server.call('onboardDocumentSigner', {
      json: signerRequest(by, { purpose, certificateData }),
    });
    return body;
  }

  /** Opens a list under a signer, takes an entry and issues a card with it; `revoke` revokes it at the list. */
  async function cardUnder(format: Format, { documentSignerKey, x5Chain }: DocumentSigner) {
    const issuer = await signer(CARDS[format].purpose);
    const json = { issuerKey: documentSignerKey, x5Chain, type: 'TokenStatusList', format: CARDS[format].list };
    const opened = await server.call('createStatusList', { json });
    expect(opened.status, JSON.stringify(opened.body)).to.be.oneOf([200, 201]);
    const { listId } = opened.body;
    const { body } = await server.call('allocateStatusEntry', { path: { listId }, json: {} });
    const content = {
      x5c: issuer.x5Chain.map(der),
      issuer: 'https://issuer.example.org',
      status: body.reference,
    };
    const by = backends.signer(await backends.read(issuer.documentSignerKey));
    const path = { listId, index: String(body.entry.index) };
    const revoke = () => server.call('changeStatusEntry', { path, json: { action: 'revoke' } });
    return { card: await issueOf(format, content, by), revoke };
  }

  const check = (text: string) => server.call('checkRevocation', { text });
  /** A chain that ends at the authority, which is not configured here. */
  const whole = ({ x5Chain, ...key }: DocumentSigner, by = authority(iaca)): DocumentSigner => ({
    ...key,
    x5Chain: [...x5Chain, by.certificatePEM],
  });

  for (const format of Object.keys(CARDS) as Format[])
    it(`200: ${format}: a list under a document signer for status lists of the same authority`, async () => {
      const { card, revoke } = await cardUnder(format, whole(await signer('status-list')));
      expect(await isRevoked(check(card))).to.equal(false);
      expect((await revoke()).status).to.equal(200);
      expect(await isRevoked(check(card))).to.equal(true);
    });

  for (const format of Object.keys(CARDS) as Format[])
    it(`400: ${format}: a list under any other signer`, async () => {
      const foreign = await signer('status-list', authority(other));
      const keys = testKeys('P-256', 77);
      const self = makeCertificate({ keys, altNames: [{ uniformResourceIdentifier: 'https://issuer.example.org' }] });
      const signers: [string, DocumentSigner][] = [
        ['another authority', whole(foreign, authority(other))],
        ['an issuer below the same authority', whole(await signer('sd-jwt-vc'))],
        ['no known authority', await signer('status-list')],
        [
          'itself',
          {
            documentSignerKey: { type: 'jwk', jwk: keys.privateKey.export({ format: 'jwk' }) },
            x5Chain: [pemOf(self.der)],
          },
        ],
      ];
      for (const [what, one] of signers) {
        const { card } = await cardUnder(format, one);
        const { message } = await refused(check(card), 400, 'STATUS_VERIFICATION_ERROR');
        expect(message, what).to.equal('The status list is not issued by the issuer of the credential');
      }
    });

  it('a verification believes the list below an authority of its request', async () => {
    const { card } = await cardUnder('vc+sd-jwt', await signer('status-list'));
    const verify = async (): Promise<[boolean, string]> => {
      const json = {
        request_credentials: [requestedOf('vc+sd-jwt')],
        vc_policies: ['signature', 'revoked-status-list'],
        trusted_root_cas: [authority(iaca).certificatePEM],
      };
      const request = readRequest((await server.call('startVerification', { json })).body);
      const made = await presentOf('vc+sd-jwt', request, { documents: [card] });
      const { vp_token, presentation_submission } = responseOf([made], request);
      const form = {
        vp_token: String(vp_token),
        presentation_submission: JSON.stringify(presentation_submission),
        state: request.state,
      };
      await server.call('submitPresentation', { path: { state: request.state }, form });
      const { body } = await server.call('getVerificationResult', { path: { state: request.state } });
      const lines: Json[] = body.policyResults.results.flatMap(({ policies }: { policies: Json[] }) => policies);
      const line = lines.find(({ policy }) => policy === 'revoked-status-list');
      return [body.verificationResult, String(line?.reason)];
    };
    expect(await verify()).to.deep.equal([true, 'The credential is not revoked']);
  });

  it('a credential is revoked by itself in a list under such a signer', async () => {
    const { card } = await cardUnder('vc+sd-jwt', whole(await signer('status-list')));
    expect((await server.call('revokeCredential', { text: card })).status).to.equal(200);
    expect(await isRevoked(check(card))).to.equal(true);
  });
});

describe('checkRevocation of a list under the revocation service of a listed entity', () => {
  const peer = new HttpPeer();
  const [ISSUERS, REVOKERS, STRANGERS] = [authorityOf(11), authorityOf(12), authorityOf(13)];
  const issuer = documentSigner(ISSUERS);
  const [revoker, stranger] = [REVOKERS, STRANGERS].map((one, index) =>
    documentSigner(one, { keys: testKeys('P-256', 80 + index), extensions: [] }),
  ) as [TestCertificate, TestCertificate];
  const server = useServer(async () => {
    await peer.listen();
    const services = [
      { certificate: ISSUERS, type: PID_ISSUANCE, entity: 'A' },
      { certificate: REVOKERS, type: PID_REVOCATION, entity: 'A' },
      { certificate: STRANGERS, type: PID_REVOCATION, entity: 'B' },
    ];
    peer.routes['/providers'] = () => ({ body: signJson(jsonList({ services })) });
    return {
      settings: { trustedIssuers: { trustLists: [{ url: `${peer.url}/providers`, signers: [listSigner().pem] }] } },
    };
  });
  after(() => peer.close());

  const lst = deflateSync(Buffer.from([0b0000_0001]));
  const base64 = ({ der: bytes }: TestCertificate): string => Buffer.from(bytes).toString('base64');
  const signerOf = ({ keys }: TestCertificate): Signer => ({
    keyType: 'secp256r1',
    publicJwk: keys.publicKey.export({ format: 'jwk' }) as PublicJwk,
    sign: async (data) => sign('sha256', data, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }),
  });

  /** Publishes a list, of which the first entry is revoked, under a certificate. */
  async function publish(by: TestCertificate, as: 'JWT' | 'CWT'): Promise<string> {
    const path = `/${as}/${Object.keys(peer.routes).length}`;
    const sub = `${peer.url}${path}`;
    const iat = Math.floor(Date.now() / 1000);
    const x5c = [base64(by)];
    const header = { typ: 'statuslist+jwt', x5c };
    const claims = { sub, iat, exp: iat + 3600, status_list: { bits: 1, lst: lst.toString('base64url') } };
    const body =
      as === 'JWT'
        ? await signJws(header, claims, signerOf(by))
        : await new StatusListCwt().sign(
            { sub, iss: sub, iat, exp: iat + 3600, ttl: 60, bits: 1, lst, kid: 'k', x5c },
            signerOf(by),
          );
    peer.routes[path] = () => ({ body });
    return sub;
  }

  it('200 for an mdoc: the revocation service of its issuer; 400: that of another entity, and an issuer below the same authority', async () => {
    const check = async (by: TestCertificate, idx: number) => {
      const status = { status_list: { idx, uri: await publish(by, 'CWT') } };
      const text = await issueOf('mso_mdoc', { x5c: [base64(issuer)], status }, signerOf(issuer));
      return server.call('checkRevocation', { text });
    };
    expect(await isRevoked(check(revoker, 0))).to.equal(true);
    expect(await isRevoked(check(revoker, 1))).to.equal(false);
    const another = documentSigner(ISSUERS, { keys: testKeys('P-256', 84) });
    for (const by of [stranger, another]) await refused(check(by, 1), 400, 'STATUS_VERIFICATION_ERROR');
  });

  it('200 for an SD-JWT VC, and 400, by the same rule', async () => {
    const leaf = makeCertificate({
      subject: 'C=ZZ,CN=PID',
      issuer: ISSUERS,
      keys: testKeys('P-256', 85),
      altNames: [{ uniformResourceIdentifier: 'https://issuer.example.org' }],
    });
    const check = async (by: TestCertificate, idx: number) => {
      const status = { status_list: { idx, uri: await publish(by, 'JWT') } };
      const content = { x5c: [base64(leaf)], issuer: 'https://issuer.example.org', status };
      return server.call('checkRevocation', { text: await issueOf('dc+sd-jwt', content, signerOf(leaf)) });
    };
    expect(await isRevoked(check(revoker, 0))).to.equal(true);
    expect(await isRevoked(check(revoker, 1))).to.equal(false);
    for (const by of [stranger, issuer]) await refused(check(by, 1), 400, 'STATUS_VERIFICATION_ERROR');
  });
});
