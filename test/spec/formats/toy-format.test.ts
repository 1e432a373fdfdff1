import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { startCallback, type TestCallback } from '../../actors/http-peer.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { TOY_FORMAT } from '../../support/credentials/toy-format.ts';
import { useServer } from '../../support/servers/server.ts';

const STATUS_POLICY = { policy: 'revoked-status-list' };

describe('a format that is one file and one row', () => {
  let dataDir = '';
  // One more format for every built-in credential would make the metadata larger than wallets accept.
  const server = useServer(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-'));
    await mkdir(join(dataDir, 'config'));
    const metadata = { supportedCredentialTypes: { UniversityDegree: ['VerifiableCredential', 'UniversityDegree'] } };
    await writeFile(join(dataDir, 'config', 'credential-issuer-metadata.conf'), JSON.stringify(metadata));
    return { formats: [TOY_FORMAT], dataDir };
  });
  let issuer: Issuer;
  let holder: WalletUser;
  let callback: TestCallback;

  before(async () => {
    [issuer, holder, callback] = await Promise.all([
      onboard(server, { key: { keyType: 'secp256r1' } }),
      newWalletUser(server),
      startCallback(),
    ]);
  });
  after(async () => {
    await callback.goAway();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** An offer of a degree in the toy format; in a batch, several of them. */
  async function offer(operationId: string, json: unknown): Promise<string> {
    const headers = { statusCallbackUri: `${callback.url}/$id` };
    return (await server.call(operationId, { json, headers })).body;
  }

  const toyDegree = (changes = {}) => degree(issuer, { credentialConfigurationId: 'UniversityDegree_toy', ...changes });

  async function accept(link: string) {
    const { status, body } = await holder.call('acceptCredentialOffer', { text: link, query: { did: holder.did } });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }

  /** Requests a credential, presents the wallet's first match and returns the session. */
  async function verify(request: object) {
    const { body: link } = await server.call('startVerification', { json: request });
    const { body: resolved } = await holder.call('resolvePresentationRequest', { text: link });
    const params = new URL(resolved).searchParams;
    const definition = JSON.parse(params.get('presentation_definition') ?? '');
    const { body: matched } = await holder.call('matchWalletCredentials', { json: definition });
    const json = { presentationRequest: resolved, selectedCredentials: [matched[0]?.id] };
    const presented = await holder.call('presentCredentials', { json });
    const path = { state: params.get('state') ?? '' };
    return { presented, matched, session: (await server.call('getVerificationResult', { path })).body };
  }

  it('is a configuration of the issuer metadata', async () => {
    const { credential_configurations_supported: supported } = (await server.call('getIssuerMetadata')).body;
    expect(supported.UniversityDegree_toy).to.include({ format: 'toy' });
    expect(supported.UniversityDegree_jwt_vc_json).to.include({ format: 'jwt_vc_json' });
  });

  it('is issued to a wallet, which stores it, and reported by its own event', async () => {
    const [stored] = await accept(await offer('issueJwtCredential', toyDegree()));
    expect(stored).to.include({ format: 'toy' });
    expect(stored.parsedDocument.shown).to.deep.include({ degree: { name: 'BSc' } });
    const { type, data } = callback.events.at(-1) ?? {};
    expect({ type, data }).to.deep.equal({ type: 'toy_issue', data: { toy: stored.document } });
    const body = JSON.parse(Buffer.from(stored.document.split('~')[1], 'base64url').toString());
    expect(body.holderKey, 'the key of the proof reaches the format').to.have.property('kty');
  });

  it('is issued in batches, with the event of a batch', async () => {
    const stored = await accept(await offer('issueJwtCredentialBatch', [toyDegree(), toyDegree()]));
    expect(stored.map(({ format }: { format: string }) => format)).to.deep.equal(['toy', 'toy']);
    expect(callback.events.slice(-2).map(({ type }) => type)).to.deep.equal(['batch_toy_issue', 'batch_toy_issue']);
  });

  it('is presented and verified', async () => {
    const { presented, session } = await verify({
      request_credentials: [{ type: 'UniversityDegree', format: 'toy' }],
      vc_policies: ['signature', { policy: 'allowed-issuer', args: issuer.issuerDid }],
    });
    expect(presented.status, JSON.stringify(presented.body)).to.equal(200);
    expect(session.verificationResult).to.equal(true);
    const [presentation, credential] = session.policyResults.results;
    expect([presentation.credential, credential.credential]).to.deep.equal(['Toyshow', 'UniversityDegree']);
    expect(session.tokenResponse.presentation_submission.descriptor_map[0]).to.deep.include({
      format: 'toy_vp',
      path_nested: { id: 'UniversityDegree', format: 'toy', path: '$.shown[0]' },
    });
  });

  it('a presentation for another session is rejected: its transcript is another', async () => {
    const request = { request_credentials: [{ type: 'UniversityDegree', format: 'toy' }] };
    const { session: first } = await verify(request);
    const { body: link } = await server.call('startVerification', { json: request });
    const state = new URL(link).searchParams.get('state') ?? '';
    const { vp_token, presentation_submission } = first.tokenResponse;
    const form = { vp_token, presentation_submission: JSON.stringify(presentation_submission) };
    const replayed = await server.call('submitPresentation', { path: { state }, form });
    expect(replayed.status).to.equal(400);
    const { body: session } = await server.call('getVerificationResult', { path: { state } });
    expect(session.verificationResult).to.equal(false);
    const failed = session.policyResults.results[0].policies.filter(
      ({ is_success }: { is_success: boolean }) => !is_success,
    );
    expect(failed.map(({ policy }: { policy: string }) => policy)).to.deep.equal(['signature']);
  });

  it('is asked for by DCQL in OpenID4VP 1.0, and valid until its status entry says otherwise', async () => {
    const [stored] = await accept(await offer('issueJwtCredential', toyDegree({ statusList: {} })));
    const vp = await Openid4vp.with(server);
    const query = {
      id: 'toy',
      format: 'toy',
      meta: { type_values: [['UniversityDegree']] },
      claims: [{ path: ['shown', 'degree', 'name'], values: ['BSc'] }],
    };
    const outcome = async (changes = {}) => {
      const policies = { vp_policies: ['toy/transcript'], vc_policies: ['signature', STATUS_POLICY] };
      const created = await vp.create(
        crossDevice({ dcql_query: { credentials: [{ ...query, ...changes }] }, policies }),
      );
      const { bootstrapAuthorizationRequestUrl: presentationRequest } = created;
      const json = { presentationRequest, selectedCredentials: [stored.id] };
      const presented = await holder.call('presentCredentials', { json });
      return { presented, session: await vp.info(created) };
    };
    const { presented, session } = await outcome();
    expect([presented.status, session.status], JSON.stringify(presented.body)).to.deep.equal([200, 'SUCCESSFUL']);
    expect(Object.keys(session.policy_results.vp_policies.toy)).to.deep.equal(['toy/transcript', 'toy/seal']);
    expect((await outcome({ meta: { type_values: [['Diploma']] } })).session.status).to.not.equal('SUCCESSFUL');

    const { state } = JSON.parse(Buffer.from(stored.document.split('~')[1], 'base64url').toString());
    const path = { listId: state.statusListCredential.split('/').at(-1), index: state.statusListIndex };
    expect((await server.call('changeStatusEntry', { path, json: { action: 'revoke' } })).status).to.equal(200);
    const { session: revoked } = await outcome();
    const broken = revoked.policy_results.vc_policies.filter(({ success }: { success: boolean }) => !success);
    expect(revoked.status).to.equal('FAILED');
    expect(broken.map((line: { policy: object }) => line.policy)).to.deep.equal([STATUS_POLICY]);
  });

  it('is beside the other formats: a request for one is not answered with the other', async () => {
    await accept(await offer('issueJwtCredential', degree(issuer)));
    const formatsFor = async (format: string) => {
      const { matched, session } = await verify({ request_credentials: [{ type: 'UniversityDegree', format }] });
      expect(session.verificationResult, format).to.equal(true);
      return [...new Set(matched.map((credential: { format: string }) => credential.format))];
    };
    expect(await formatsFor('toy')).to.deep.equal(['toy']);
    expect(await formatsFor('jwt_vc_json')).to.deep.equal(['jwt_vc_json']);
  });

  it('is not known to a server without its row', async () => {
    const { status, body } = await server.call('startVerification', {
      json: { request_credentials: [{ type: 'UniversityDegree', format: 'toyish' }] },
    });
    expect([status, body.message]).to.deep.equal([400, 'request_credentials[0].format: toyish cannot be requested']);
  });
});
