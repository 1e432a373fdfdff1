import { createHash, randomBytes } from 'node:crypto';
import { clientAuthenticationAnonymous, setGlobalConfig } from '@openid4vc/oauth2';
import { Openid4vciClient } from '@openid4vc/openid4vci';
import { expect } from 'chai';
import { importJWK, jwtVerify, SignJWT } from 'jose';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { startServer } from '../../support/servers/server.ts';

describe('an outside wallet', () => {
  before(() => setGlobalConfig({ allowInsecureUrls: true }));

  for (const method of ['did', 'jwk'] as const)
    it(`redeems an offer with an independent protocol client and a proof by ${method}`, async () => {
      const server = await startServer();
      const callback = await startCallback();
      const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
      const mapping = method === 'jwk' ? {} : { credentialSubject: { id: '<subjectDid>' } };
      const headers = { statusCallbackUri: `${callback.url}/$id` };
      const { body: offerUrl } = await server.call('issueJwtCredential', {
        json: degree(issuer, { mapping }),
        headers,
      });
      const holder = makeHolderKey();
      const client = new Openid4vciClient({
        callbacks: {
          hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
          generateRandom: (length) => randomBytes(length),
          clientAuthentication: clientAuthenticationAnonymous(),
          signJwt: async (_, { header, payload }) => ({
            jwt: await new SignJWT(payload).setProtectedHeader(header as { alg: string }).sign(holder.privateKey),
            signerJwk: { ...holder.jwk },
          }),
          fetch,
        },
      });
      const credentialOffer = await client.resolveCredentialOffer(offerUrl);
      const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer);
      const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
        credentialOffer,
        issuerMetadata,
      });
      const [credentialConfigurationId = ''] = credentialOffer.credential_configuration_ids;
      const signer =
        method === 'did'
          ? ({ method, alg: 'ES256', didUrl: `${holder.did}#0` } as const)
          : ({ method, alg: 'ES256', publicJwk: { ...holder.jwk } } as const);
      const proof = await client.createCredentialRequestJwtProof({
        issuerMetadata,
        signer,
        nonce: accessTokenResponse.c_nonce,
        credentialConfigurationId,
      });
      const { credentialResponse } = await client.retrieveCredentials({
        issuerMetadata,
        accessToken: accessTokenResponse.access_token,
        credentialConfigurationId,
        proof: { proof_type: 'jwt', jwt: proof.jwt },
      });
      const { d: _, ...issuerJwk } = issuer.issuerKey.jwk;
      const { payload } = await jwtVerify(String(credentialResponse.credential), await importJWK(issuerJwk, 'ES256'));
      expect(payload).to.include({ iss: issuer.issuerDid, sub: method === 'did' ? holder.did : '' });
      expect(callback.events.map(({ type }) => type)).to.deep.equal([
        'resolved_credential_offer',
        'requested_token',
        'jwt_issue',
      ]);
      await callback.goAway();
      await server.close();
    });
});
