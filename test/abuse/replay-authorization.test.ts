import { expect } from 'chai';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { AttestedWallet, type Sent } from '../actors/attested-wallet.ts';
import { exactlyOne, type Installation, install, KINDS, race } from './races.ts';

const PLAIN: Sent = { dpop: false, attestation: false, pop: false };

for (const kind of KINDS)
  describe(`fifty concurrent requests of a wallet of OpenID4VCI 1.0, on ${kind}`, () => {
    const attester = makeHolderKey();
    let all: Installation;
    let wallet: AttestedWallet;
    before(async () => {
      const clientAttesters = [{ jwks: { keys: [{ ...attester.jwk }] } }];
      all = await install(kind, { issuerMetadata: { clientAttesters } });
      wallet = new AttestedWallet({ server: all.server, attester }, 'https://wallet.example');
    });
    after(() => all.close());

    /** The parameter of a new offer that its authorization requests have. */
    async function offer(): Promise<{ issuer_state: string; scope: undefined }> {
      const profileId = 'UniversityDegree_jwt_vc_json';
      const json = { profileId, authMethod: 'AUTHORIZED', valueMode: 'BY_VALUE' };
      const { body } = await all.server.call('createCredentialOffer', { json });
      const text = new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '';
      return { issuer_state: JSON.parse(text).grants.authorization_code.issuer_state, scope: undefined };
    }

    it('with one pushed request give one code', async () => {
      const { body } = await wallet.push(await offer(), PLAIN);
      const query = { client_id: wallet.clientId, request_uri: body.request_uri };
      exactlyOne(await race(() => wallet.authorize(query)), { won: 302, lost: 400 });
    });

    it('with one code give tokens once', async () => {
      const code = await wallet.code(await offer(), PLAIN);
      exactlyOne(await race(() => wallet.redeem(code, {}, PLAIN)), { won: 200, lost: [400, 503] });
      expect((await wallet.redeem(code, {}, PLAIN)).status).to.equal(400);
    });

    it('with one refresh token that is replaced give one next token', async () => {
      const { refresh_token: token } = (await wallet.redeem(await wallet.code(await offer(), PLAIN), {}, PLAIN)).body;
      const answers = await race(() => wallet.refresh(token, {}, PLAIN));
      expect([...new Set(answers.map(({ status }) => status))]).to.deep.equal([200]);
      expect([...new Set(answers.map(({ body }) => body.refresh_token))]).to.have.length(1);
    });

    it('with one DPoP proof are accepted once', async () => {
      const [changes, text] = [await offer(), wallet.dpop('par')];
      exactlyOne(await race(() => wallet.push(changes, { ...PLAIN, dpop: { text } })), { won: 201, lost: 400 });
    });

    it('with one proof of possession of a client attestation are accepted once', async () => {
      const [changes, text] = [await offer(), wallet.pop()];
      exactlyOne(await race(() => wallet.push(changes, { dpop: false, pop: { text } })), { won: 201, lost: 401 });
    });
  });
