import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, Openid4vp, readLink } from '../../actors/openid4vp.ts';
import { useClouds } from '../../support/kms/clouds.ts';
import { useServer } from '../../support/servers/server.ts';

const FAULTS = [
  [{ kind: 'fail' }, 502],
  [{ kind: 'hang' }, 504],
] as const;
const UNUSABLE = 'The key of the verifier cannot sign now; try again later';

describe('verification sessions whose key is in a key service', () => {
  const clouds = useClouds();
  const server = useServer(async () => ({
    settings: { outbound: { allow: ['127.0.0.1'] }, kms: { ...clouds.settings, timeoutSeconds: 3 } },
  }));
  let vp: Openid4vp;
  let cloud: (typeof clouds.all)[number];
  /** A core flow that this key signs. */
  let core: Record<string, unknown>;
  before(async () => {
    vp = await Openid4vp.with(server);
    const [first] = clouds.all;
    if (!first) throw new Error('There is no cloud');
    cloud = first;
    const written = { backend: cloud.backend, keyType: 'secp256r1', config: cloud.config() };
    const { issuerKey: key } = (await server.call('onboardIssuer', { json: { key: written } })).body;
    const config = { ...key.config, auth: cloud.config().auth };
    core = { signed_request: true, clientId: 'shop-7', key: { ...key, config } };
  });

  it('getAuthorizationRequest and postAuthorizationRequest 502 and 504: the reason is not the wallet’s business; the session stays unused', async () => {
    const created = await vp.create(crossDevice(core));
    const path = { requestId: readLink(created.bootstrapAuthorizationRequestUrl).requestId };
    for (const [fault, expected] of FAULTS) {
      cloud.signing.always(fault);
      const answers = await Promise.all([
        server.call('getAuthorizationRequest', { path }),
        server.call('postAuthorizationRequest', { path, form: { wallet_nonce: 'n' } }),
      ]);
      const answer = { status: expected, body: { error: 'server_error', error_description: UNUSABLE } };
      expect(answers.map(({ status, body }) => ({ status, body }))).to.deep.equal([answer, answer]);
      cloud.reset();
    }
    expect((await vp.info(created)).status).to.equal('UNUSED');
    expect((await vp.fetch(path.requestId)).status).to.equal(200);
  });

  it('createVerificationSession 502 and 504: the request of a page is signed at once', async () => {
    const setup = {
      ...crossDevice(core),
      flow_type: 'dc_api_openid4vp',
      expectedOrigins: ['https://shop.example.org'],
    };
    for (const [fault, expected] of FAULTS) {
      cloud.signing.always(fault);
      const { status, body } = await server.call('createVerificationSession', { json: setup });
      expect({ status, message: body.message }).to.deep.equal({ status: expected, message: UNUSABLE });
      cloud.reset();
    }
    expect((await server.call('createVerificationSession', { json: setup })).status).to.equal(200);
  });
});

describe('verification sessions whose verifier has a did:web', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  const peer = new HttpPeer();
  before(() => peer.listen());
  after(() => peer.close());

  it('createVerificationSession 502 and 504: its host fails or does not answer', async () => {
    peer.routes['/failing/did.json'] = () => ({ status: 500 });
    peer.routes['/silent/did.json'] = () => undefined;
    const statuses = ['failing', 'silent'].map(async (name) => {
      const clientId = `decentralized_identifier:did:web:${encodeURIComponent(new URL(peer.url).host)}:${name}`;
      const json = crossDevice({ signed_request: true, clientId });
      return (await server.call('createVerificationSession', { json })).status;
    });
    expect(await Promise.all(statuses)).to.deep.equal([502, 504]);
  });
});
