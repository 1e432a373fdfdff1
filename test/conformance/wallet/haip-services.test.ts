import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { createSession, infoOf } from '../../../demo/actors/verifier.ts';
import { textOf } from '../../../demo/http-client.ts';
import { HttpServices } from '../../../demo/services.ts';
import { ATTESTER, issuerSettings, REDIRECT_URI, SIGNER } from '../../actors/attested-wallet.ts';
import { browse } from '../../actors/code-grant.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { testScript } from '../../support/processes/script.ts';
import { until } from '../../support/runs/waiting.ts';
import { useServer } from '../../support/servers/server.ts';
import { pemOf } from '../../support/trust/certificates.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

describe('our issuer and verifier of HAIP in a process of their own, and our wallet in another', () => {
  const attester = makeHolderKey();
  const signingKey = { type: 'jwk', jwk: attester.privateKey.export({ format: 'jwk' }) };
  const local = { issuer: ATTESTER, signingKey, x5Chain: [], validitySeconds: 3600 };
  const server = useServer(async () => {
    const [, root = ''] = (await certifiedKey()).withRoot;
    const wallet = { attester: local, clientId: 'https://wallet.example', redirectUris: [REDIRECT_URI] };
    return { settings: { wallet, trustedVerifiers: { certificates: [pemOf(Buffer.from(root, 'base64'))] } } };
  });
  let child: ChildProcess;
  let services: HttpServices;
  let holder: WalletUser;
  before(async () => {
    const { file, execArgv } = testScript('test/support/processes/served.ts');
    child = fork(file, { execArgv });
    const trustedIssuers = { certificates: [SIGNER.x5Chain[1] ?? ''] };
    const settings = issuerSettings(attester, { profile: { deferred: true }, settings: { trustedIssuers } });
    child.send(settings);
    const [{ url }] = await once(child, 'message');
    services = await HttpServices.at(url);
    holder = await newWalletUser(server);
    const json = { backend: 'jwk', keyType: 'secp256r1' };
    const { body: keyId } = await holder.call('generateWalletKey', { json });
    const { body: did } = await holder.call('createWalletDid', { path: { method: 'jwk' }, query: { keyId } });
    await holder.call('setDefaultWalletDid', { query: { did } });
  });
  after(async () => {
    child.disconnect();
    await once(child, 'exit');
  });

  it('a login with all that HAIP demands, a credential that comes later, and its presentation', async () => {
    const json = { profileId: 'identity', authMethod: 'AUTHORIZED' };
    const made = await services.call('createCredentialOffer', { json });
    const { credentialOffer: offer } = Object(made.body);
    const begun = await holder.call('beginOfferAuthorization', { json: { offer, redirectUri: REDIRECT_URI } });
    expect(begun.status, JSON.stringify(begun.body)).to.equal(200);
    const answer = await browse(begun.body.authorizationUrl, REDIRECT_URI);
    const finished = await holder.call('finishOfferAuthorization', { json: answer });
    expect([finished.status, finished.body.length], JSON.stringify(finished.body)).to.deep.equal([200, 0]);
    const [{ id }] = (await holder.call('listDeferredCredentials')).body;
    server.clock.advance(60_000);
    const collect = () => holder.call('collectDeferredCredential', { path: { id } });
    await until(async () => [200, 404].includes((await collect()).status));
    const [credential, ...more] = (await holder.call('listWalletCredentials')).body;
    expect(more).to.deep.equal([]);

    const { key, x5c, hash: clientId } = await certifiedKey();
    const query = {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: [credential.type] },
      claims: [{ path: ['given_name'] }],
    };
    const core = { dcql_query: { credentials: [query] }, encrypted_response: true, signed_request: true };
    const session = await createSession(services, crossDevice({ ...core, key, x5c, clientId }, { haip: true }));
    const text = textOf(session, 'bootstrapAuthorizationRequestUrl');
    const { consent, proof } = (await holder.call('describePresentationRequest', { text })).body;
    expect(proof).to.include({ kind: 'certificate', isTrusted: true });
    const presentation = { presentationRequest: text, consent, selectedCredentials: [credential.id] };
    const sent = await holder.call('presentCredentials', { json: presentation });
    expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
    expect(Object(await infoOf(services, textOf(session, 'sessionId'))).status).to.equal('SUCCESSFUL');
  });
});
