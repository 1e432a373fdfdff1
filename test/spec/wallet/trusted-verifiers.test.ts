import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import { pemOf } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

describe('describePresentationRequest: verifiers with certificates', () => {
  const trusting = useServer(async () => {
    const [, root = ''] = (await certifiedKey()).withRoot;
    return { settings: { trustedVerifiers: { certificates: [pemOf(Buffer.from(root, 'base64'))] } } };
  });
  const other = useServer({ settings: { trustedVerifiers: { certificates: [iaca().pem] } } });
  const unjudging = useServer();

  /** What a wallet finds of a request that our verifier signed; both are on one server. */
  async function described(server: typeof trusting) {
    const vp = await Openid4vp.with(server);
    const { key, x5c, hash: clientId } = await certifiedKey();
    const created = await vp.create(crossDevice({ signed_request: true, key, x5c, clientId }));
    const text: string = created.bootstrapAuthorizationRequestUrl;
    return (await newWalletUser(server)).call('describePresentationRequest', { text });
  }

  it('200: the certificate is trusted below an authority of the configuration, and not judged without any', async () => {
    for (const server of [trusting, unjudging]) {
      const { status, body } = await described(server);
      expect(status, JSON.stringify(body)).to.equal(200);
      const isTrusted = server === trusting;
      expect(body.proof).to.deep.equal({
        kind: 'certificate',
        name: 'verifier.example.com',
        issuer: 'readers',
        isTrusted,
      });
    }
  });

  it('400: the certificate of another authority', async () => {
    const { status, body } = await described(other);
    expect([status, body.message]).to.match(/^400,The certificate of the request object is not trusted/);
  });
});
