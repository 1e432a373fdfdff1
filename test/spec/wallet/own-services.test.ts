import { expect } from 'chai';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

/** The characters that applications do not encode when they pass a link on. */
const unencoded = (link: string): string => decodeURIComponent(link).replaceAll('"', '%22');

const asJson = 'application/json';

describe('a credential of our issuer, held by our wallet, shown to our verifier', () => {
  const server = useServer();
  let holder: WalletUser;
  before(async () => {
    holder = await newWalletUser(server);
  });

  async function offer(): Promise<string> {
    const key = { keyType: 'secp256r1' };
    const { issuerKey, issuerDid } = (await server.call('onboardIssuer', { json: { key } })).body;
    const json = {
      issuerKey,
      issuerDid,
      credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
      credentialData: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'UniversityDegree'],
        credentialSubject: { degree: { name: 'Bachelor of Science' } },
      },
      mapping: {
        id: '<uuid>',
        issuer: { id: '<issuerDid>' },
        credentialSubject: { id: '<subjectDid>' },
        issuanceDate: '<timestamp>',
        expirationDate: '<timestamp-in:365d>',
      },
    };
    return (await server.call('issueJwtCredential', { json })).body;
  }

  it('acceptCredentialOffer: step by step as an application does, with the link not encoded', async () => {
    const text = unencoded(await offer()).replace('openid-credential-offer:', 'openid-initiate-issuance:');
    const resolved = await holder.call('resolveCredentialOffer', { text, contentType: asJson });
    expect(resolved.status).to.equal(200);
    const { credential_issuer: issuer, credential_configuration_ids: ids } = resolved.body;
    const metadata = await holder.call('resolveIssuerMetadata', { query: { issuer } });
    const { type } = metadata.body.credential_configurations_supported[ids[0]].credential_definition;
    expect(type).to.include('UniversityDegree');
    const query = { did: holder.did };
    const accepted = await holder.call('acceptCredentialOffer', { text, query, contentType: asJson });
    expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
    expect(accepted.body[0].parsedDocument.credentialSubject).to.deep.include({ id: holder.did });
    const again = await holder.call('acceptCredentialOffer', { text, query, contentType: asJson });
    expect(again.status).to.equal(400);
    expect(again.body.message).to.match(/The issuer answered with 40[04]: ./);
  });

  it('presentCredentials: true for the right credential, with the redirect; a second time refused', async () => {
    const successRedirectUri = 'https://shop.example/success/$id';
    const body = {
      request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }],
      vc_policies: ['signature'],
    };
    const started = await server.call('startVerification', { json: body, headers: { successRedirectUri } });
    const text = unencoded(started.body).replace('openid4vp://authorize', 'openid://');
    const { body: request } = await holder.call('resolvePresentationRequest', { text, contentType: asJson });
    const params = new URL(request).searchParams;
    const definition = JSON.parse(params.get('presentation_definition') ?? '');
    const { body: matched } = await holder.call('matchWalletCredentials', { json: definition });
    expect(matched).to.have.length(1);
    const json = { presentationRequest: request, selectedCredentials: [matched[0].id], disclosures: null };
    const presented = await holder.call('presentCredentials', { json });
    expect(presented.status, JSON.stringify(presented.body)).to.equal(200);
    const state = params.get('state') ?? '';
    expect(presented.body.redirectUri).to.equal(successRedirectUri.replace('$id', state));
    const { body: result } = await server.call('getVerificationResult', { path: { state } });
    expect(result.verificationResult).to.equal(true);
    const second = await holder.call('presentCredentials', { json });
    expect(second.status).to.equal(400);
    expect(second.body.errorMessage).to.be.a('string');
  });

  it('presentCredentials: 400 with errorMessage and the redirect when a policy fails', async () => {
    const errorRedirectUri = 'https://shop.example/failed/$id';
    const policies = ['signature', { policy: 'schema', args: { type: 'object', required: ['nothing like it'] } }];
    const body = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }], vc_policies: policies };
    const started = await server.call('startVerification', { json: body, headers: { errorRedirectUri } });
    const { body: credentials } = await holder.call('listWalletCredentials');
    const json = { presentationRequest: started.body, selectedCredentials: [credentials[0].id] };
    const { status, body: answer } = await holder.call('presentCredentials', { json });
    expect(status).to.equal(400);
    expect(answer.errorMessage).to.equal(answer.message);
    expect(answer.redirectUri).to.match(/^https:\/\/shop\.example\/failed\/[\w-]+$/);
  });
});
