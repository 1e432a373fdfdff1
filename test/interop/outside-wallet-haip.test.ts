import { createPublicKey } from 'node:crypto';
import { clientAuthenticationClientAttestationJwt, createClientAttestationJwt, Oauth2Client } from '@openid4vc/oauth2';
import { Openid4vciClient } from '@openid4vc/openid4vci';
import { expect } from 'chai';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import { AttestedIssuance, REDIRECT_URI } from '../actors/attested-wallet.ts';
import { callbacks, publicJwkOf } from './library.ts';

const CLIENT = 'https://wallet.example';

describe('an outside wallet and our issuer over OpenID4VCI 1.0 with HAIP', () => {
  let issuance: AttestedIssuance;
  before(async () => {
    issuance = await AttestedIssuance.start();
  });
  after(() => issuance.close());

  /** The library with a client attestation of our attester; one key signs its DPoP proofs and its proofs of possession. */
  async function attestedClient() {
    const { privateKey, publicKey } = keyPair({ namedCurve: 'P-256' });
    const publicJwk = publicJwkOf(publicKey);
    const attester = issuance.attester.privateKey;
    const clientAttestationJwt = await createClientAttestationJwt({
      issuer: 'https://wallet-provider.example',
      clientId: CLIENT,
      confirmation: { jwk: publicJwk },
      expiresAt: new Date(Date.now() + 3_600_000),
      signer: { method: 'jwk', alg: 'ES256', publicJwk: publicJwkOf(createPublicKey(attester)) },
      callbacks: callbacks(attester, createPublicKey(attester)),
    });
    const own = callbacks(privateKey, publicKey);
    const clientAuthentication = clientAuthenticationClientAttestationJwt({ clientAttestationJwt, callbacks: own });
    const signer = { method: 'jwk', alg: 'ES256', publicJwk } as const;
    return { signer, callbacks: { ...own, clientAuthentication } };
  }

  it('pushes, authorizes, binds its tokens to its key, refreshes them and gets the credential of an offer', async () => {
    const { signer, callbacks: surroundings } = await attestedClient();
    const client = new Openid4vciClient({ callbacks: surroundings });
    const json = { profileId: 'identity', authMethod: 'AUTHORIZED' };
    const { body } = await issuance.server.call('createCredentialOffer', { json });
    const credentialOffer = await client.resolveCredentialOffer(body.credentialOffer);
    const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer);
    const [authorizationServerMetadata] = issuerMetadata.authorizationServers;
    if (!authorizationServerMetadata) throw new Error('The issuer has no authorization server');
    const offered = { credentialOffer, issuerMetadata };
    const [credentialConfigurationId = ''] = credentialOffer.credential_configuration_ids;
    const started = await client.createAuthorizationRequestUrlFromOffer({
      ...offered,
      clientId: CLIENT,
      redirectUri: REDIRECT_URI,
      scope: credentialConfigurationId,
      dpop: { signer },
    });
    expect(new URL(started.authorizationRequestUrl).searchParams.has('request_uri')).to.equal(true);
    const back = await fetch(started.authorizationRequestUrl, { redirect: 'manual' });
    const url = back.headers.get('location') ?? '';
    const answer = client.parseAndVerifyAuthorizationResponseRedirectUrl({ url, authorizationServerMetadata });
    const redeemed = await client.retrieveAuthorizationCodeAccessTokenFromOffer({
      ...offered,
      authorizationCode: 'code' in answer ? String(answer.code) : '',
      pkceCodeVerifier: started.pkce?.codeVerifier,
      redirectUri: REDIRECT_URI,
      dpop: { signer },
    });
    expect(redeemed.accessTokenResponse.token_type).to.equal('DPoP');
    const refreshed = await new Oauth2Client({ callbacks: surroundings }).retrieveRefreshTokenAccessToken({
      authorizationServerMetadata,
      refreshToken: redeemed.accessTokenResponse.refresh_token ?? '',
      dpop: redeemed.dpop,
    });
    const { c_nonce: nonce } = await client.requestNonce({ issuerMetadata });
    const { jwt } = await client.createCredentialRequestJwtProof({
      issuerMetadata,
      credentialConfigurationId,
      signer,
      nonce,
    });
    const { credentialResponse } = await client.retrieveCredentials({
      issuerMetadata,
      credentialConfigurationId,
      accessToken: refreshed.accessTokenResponse.access_token,
      proofs: { jwt: [jwt] },
      dpop: { signer },
    });
    expect(credentialResponse.credentials).to.have.length(1);
  });
});
