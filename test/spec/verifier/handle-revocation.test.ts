import { expect } from 'chai';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const DAY_MS = 86_400_000;

describe('changeStatusEntry', () => {
  const server = useServer({ settings: { verifier: { presentedData: 'deleteOnHandover' } } });

  it('200: revokes a credential by the handle that stays of it, when wallet, issuer and verifier have deleted the rest', async () => {
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    const holder = await newWalletUser(server);
    const { body: text } = await server.call('issueJwtCredential', { json: degree(issuer, { statusList: {} }) });
    const [{ id: credentialId }] = (await holder.call('acceptCredentialOffer', { text })).body;
    const meta = { type_values: [['VerifiableCredential', 'UniversityDegree']] };
    const dcql_query = { credentials: [{ id: 'degree', format: 'jwt_vc_json', meta }] };
    const json = crossDevice({ dcql_query, policies: { vc_policies: ['signature', 'revoked-status-list'] } });
    const { body: created } = await server.call('createVerificationSession', { json });
    const presentationRequest = created.bootstrapAuthorizationRequestUrl;
    await holder.call('presentCredentials', { json: { presentationRequest, selectedCredentials: [credentialId] } });
    const path = { sessionId: created.sessionId };
    const session = async () => (await server.call('getVerificationSession', { path })).body;
    expect((await session()).status).to.equal('SUCCESSFUL');
    const [{ claims, status }] = (await session()).presented_credentials.degree;
    expect(claims).to.equal(undefined);
    await holder.call('deleteWalletCredential', { path: { credentialId }, query: { permanent: 'true' } });
    server.clock.advance(30 * DAY_MS);
    expect((await server.call('getVerificationSession', { path })).status).to.equal(404);
    const [{ statusListCredential, statusListIndex: index }] = status;
    const listId = new URL(statusListCredential).pathname.split('/').at(-1) ?? '';
    const entry = { path: { listId, index }, json: { action: 'revoke', reason: 'Withdrawn' } };
    const { status: answered, body } = await server.call('changeStatusEntry', entry);
    expect([answered, body.status], JSON.stringify(body)).to.deep.equal([200, 'revoked']);
  });
});
