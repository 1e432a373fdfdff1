import { expect } from 'chai';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';

describe('the categories of a wallet', () => {
  const server = useServer();
  let issuer: TestIssuer;
  let holder: WalletUser;
  let credentialId = '';
  before(async () => {
    issuer = await startIssuer();
  });
  beforeEach(async () => {
    holder = await newWalletUser(server);
    credentialId = (await holder.call('acceptCredentialOffer', { text: issuer.link() })).body[0].id;
  });
  after(() => issuer.close());

  const add = (name: string): Promise<Answer> => holder.call('addWalletCategory', { path: { name } });
  const names = async (): Promise<string[]> =>
    (await holder.call('listWalletCategories')).body.map(({ name }: { name: string }) => name);
  const put = (json: unknown, id = credentialId): Promise<Answer> =>
    holder.call('addWalletCredentialCategories', { path: { credentialId: id }, json });
  const take = (json: unknown, id = credentialId): Promise<Answer> =>
    holder.call('removeWalletCredentialCategories', { path: { credentialId: id }, json });
  const categoriesOfCredential = async (): Promise<string[]> =>
    (await holder.call('getWalletCredential', { path: { credentialId } })).body.categories;

  it('addWalletCategory: 201, and listWalletCategories: 200 in the order of their addition', async () => {
    expect(await names()).to.deep.equal([]);
    for (const name of ['Studies', 'a/b ?#%', '身分', '👩‍🎓']) expect((await add(name)).status).to.equal(201);
    expect(await names()).to.deep.equal(['Studies', 'a/b ?#%', '身分', '👩‍🎓']);
  });

  it('addWalletCategory: 409 for a name in use; upper and lower case are different', async () => {
    await add('Studies');
    expect((await add('Studies')).status).to.equal(409);
    expect((await add('studies')).status).to.equal(201);
  });

  it('addWalletCategory: 400 for a name over 128 characters or with a control character, and for one too many', async () => {
    for (const name of ['x'.repeat(129), 'a\nb', '\u0000', '\u0085'])
      expect((await add(name)).body.details[0].path, name).to.equal('/path/name');
    expect((await add('👩'.repeat(128))).status).to.equal(201);
    for (let index = 1; index < 100; index += 1) await add(`n${index}`);
    const { status, body } = await add('one too many');
    expect([status, body.message]).to.deep.equal([400, 'A wallet has at most 100 categories']);
  });

  it('renameWalletCategory: 202, and its credentials are in the category of the new name', async () => {
    await add('Studies');
    await put(['Studies']);
    const path = { name: 'Studies', newName: 'University' };
    expect((await holder.call('renameWalletCategory', { path })).status).to.equal(202);
    expect(await names()).to.deep.equal(['University']);
    expect(await categoriesOfCredential()).to.deep.equal(['University']);
    const same = { name: 'University', newName: 'University' };
    expect((await holder.call('renameWalletCategory', { path: same })).status).to.equal(202);
  });

  it('renameWalletCategory: 404 for an unknown category, 409 for a name in use', async () => {
    await add('a');
    await add('b');
    const rename = async (name: string, newName: string): Promise<number> =>
      (await holder.call('renameWalletCategory', { path: { name, newName } })).status;
    expect([await rename('x', 'y'), await rename('a', 'b')]).to.deep.equal([404, 409]);
  });

  it('deleteWalletCategory: 202, and no credential is in it; 404 the second time', async () => {
    await add('a');
    await add('b');
    await put(['a', 'b']);
    const remove = () => holder.call('deleteWalletCategory', { path: { name: 'a' } });
    expect((await remove()).status).to.equal(202);
    expect([await names(), await categoriesOfCredential()]).to.deep.equal([['b'], ['b']]);
    await add('a');
    expect(await categoriesOfCredential()).to.deep.equal(['b']);
    await remove();
    expect((await remove()).status).to.equal(404);
  });

  it('addWalletCredentialCategories: 201 adds, removeWalletCredentialCategories: 202 removes; both may be repeated', async () => {
    for (const name of ['a', 'b', 'c']) await add(name);
    expect((await put(['a'])).status).to.equal(201);
    expect((await put(['c', 'a', 'c'])).status).to.equal(201);
    expect(await categoriesOfCredential()).to.deep.equal(['a', 'c']);
    expect((await take(['a', 'b'])).status).to.equal(202);
    expect((await take(['a'])).status).to.equal(202);
    expect(await categoriesOfCredential()).to.deep.equal(['c']);
  });

  it('addWalletCredentialCategories and removeWalletCredentialCategories: 400 for an unknown category, and nothing is changed', async () => {
    await add('a');
    for (const change of [put, take]) {
      const { status, body } = await change(['a', 'x', 'y']);
      expect(status).to.equal(400);
      expect(body.details.map(({ path }: { path: string }) => path)).to.deep.equal(['/body/1', '/body/2']);
      for (const json of [[], 'a', {}, [1], Array(101).fill('a')]) expect((await change(json)).status).to.equal(400);
    }
    expect(await categoriesOfCredential()).to.deep.equal([]);
  });

  it('addWalletCredentialCategories and removeWalletCredentialCategories: 404 for an unknown credential', async () => {
    await add('a');
    for (const change of [put, take]) expect((await change(['a'], 'x')).status).to.equal(404);
  });

  it('listWalletCredentials: with `category` those in it, with several those in any of them', async () => {
    const { body: others } = await holder.call('acceptCredentialOffer', {
      text: issuer.link(['Passport_jwt_vc_json']),
    });
    for (const name of ['a', 'b', 'c']) await add(name);
    await put(['a']);
    await put(['b', 'c'], others[0].id);
    const list = async (query: string): Promise<string[]> => {
      const path = `/wallet-api/wallet/${holder.wallet}/credentials?${query}`;
      const headers = { authorization: `Bearer ${holder.token}` };
      const { status, body } = await server.fetch(path, { headers });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.map(({ id }: { id: string }) => id);
    };
    expect(await list('category=a')).to.deep.equal([credentialId]);
    expect(await list('category=b&category=a&category=c')).to.deep.equal([credentialId, others[0].id]);
    expect(await list('category=c&category=x')).to.deep.equal([others[0].id]);
    expect(await list('category=x')).to.deep.equal([]);
    expect(await list('')).to.have.length(2);
    const { status, body } = await holder.call('listWalletCredentials', { query: { category: '' } });
    expect([status, body.details[0].path]).to.deep.equal([400, '/query/category/0']);
  });

  it('listWalletCategories: another wallet sees none of them', async () => {
    await add('a');
    const other = await newWalletUser(server);
    expect((await other.call('listWalletCategories')).body).to.deep.equal([]);
  });
});
