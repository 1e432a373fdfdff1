import { expect } from 'chai';
import { degree, type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { CodeWallet } from '../actors/draft-authorization.ts';
import { HttpPeer } from '../actors/http-peer.ts';
import { useServer } from '../support/servers/server.ts';
import { OutsideWallet } from './outside-wallet.ts';

const VERIFIABLE_ID = {
  credentialConfigurationId: 'VerifiableId_jwt_vc_json',
  credentialData: { type: ['VerifiableCredential', 'VerifiableId'], credentialSubject: {} },
};

describe('an outside wallet that must present a credential before it gets another one', () => {
  const server = useServer();
  const codes = new CodeWallet(server);
  let issuer: Issuer;
  let callback: HttpPeer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    callback = await new HttpPeer().listen();
    callback.routes['/callback'] = () => ({ body: 'done' });
  });
  after(() => callback.close());

  async function asked(changes: object): Promise<string> {
    const redirect_uri = `${callback.url}/callback`;
    const answer = await codes.authorize(await codes.offer(issuer, changes), { redirect_uri });
    return answer.headers.get('location') ?? '';
  }

  it('reads the request, presents, and is redirected with a code; of another type, with access_denied', async () => {
    const wallet = new OutsideWallet({ alg: 'ES256', binding: 'did:jwk' });
    const { body: url } = await server.call('issueJwtCredential', { json: degree(issuer, VERIFIABLE_ID) });
    const { credentials } = await wallet.accept(url);
    for (const [vpRequestValue, isGood] of [
      ['VerifiableId', true],
      ['UniversityDegree', false],
    ] as const) {
      const link = await asked({ authenticationMethod: 'VP_TOKEN', vpRequestValue });
      const { client } = await wallet.read(link);
      expect(client.prefix).to.equal('redirect_uri');
      expect((await wallet.present(link, credentials)).status).to.equal(200);
      const { searchParams } = callback.seen.at(-1)?.url ?? new URL('about:blank');
      expect(searchParams.get('iss')).to.equal(`${server.url}/draft13`);
      expect([searchParams.has('code'), searchParams.get('error')]).to.deep.equal([
        isGood,
        isGood ? null : 'access_denied',
      ]);
      if (!isGood) continue;
      const redirect_uri = `${callback.url}/callback`;
      expect((await codes.claim(searchParams.get('code') ?? '', { redirect_uri })).status).to.equal(200);
    }
  });
});
