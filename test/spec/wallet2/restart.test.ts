import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { issueCredential, jwkParty, type Party } from '../../actors/party.ts';
import { newWallet2User, wallet2Caller } from '../../actors/wallet2.ts';
import { startServer } from '../../support/servers/server.ts';

const DID = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
const KEY = {
  type: 'jwk',
  jwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  },
};

describe('wallets of API 2 after a restart', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('an account, its session and its wallets with what they hold are still there; a session that ended is not', async () => {
    const before = await startServer({
      store: 'sqlite',
      dataDir,
      settings: { publicUrl: 'https://wallet.example.org' },
    });
    const ada = await newWallet2User(before);
    const wallet = await ada.create({ staticKey: KEY, staticDid: DID });
    const rawCredential = await issueCredential(await jwkParty(), { did: DID } as Party);
    const { body } = await wallet.call('importWallet2Credential', { json: { rawCredential } });
    const { token } = (await before.call('loginWallet2Account', { json: ada.json })).body;
    await before.call('logoutWallet2Account', { token });
    await before.close();
    const after = await startServer({
      store: 'sqlite',
      dataDir,
      settings: { publicUrl: 'https://wallet.example.org' },
    });
    try {
      const again = wallet2Caller(after, ada.token);
      expect((await again.call('getWallet2Account')).body.walletIds).to.deep.equal([wallet.walletId]);
      const path = { wallet: wallet.walletId };
      expect((await again.call('describeWallet', { path })).body).to.include({
        hasStaticKey: true,
        hasStaticDid: true,
      });
      const held = await again.call('getWallet2Credential', { path: { ...path, credentialId: body.id } });
      expect(held.body).to.deep.equal(body);
      expect((await wallet2Caller(after, token).call('listWallets')).status).to.equal(401);
      expect((await after.call('loginWallet2Account', { json: ada.json })).status).to.equal(200);
    } finally {
      await after.close();
    }
  });
});
