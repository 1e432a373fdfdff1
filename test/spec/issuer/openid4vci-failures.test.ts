import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { FinalIssuance } from '../../actors/openid4vci.ts';
import type { Call } from '../../support/servers/server.ts';

const LARGE = 'x'.repeat(2 * 1024 * 1024);

/** A body of another media type, and one that is too large. */
const BODIES: Record<string, { large: Call; foreign: Call }> = {
  pushOpenid4vciAuthorization: { large: { form: { client_id: LARGE } }, foreign: { json: {} } },
  requestOpenid4vciToken: { large: { form: { client_id: LARGE } }, foreign: { json: {} } },
  requestOpenid4vciCredential: { large: { json: { [LARGE]: 1 } }, foreign: { form: { a: 'b' } } },
  requestOpenid4vciDeferredCredential: { large: { json: { [LARGE]: 1 } }, foreign: { form: { a: 'b' } } },
  notifyOpenid4vciIssuer: { large: { json: { [LARGE]: 1 } }, foreign: { form: { a: 'b' } } },
};

describe('OpenID4VCI 1.0, what is not processed', () => {
  let issuance: FinalIssuance;
  before(async () => {
    const rateLimit = Object.fromEntries(
      ['issuer2_token_endpoint', 'issuer2_credential_endpoint'].map((name) => [name, { requestsPerMinute: 1000 }]),
    );
    issuance = await FinalIssuance.start({ settings: { rateLimit } });
  });
  after(() => issuance.close());

  for (const [operationId, { large, foreign }] of Object.entries(BODIES))
    it(`${operationId} 413 and 415: a body that is too large, or of another media type`, async () => {
      const { server } = issuance;
      const token = await issuance.access();
      expect((await server.call(operationId, { token, ...large })).status).to.equal(413);
      expect((await server.call(operationId, { token, ...foreign })).status).to.equal(415);
    });

  it('requestOpenid4vciCredential 503: while another request makes the credential', async () => {
    const peer = await new HttpPeer().listen();
    const { asked, answer } = peer.hold('/hook');
    const content = degree(issuance.issuer, { mapping: { note: `<webhook:${peer.url}/hook>` } });
    const token = await issuance.access({ content });
    const first = issuance.claimFor(token, [makeHolderKey()]);
    await asked;
    const busy = await issuance.claimFor(token, [makeHolderKey()]);
    expect([busy.status, busy.headers.has('retry-after')]).to.deep.equal([503, true]);
    answer();
    expect((await first).status).to.equal(200);
    await peer.close();
  });

  it('pushOpenid4vciAuthorization 201: the request of an offer of /issuer2', async () => {
    const json = { profileId: 'UniversityDegree_jwt_vc_json', authMethod: 'AUTHORIZED', valueMode: 'BY_VALUE' };
    const { credentialOffer } = (await issuance.server.call('createCredentialOffer', { json })).body;
    const offer = JSON.parse(new URL(credentialOffer).searchParams.get('credential_offer') ?? '');
    const form = {
      response_type: 'code',
      client_id: 'wallet',
      redirect_uri: 'https://wallet.example/callback',
      issuer_state: offer.grants.authorization_code.issuer_state,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      state: '7f3a',
    };
    expect((await issuance.server.call('pushOpenid4vciAuthorization', { form })).status).to.equal(201);
  });
});
