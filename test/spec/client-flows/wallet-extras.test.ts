import { expect } from 'chai';
import { loggedIn, type WalletPage } from '../../actors/portal.ts';
import { useServer } from '../../support/servers/server.ts';

describe('the developer wallet, its settings pages', () => {
  const server = useServer();
  let page: WalletPage;
  before(async () => {
    page = await loggedIn(server, server.url);
  });

  const keys = async (): Promise<{ keyId: { id: string }; algorithm: string; name?: string }[]> =>
    (await page.get(page.at('keys'))).body;
  const dids = async (): Promise<{ did: string; alias: string; default: boolean; keyId: string }[]> =>
    (await page.get(page.at('dids'))).body;

  for (const keyType of ['Ed25519', 'secp256k1', 'secp256r1', 'RSA'])
    it(`generates a key of type ${keyType} with the empty config of the form, and lists it`, async () => {
      const generated = await page.post(page.at('keys/generate'), { backend: 'jwk', keyType, config: {} });
      expect(generated.status).to.equal(201);
      expect(generated.body).to.match(/^[\w-]{43}$/);
      const listed = (await keys()).find(({ keyId }) => keyId.id === generated.body);
      expect(listed?.algorithm).to.equal(keyType);
    });

  it('generates a key with a name', async () => {
    const json = { backend: 'jwk', keyType: 'secp256r1', config: {}, name: 'For work' };
    const { body: id } = await page.post(page.at('keys/generate'), json);
    expect((await keys()).find(({ keyId }) => keyId.id === id)?.name).to.equal('For work');
  });

  it('has an error `message` for an unavailable key service', async () => {
    const { status, body } = await page.post(page.at('keys/generate'), { backend: 'hsm', keyType: 'RSA', config: {} });
    expect(status).to.equal(400);
    expect(body.message).to.include('hsm');
  });

  for (const [method, more] of [
    ['jwk', ''],
    ['key', '&useJwkJcsPub=false'],
    ['key', '&useJwkJcsPub=true'],
  ] as const)
    it(`creates a did:${method} of a listed key${more}, shows it, makes it the default, and deletes both`, async () => {
      const { body: id } = await page.post(page.at('keys/generate'), { backend: 'jwk', keyType: 'secp256r1' });
      const made = await page.post(page.at(`dids/create/${method}?keyId=${id}${more}&alias=Mine`));
      expect(made.status).to.equal(200);
      const did: string = made.body;
      expect(did.startsWith(`did:${method}:`)).to.equal(true);
      expect((await dids()).find((entry) => entry.did === did)).to.include({ alias: 'Mine', keyId: id });
      const shown = await page.get(page.at(`dids/${encodeURIComponent(did)}`));
      expect(shown.body.id).to.equal(did);
      const chosen = await page.post(page.at(`dids/default?did=${encodeURIComponent(did)}`));
      expect(chosen.status).to.equal(202);
      expect((await dids()).filter((entry) => entry.default).map((entry) => entry.did)).to.deep.equal([did]);
      expect((await page.delete(page.at(`dids/${did}`))).status).to.equal(202);
      expect((await dids()).some((entry) => entry.did === did)).to.equal(false);
      expect((await page.delete(page.at(`keys/${id}`))).status).to.equal(202);
      expect((await keys()).some(({ keyId }) => keyId.id === id)).to.equal(false);
    });
});
