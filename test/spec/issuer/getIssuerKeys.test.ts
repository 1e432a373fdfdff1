import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { thumbprint } from '../../../domain/jose/jwk.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { accept, redeem } from '../../actors/wallet.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';

describe('getIssuerKeys', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-issuer-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  const keysOf = async (server: TestServer): Promise<string[]> =>
    (await server.call('getIssuerKeys')).body.keys.map(({ kid }: { kid: string }) => kid);
  const start = (): Promise<TestServer> => startServer({ store: 'sqlite', dataDir });

  it('200: a key in an issuance request is not listed, regardless of the number of requests', async () => {
    const server = await startServer();
    const issuer = await onboard(server);
    const before = await keysOf(server);
    expect(before).to.have.length(2).and.include(issuer.issuerKey.jwk.kid);
    for (let times = 0; times < 3; times += 1) {
      const { did, privateKey } = makeHolderKey();
      const stranger = {
        issuerDid: did,
        issuerKey: { type: 'jwk', jwk: privateKey.export({ format: 'jwk' }) as never },
      };
      await makeOffer(server, [degree(stranger), degree(stranger)], { operationId: 'issueJwtCredentialBatch' });
      expect((await accept(server, await makeOffer(server, degree(stranger)))).status).to.equal(200);
    }
    expect(await keysOf(server)).to.deep.equal(before);
    await server.close();
  });

  it('200: after 1,000 onboarded issuers no more are listed, none is displaced, and onboarding continues', async () => {
    const server = await startServer();
    const first = await onboard(server);
    for (let made = 1; made < 990; made += 30)
      await Promise.all(Array.from({ length: Math.min(30, 990 - made) }, () => onboard(server)));
    const listed = await keysOf(server);
    expect(listed).to.have.length(991).and.include(first.issuerKey.jwk.kid);
    server.clock.advance(1);
    await Promise.all(Array.from({ length: 30 }, () => onboard(server)));
    const full = await keysOf(server);
    expect(full).to.have.length(1001);
    expect(full.slice(0, 991)).to.deep.equal(listed);
    const late = await onboard(server);
    expect(await keysOf(server)).to.deep.equal(full);
    const warnings = server.lines.filter(({ message }) => message.startsWith('The key set is full'));
    expect(warnings.at(-1)).to.deep.include({ level: 'warn', fields: { kid: late.issuerKey.jwk.kid } });
    expect((await accept(server, await makeOffer(server, degree(late)))).status).to.equal(200);
    await server.close();
  });

  it('200: lists the configured issuers before the onboarded ones, each once', async () => {
    const { jwk } = makeHolderKey();
    const issuers = ['did:web:a.example', 'did:cheqd:testnet:b'].map((did) => ({ did, jwk: { ...jwk } }));
    const server = await startServer({ settings: { issuerMetadata: { issuers } } });
    const { issuerKey } = await onboard(server);
    expect((await keysOf(server)).slice(1)).to.deep.equal([thumbprint(jwk), issuerKey.jwk.kid]);
    await server.close();
  });

  it('does not start with an issuer whose key is private or absent, and names it', async () => {
    const { jwk, privateKey } = makeHolderKey();
    for (const wrong of [{ ...jwk, x: 'short' }, {}, privateKey.export({ format: 'jwk' })]) {
      const issuers = [
        { did: 'did:web:a.example', jwk: { ...jwk } },
        { did: 'did:web:b.example', jwk: { ...wrong } },
      ];
      const error = await startServer({ settings: { issuerMetadata: { issuers } } }).catch((reason) => reason);
      expect(error.message).to.match(
        /^credential-issuer-metadata\.conf: issuers\[1\]\.jwk (is no public key: |must not contain a private key)/,
      );
    }
  });

  it('200: lists public keys only, and the same ones after a restart', async () => {
    const first = await start();
    const issuer = await onboard(first, { key: { keyType: 'RSA' } });
    for (let times = 0; times < 2; times += 1) await makeOffer(first, degree(issuer));
    const before = await first.call('getIssuerKeys');
    expect(before.body.keys).to.have.length(2);
    expect(before.body.keys.map(({ kid }: { kid: string }) => kid)).to.include(issuer.issuerKey.jwk.kid);
    await first.close();
    const second = await start();
    expect((await second.call('getIssuerKeys')).body).to.deep.equal(before.body);
    await makeOffer(second, degree(issuer));
    expect((await second.call('getIssuerKeys')).body).to.deep.equal(before.body);
    await second.close();
  });

  it('an issuance continues after a restart, and the database has no secret in plain text', async () => {
    const first = await start();
    const issuer = await onboard(first);
    const { code } = await makeOffer(first, degree(issuer));
    await first.close();
    const second = await start();
    const { status, body } = await redeem(second, code);
    expect(status).to.equal(200);
    const files = (await readdir(dataDir)).filter((name) => name !== 'master.key' && name !== 'config');
    const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(dataDir, name)))));
    expect(bytes.length).to.be.greaterThan(0);
    for (const secret of [String(issuer.issuerKey.jwk.d), code, body.access_token, body.c_nonce])
      expect(bytes.includes(secret)).to.equal(false);
    await second.close();
  });
});
