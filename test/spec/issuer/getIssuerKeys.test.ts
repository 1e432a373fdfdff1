import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degree, makeOffer, onboard, redeem } from '../../support/issuance.ts';
import { startServer, type TestServer } from '../../support/server.ts';

describe('getIssuerKeys', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-issuer-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  const start = (): Promise<TestServer> => startServer({ store: 'sqlite', dataDir });

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

  it('an issuance goes on after a restart, and nothing secret lies readable in the database', async () => {
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
