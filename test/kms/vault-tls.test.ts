import { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { expect } from 'chai';
import { outcomeOf } from '../support/kms/aws-trial.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NAME = 'localhost';

/** A certificate of its own authority, and its key, as PEM. */
async function certificate(): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const cert = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${NAME}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: NAME }])],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: cert.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n` };
}

describe('HashiCorp Vault with a certificate of a private authority', () => {
  let folder: string;
  let server: Server;
  let url: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vault-tls-'));
    const pair = await certificate();
    await Promise.all([writeFile(join(folder, 'ca.pem'), pair.cert), writeFile(join(folder, 'other.pem'), 'no PEM')]);
    server = createServer(pair, (_, reply) => reply.writeHead(503).end('{"errors":["Vault is sealed"]}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://${NAME}:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server?.closeAllConnections();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const create = (caFile?: string) => {
    const { backends } = remoteBackends({ tse: { servers: [url], ...(caFile && { caFile: join(folder, caFile) }) } });
    const config = { server: `${url}/v1/transit`, auth: { accessKey: 'token' } };
    return outcomeOf(backends.create('tse', { keyType: 'secp256r1', config }));
  };

  it('is called where kms.conf names the authority, and not otherwise', async () => {
    expect((await create('ca.pem')).detail).to.include('Vault is sealed');
    const refused = await create();
    expect(refused.code).to.equal('UpstreamFailed');
    expect(String(refused.detail)).not.to.include('Vault is sealed');
  });

  it('a file without certificates stops the start, naming file and field', () => {
    expect(() => create('other.pem')).to.throw(/^kms\.conf: tse\.caFile .*other\.pem has no certificate/);
    expect(() => create('absent.pem')).to.throw(/^kms\.conf: tse\.caFile .*absent\.pem has no certificate/);
  });
});
