import { expect } from 'chai';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

describe('listFrequentCredentials', () => {
  const server = useServer();
  let user: WalletUser;
  before(async () => {
    user = await newWalletUser(server);
  });

  async function receive(): Promise<string> {
    const offer = await server.call('issueJwtCredential', { json: degree(await onboard(server)) });
    const { status, body } = await user.call('acceptCredentialOffer', { text: offer.body });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body[0].id;
  }

  async function present(id: string): Promise<void> {
    const json = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }] };
    const { body: presentationRequest } = await server.call('startVerification', { json });
    const answer = await user.call('presentCredentials', { json: { presentationRequest, selectedCredentials: [id] } });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  }

  const report = async (query?: Record<string, string>): Promise<string[]> =>
    (await user.call('listFrequentCredentials', { query })).body.map(({ id }: { id: string }) => id);

  it('200: the credentials that were presented, the most frequent one first, of equals the last one', async () => {
    const [a, b, d, e] = [await receive(), await receive(), await receive(), await receive()];
    // One that is never presented.
    await receive();
    expect(await report()).to.deep.equal([]);
    for (const id of [a, b, e, e, e, b, d]) await present(id);
    expect(await report()).to.deep.equal([e, b, d, a]);
    await user.call('deleteWalletCredential', { path: { credentialId: e } });
    expect(await report()).to.deep.equal([b, d, a]);
    expect(await report({ limit: '1' })).to.deep.equal([b]);
    const other = await newWalletUser(server);
    expect((await other.call('listFrequentCredentials')).body).to.deep.equal([]);
  });

  it('400: refuses a limit that is no whole number from 1 to 100', async () => {
    for (const limit of ['0', '101', '1e1', 'all']) {
      const { status, body } = await user.call('listFrequentCredentials', { query: { limit } });
      expect([status, body.details[0].path], limit).to.deep.equal([400, '/query/limit']);
    }
  });
});
