import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigurationError } from '../../adapters/config/errors.ts';
import type { ReadSettings } from '../../adapters/config/read-settings.ts';
import { loadSettings } from '../../composition/platform/settings.ts';
import { crossDevice, readLink } from '../actors/openid4vp.ts';
import { decodeJwt } from '../actors/wallet.ts';
import { startServer } from '../support/servers/server.ts';
import { makeCertificate, testCa, testKeys } from '../support/trust/certificates.ts';

const keys = testKeys('P-256', 71);
const leafFor = (dNSName: string, of = keys) =>
  makeCertificate({ subject: 'CN=Verifier', keys: of, issuer: testCa(), altNames: [{ dNSName }] });
const keyPem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const leaf = leafFor('verifier.example.org');

const MDL = { format: 'mso_mdoc', doc_type: 'org.iso.18013.5.1.mDL' };

const GOOD = {
  'key.pem': keyPem,
  'chain.pem': `subject=verifier\n${leaf.pem}\n${testCa().pem}`,
  'verifier-service.conf': `
    x509SanDnsClientId = verifier.example.org
    requestSigningKeyFile = "key.pem"
    requestSigningCertFile = "chain.pem"`,
};

describe('verifier-service.conf', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function load(files: Record<string, string>): Promise<ReadSettings> {
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    return loadSettings({ CONFIG_DIR: folder });
  }

  async function problems(files: Record<string, string>): Promise<string[]> {
    try {
      await load(files);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      expect(error.message).not.to.include(folder);
      return error.problems.map(({ field, message }) => `${field} ${message}`);
    }
  }

  it('gives requests the configured key, its certificates without the anchor, and the name', async () => {
    const { verifier, configDir } = await load(GOOD);
    const server = await startServer({ settings: { verifier, configDir } });
    const headers = { openId4VPProfile: 'EBSIV3', stateId: 'signed' };
    await server.call('startVerification', { json: { request_credentials: ['A'] }, headers });
    const { header, verifies } = decodeJwt((await server.call('getRequestObject', { path: { state: 'signed' } })).body);
    const [first, ...more] = header.x5c as string[];
    expect(more).to.deep.equal([]);
    expect(new X509Certificate(Buffer.from(first ?? '', 'base64')).raw.equals(leaf.der)).to.equal(true);
    const jwk = keys.publicKey.export({ format: 'jwk' });
    expect(verifies({ ...jwk })).to.equal(true);
    const { body } = await server.call('getVerifierJwks');
    expect(body.keys[0]).to.include({ x: jwk.x, y: jwk.y, kid: header.kid });
    await server.close();
  });

  it('requests of both generations have one signer: key, certificates and name are those of the configuration', async () => {
    const { verifier, configDir } = await load(GOOD);
    const server = await startServer({ settings: { verifier, configDir } });
    const headers = { openId4VPProfile: 'ISO_18013_7_MDOC', stateId: 'draft' };
    await server.call('startVerification', { json: { request_credentials: [MDL] }, headers });
    const { body: draft } = await server.call('getRequestObject', { path: { state: 'draft' } });
    const json = crossDevice({ signed_request: true });
    const { body: created } = await server.call('createVerificationSession', { json });
    const path = { requestId: readLink(created.bootstrapAuthorizationRequestUrl).requestId };
    const { body: v1 } = await server.call('getAuthorizationRequest', { path });
    const [first, second] = [decodeJwt(draft), decodeJwt(v1)];
    const jwk = keys.publicKey.export({ format: 'jwk' });
    expect([first.verifies({ ...jwk }), second.verifies({ ...jwk })]).to.deep.equal([true, true]);
    expect(second.header.x5c).to.deep.equal([Buffer.from(leaf.der).toString('base64')]);
    expect(first.header.x5c).to.deep.equal(second.header.x5c);
    expect(first.claims.client_id).to.equal('verifier.example.org');
    expect(second.claims.client_id).to.equal('x509_san_dns:verifier.example.org');
    await server.close();
  });

  it('takes a key reference instead of a file', async () => {
    const jwk = keys.privateKey.export({ format: 'jwk' });
    const conf = JSON.stringify({ requestSigningKey: { type: 'jwk', jwk } });
    const { verifier } = await load({ 'verifier-service.conf': conf });
    const server = await startServer({ settings: { verifier } });
    const { body } = await server.call('getVerifierJwks');
    expect(body.keys[0]).to.include({ x: jwk.x });
    await server.close();
  });

  it('a key that cannot be used is 502 for wallets, and the reason is in the log only', async () => {
    const server = await startServer({ settings: { verifier: { requestSigningKey: { type: 'nonsense' } } } });
    const { status, body } = await server.call('getVerifierJwks');
    expect([status, body.message]).to.deep.equal([502, 'The verifier cannot sign its request now']);
    await server.close();
  });

  const conf = GOOD['verifier-service.conf'];
  const cases: [string, Record<string, string>, RegExp][] = [
    ['a key file that does not exist', { 'verifier-service.conf': conf }, /^requestSigningKeyFile .*ENOENT/],
    ['a key file without a key', { ...GOOD, 'key.pem': leaf.pem }, /^requestSigningKeyFile The PEM/],
    ['certificates without one', { ...GOOD, 'chain.pem': keyPem }, /^requestSigningCertFile holds no certificate/],
    [
      'a certificate of another key',
      { ...GOOD, 'chain.pem': leafFor('verifier.example.org', testKeys('P-256', 72)).pem },
      /^requestSigningCertFile holds another key/,
    ],
    ['a certificate of another name', { ...GOOD, 'chain.pem': leafFor('other.example').pem }, /has not the DNS name/],
    [
      'certificates in another order',
      { ...GOOD, 'chain.pem': leaf.pem + leafFor('x.example').pem },
      /^requestSigningCertFile does not certify/,
    ],
    [
      'certificates without a key',
      { 'chain.pem': leaf.pem, 'verifier-service.conf': 'requestSigningCertFile = "chain.pem"' },
      /^requestSigningCertFile needs requestSigningKeyFile/,
    ],
    [
      'two keys',
      { ...GOOD, 'verifier-service.conf': `${conf}\nrequestSigningKey { type = jwk }` },
      /^requestSigningKey stands beside/,
    ],
    [
      'a name that is none',
      { 'verifier-service.conf': 'x509SanDnsClientId = "a b"' },
      /^x509SanDnsClientId must be a DNS/,
    ],
  ];
  for (const [what, files, expected] of cases)
    it(`refuses ${what}`, async () => {
      const [problem = '', ...more] = await problems(files);
      expect(more).to.deep.equal([]);
      expect(problem).to.match(expected);
    });
});
